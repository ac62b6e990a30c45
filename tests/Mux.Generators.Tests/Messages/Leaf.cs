using System.Runtime.Serialization;

namespace Mux.Generators.Tests.Messages;

/// <summary>A positional record: made by its constructor once everything is read.</summary>
[DataContract]
public sealed record Leaf([property: DataMember(Order = 1)] string? Name, [property: DataMember(Order = 2)] int Weight)
{
    [DataMember(Order = 3)]
    public List<int> Rings { get; init; } = [];
}
