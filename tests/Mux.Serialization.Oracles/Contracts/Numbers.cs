using ProtoBuf;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>Every number in every format.</summary>
[ProtoContract]
public sealed class Numbers
{
    [ProtoMember(1)]
    public bool Boolean { get; set; }

    [ProtoMember(2)]
    public char Character { get; set; }

    [ProtoMember(3)]
    public sbyte SByte { get; set; }

    [ProtoMember(4, DataFormat = DataFormat.ZigZag)]
    public sbyte ZigZagSByte { get; set; }

    [ProtoMember(5, DataFormat = DataFormat.FixedSize)]
    public sbyte FixedSByte { get; set; }

    [ProtoMember(6)]
    public byte Byte { get; set; }

    [ProtoMember(7, DataFormat = DataFormat.FixedSize)]
    public byte FixedByte { get; set; }

    [ProtoMember(8)]
    public short Int16 { get; set; }

    [ProtoMember(9, DataFormat = DataFormat.ZigZag)]
    public short ZigZagInt16 { get; set; }

    [ProtoMember(10, DataFormat = DataFormat.FixedSize)]
    public short FixedInt16 { get; set; }

    [ProtoMember(11)]
    public ushort UInt16 { get; set; }

    [ProtoMember(12, DataFormat = DataFormat.FixedSize)]
    public ushort FixedUInt16 { get; set; }

    [ProtoMember(13)]
    public int Int32 { get; set; }

    [ProtoMember(14, DataFormat = DataFormat.ZigZag)]
    public int ZigZagInt32 { get; set; }

    [ProtoMember(15, DataFormat = DataFormat.FixedSize)]
    public int FixedInt32 { get; set; }

    [ProtoMember(16)]
    public uint UInt32 { get; set; }

    [ProtoMember(17, DataFormat = DataFormat.FixedSize)]
    public uint FixedUInt32 { get; set; }

    [ProtoMember(18)]
    public long Int64 { get; set; }

    [ProtoMember(19, DataFormat = DataFormat.ZigZag)]
    public long ZigZagInt64 { get; set; }

    [ProtoMember(20, DataFormat = DataFormat.FixedSize)]
    public long FixedInt64 { get; set; }

    [ProtoMember(21)]
    public ulong UInt64 { get; set; }

    [ProtoMember(22, DataFormat = DataFormat.FixedSize)]
    public ulong FixedUInt64 { get; set; }

    [ProtoMember(23)]
    public nint Native { get; set; }

    [ProtoMember(24, DataFormat = DataFormat.ZigZag)]
    public nint ZigZagNative { get; set; }

    [ProtoMember(25, DataFormat = DataFormat.FixedSize)]
    public nint FixedNative { get; set; }

    [ProtoMember(26)]
    public nuint UNative { get; set; }

    [ProtoMember(27, DataFormat = DataFormat.FixedSize)]
    public nuint FixedUNative { get; set; }

    [ProtoMember(28)]
    public float Single { get; set; }

    [ProtoMember(29)]
    public double Double { get; set; }

    [ProtoMember(30)]
    public Level Level { get; set; }

    [ProtoMember(31)]
    public TinyEnum TinyEnum { get; set; }

    [ProtoMember(32)]
    public ByteEnum ByteEnum { get; set; }

    [ProtoMember(33)]
    public ShortEnum ShortEnum { get; set; }

    [ProtoMember(34)]
    public UShortEnum UShortEnum { get; set; }

    [ProtoMember(35)]
    public UIntEnum UIntEnum { get; set; }

    [ProtoMember(36)]
    public LongEnum LongEnum { get; set; }

    [ProtoMember(37)]
    public ULongEnum ULongEnum { get; set; }

    [ProtoMember(3000)]
    public int Far { get; set; }

    [ProtoMember(536870911, DataFormat = DataFormat.FixedSize)]
    public long Farthest { get; set; }
}
