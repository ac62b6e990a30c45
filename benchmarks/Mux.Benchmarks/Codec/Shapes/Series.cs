using ProtoBuf;

namespace Mux.Benchmarks.Codec.Shapes;

/// <summary>Two packed lists, of varints and of bytes copied as they are.</summary>
[ProtoContract]
public sealed class Series
{
    [ProtoMember(1)]
    public int Id { get; set; }

    [ProtoMember(2, IsPacked = true)]
    public List<int>? Counts { get; set; }

    [ProtoMember(3, IsPacked = true)]
    public double[]? Values { get; set; }

    public static Series Example() => new()
    {
        Id = 7,
        Counts = [.. Enumerable.Range(0, 40).Select(static i => i * i)],
        Values = [.. Enumerable.Range(0, 20).Select(static i => i + 0.5)],
    };
}
