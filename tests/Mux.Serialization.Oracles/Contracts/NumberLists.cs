using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Lists and arrays whose items stand behind a tag each.</summary>
[ProtoContract]
public sealed class NumberLists
{
    [ProtoMember(1)]
    public List<bool>? Booleans { get; set; }

    [ProtoMember(2)]
    public char[]? Characters { get; set; }

    [ProtoMember(3, DataFormat = DataFormat.ZigZag)]
    public List<sbyte>? ZigZagSBytes { get; set; }

    [ProtoMember(4, DataFormat = DataFormat.FixedSize)]
    public ushort[]? FixedUInt16s { get; set; }

    [ProtoMember(5)]
    public List<int>? Int32s { get; set; }

    [ProtoMember(6)]
    public uint[]? UInt32s { get; set; }

    [ProtoMember(7, DataFormat = DataFormat.ZigZag)]
    public List<long>? ZigZagInt64s { get; set; }

    [ProtoMember(8, DataFormat = DataFormat.FixedSize)]
    public long[]? FixedInt64s { get; set; }

    [ProtoMember(9)]
    public List<ulong>? UInt64s { get; set; }

    [ProtoMember(10)]
    public float[]? Singles { get; set; }

    [ProtoMember(11)]
    public List<double>? Doubles { get; set; }

    [ProtoMember(12)]
    public Level[]? Levels { get; set; }

    [ProtoMember(13)]
    public List<LongEnum>? LongEnums { get; set; }
}
