using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Members that are written as another type.</summary>
[ProtoContract]
public sealed class Surrogates
{
    [ProtoMember(1)]
    public Spot? Spot { get; set; }

    [ProtoMember(2)]
    public List<Spot>? Spots { get; set; }

    [ProtoMember(3)]
    public Moment Moment { get; set; }
}
