using System.Runtime.Serialization;

namespace Mux.Generators.Tests.Messages;

/// <summary>Numbers and texts alone: written and read in place wherever it stands.</summary>
[DataContract]
public sealed class Seed
{
    [DataMember(Order = 1)]
    public string? Name { get; set; }

    [DataMember(Order = 2)]
    public int Weight { get; set; }

    [DataMember(Order = 3)]
    public double Price { get; set; }
}
