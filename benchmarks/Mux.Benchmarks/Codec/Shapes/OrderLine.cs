using System.Runtime.Serialization;

namespace Mux.Benchmarks.Codec.Shapes;

[DataContract]
public sealed class OrderLine
{
    [DataMember(Order = 1)]
    public string? Product { get; set; }

    [DataMember(Order = 2)]
    public int Count { get; set; }

    [DataMember(Order = 3)]
    public double Price { get; set; }
}
