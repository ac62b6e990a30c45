using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

[ProtoContract]
public sealed class KeepingDerived : KeepingBase
{
    public UnknownFields? OfDerived { get; private set; }
}
