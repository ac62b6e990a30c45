using System.Runtime.Serialization;

namespace Mux.Benchmarks.Codec.Shapes;

/// <summary>A thousand small messages.</summary>
[DataContract]
public sealed class Readings
{
    private const int Count = 1000;

    [DataMember(Order = 1)]
    public List<Reading>? Items { get; set; }

    public static Readings Example() => new() { Items = [.. Enumerable.Range(1, Count).Select(static i => new Reading { Sensor = i, Value = i + 0.25 })] };
}
