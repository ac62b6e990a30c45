using System.Runtime.Serialization;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>A positional record with a member beside its parameters.</summary>
[DataContract]
public sealed record Leaf([property: DataMember(Order = 1)] string? Name, [property: DataMember(Order = 2)] int Weight)
{
    [DataMember(Order = 3)]
    public List<int>? Rings { get; init; }
}
