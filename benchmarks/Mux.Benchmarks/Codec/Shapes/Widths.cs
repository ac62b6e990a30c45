using System.Runtime.Serialization;

namespace Mux.Benchmarks.Codec.Shapes;

/// <summary>A number of every width: varints of 1, 2, 3, 4, 5, 8 and 10 bytes, a bool, an enum, an optional number and both fixed sizes.</summary>
[DataContract]
public sealed class Widths
{
    [DataMember(Order = 1)]
    public int One { get; set; }

    [DataMember(Order = 2)]
    public int Two { get; set; }

    [DataMember(Order = 3)]
    public uint Three { get; set; }

    [DataMember(Order = 4)]
    public int Four { get; set; }

    [DataMember(Order = 5)]
    public uint Five { get; set; }

    [DataMember(Order = 6)]
    public long Eight { get; set; }

    [DataMember(Order = 7)]
    public int Ten { get; set; }

    [DataMember(Order = 8)]
    public bool Flag { get; set; }

    [DataMember(Order = 9)]
    public DayOfWeek Day { get; set; }

    [DataMember(Order = 10)]
    public long? Optional { get; set; }

    [DataMember(Order = 11)]
    public float Ratio { get; set; }

    [DataMember(Order = 12)]
    public double Sum { get; set; }

    public static Widths Example() => new()
    {
        One = 100,
        Two = 10_000,
        Three = 1_000_000,
        Four = 200_000_000,
        Five = 4_000_000_000,
        Eight = 50_000_000_000_000_000,
        Ten = -1,
        Flag = true,
        Day = DayOfWeek.Friday,
        Optional = 1_700_000_000,
        Ratio = 1.5f,
        Sum = 2.5,
    };
}
