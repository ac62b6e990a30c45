using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

[ProtoContract]
internal struct Spot
{
    [ProtoMember(1)]
    public float X;

    [ProtoMember(2)]
    public float Y;
}
