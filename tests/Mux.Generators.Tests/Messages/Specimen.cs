using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>A member for every way in which a value can be written.</summary>
[ProtoContract]
public sealed class Specimen
{
    [ProtoMember(1)]
    public bool Boolean { get; set; }

    [ProtoMember(2)]
    public char Character { get; set; }

    [ProtoMember(3)]
    public sbyte Tiny { get; set; }

    [ProtoMember(4, DataFormat = DataFormat.ZigZag)]
    public short ZigZagShort { get; set; }

    [ProtoMember(5, DataFormat = DataFormat.FixedSize)]
    public ushort FixedUnsignedShort { get; set; }

    [ProtoMember(6)]
    public int Number { get; set; }

    [ProtoMember(7, DataFormat = DataFormat.ZigZag)]
    public int ZigZag { get; set; }

    [ProtoMember(8, DataFormat = DataFormat.FixedSize)]
    public int Fixed { get; set; }

    [ProtoMember(9)]
    public ulong Large { get; set; }

    [ProtoMember(10, DataFormat = DataFormat.ZigZag)]
    public long ZigZagLarge { get; set; }

    [ProtoMember(11, DataFormat = DataFormat.FixedSize)]
    public long FixedLarge { get; set; }

    [ProtoMember(12)]
    public nint Native { get; set; }

    [ProtoMember(13)]
    public float Small { get; set; }

    [ProtoMember(14)]
    public double Precise { get; set; }

    [ProtoMember(15)]
    public Grade Grade { get; set; }

    [ProtoMember(16)]
    public string? Text { get; set; }

    [ProtoMember(17)]
    public byte[]? Bytes { get; set; }

    [ProtoMember(18)]
    public Leaf? Leaf { get; set; }

    [ProtoMember(19, DataFormat = DataFormat.Group)]
    public Leaf? GroupedLeaf { get; set; }

    [ProtoMember(20)]
    public Specimen? Inner { get; set; }

    [ProtoMember(21)]
    public Point Point { get; set; }

    [ProtoMember(22)]
    public Point? MaybePoint { get; set; }

    [ProtoMember(23)]
    public long? MaybeNumber { get; set; }

    [ProtoMember(24)]
    public Grade? MaybeGrade { get; set; }

    [ProtoMember(25)]
    public List<int>? Numbers { get; set; }

    [ProtoMember(26, IsPacked = true, DataFormat = DataFormat.ZigZag)]
    public long[]? PackedNumbers { get; set; }

    [ProtoMember(27, IsPacked = true)]
    public List<double>? PackedDoubles { get; set; }

    [ProtoMember(28, IsPacked = true, DataFormat = DataFormat.FixedSize)]
    public uint[]? PackedFixed { get; set; }

    [ProtoMember(29, IsPacked = true)]
    public List<Grade>? PackedGrades { get; set; }

    [ProtoMember(30)]
    public List<string>? Texts { get; set; }

    [ProtoMember(31)]
    public byte[][]? Blobs { get; set; }

    [ProtoMember(32)]
    public List<Leaf>? Leaves { get; set; }

    [ProtoMember(33, DataFormat = DataFormat.Group)]
    public Leaf[]? GroupedLeaves { get; set; }

    [ProtoMember(34)]
    public List<Point>? Points { get; set; }

    [ProtoMember(3000)]
    public string? Far { get; set; }

    [ProtoMember(536870911)]
    public int Farthest { get; set; }
}
