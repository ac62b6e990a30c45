using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Numbers that may be null.</summary>
[ProtoContract]
public sealed class OptionalNumbers
{
    [ProtoMember(1)]
    public bool? Boolean { get; set; }

    [ProtoMember(2)]
    public char? Character { get; set; }

    [ProtoMember(3, DataFormat = DataFormat.ZigZag)]
    public sbyte? ZigZagSByte { get; set; }

    [ProtoMember(4)]
    public byte? Byte { get; set; }

    [ProtoMember(5, DataFormat = DataFormat.FixedSize)]
    public short? FixedInt16 { get; set; }

    [ProtoMember(6)]
    public ushort? UInt16 { get; set; }

    [ProtoMember(7)]
    public int? Int32 { get; set; }

    [ProtoMember(8)]
    public uint? UInt32 { get; set; }

    [ProtoMember(9, DataFormat = DataFormat.ZigZag)]
    public long? ZigZagInt64 { get; set; }

    [ProtoMember(10, DataFormat = DataFormat.FixedSize)]
    public ulong? FixedUInt64 { get; set; }

    [ProtoMember(11)]
    public float? Single { get; set; }

    [ProtoMember(12)]
    public double? Double { get; set; }

    [ProtoMember(13)]
    public Level? Level { get; set; }

    [ProtoMember(14)]
    public ULongEnum? ULongEnum { get; set; }
}
