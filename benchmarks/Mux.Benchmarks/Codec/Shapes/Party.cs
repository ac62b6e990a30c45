using System.Runtime.Serialization;

namespace Mux.Benchmarks.Codec.Shapes;

[DataContract]
public sealed class Party
{
    [DataMember(Order = 1)]
    public string? Name { get; set; }

    [DataMember(Order = 2)]
    public string? City { get; set; }
}
