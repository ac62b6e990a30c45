using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Lists and arrays in one block.</summary>
[ProtoContract]
public sealed class PackedNumbers
{
    [ProtoMember(1, IsPacked = true)]
    public List<bool>? Booleans { get; set; }

    [ProtoMember(2, IsPacked = true)]
    public char[]? Characters { get; set; }

    [ProtoMember(3, IsPacked = true, DataFormat = DataFormat.ZigZag)]
    public List<sbyte>? ZigZagSBytes { get; set; }

    [ProtoMember(4, IsPacked = true, DataFormat = DataFormat.FixedSize)]
    public ushort[]? FixedUInt16s { get; set; }

    [ProtoMember(5, IsPacked = true)]
    public List<int>? Int32s { get; set; }

    [ProtoMember(6, IsPacked = true)]
    public uint[]? UInt32s { get; set; }

    [ProtoMember(7, IsPacked = true, DataFormat = DataFormat.ZigZag)]
    public List<long>? ZigZagInt64s { get; set; }

    [ProtoMember(8, IsPacked = true, DataFormat = DataFormat.FixedSize)]
    public long[]? FixedInt64s { get; set; }

    [ProtoMember(9, IsPacked = true, DataFormat = DataFormat.FixedSize)]
    public List<uint>? FixedUInt32s { get; set; }

    [ProtoMember(10, IsPacked = true)]
    public ulong[]? UInt64s { get; set; }

    [ProtoMember(11, IsPacked = true)]
    public List<float>? Singles { get; set; }

    [ProtoMember(12, IsPacked = true)]
    public double[]? Doubles { get; set; }

    [ProtoMember(13, IsPacked = true)]
    public List<Level>? Levels { get; set; }

    [ProtoMember(14, IsPacked = true)]
    public ULongEnum[]? ULongEnums { get; set; }

    [ProtoMember(2048, IsPacked = true, DataFormat = DataFormat.ZigZag)]
    public int[]? ZigZagInt32s { get; set; }
}
