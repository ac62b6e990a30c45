using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

[ProtoContract]
public sealed class Puppy : Dog
{
    [ProtoMember(1, IsRequired = true)]
    public double Weight { get; set; }
}
