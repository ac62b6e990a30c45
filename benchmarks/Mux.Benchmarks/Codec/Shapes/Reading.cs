using System.Runtime.Serialization;

namespace Mux.Benchmarks.Codec.Shapes;

[DataContract]
public sealed class Reading
{
    [DataMember(Order = 1)]
    public int Sensor { get; set; }

    [DataMember(Order = 2)]
    public double Value { get; set; }
}
