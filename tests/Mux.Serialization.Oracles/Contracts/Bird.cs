using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

[ProtoContract]
public sealed class Bird : Animal
{
    [ProtoMember(1)]
    public bool Flies { get; set; }
}
