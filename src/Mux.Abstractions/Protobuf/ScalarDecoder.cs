using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Mux.Protobuf;

/// <summary>
/// Reads numbers for generated code. The tag says how a number is written: integers are read from varints and from fixed-size fields, floating-point numbers
/// from both sizes, whatever the member declares. A value that its type cannot hold is rejected.
/// </summary>
/// <remarks>Generated code passes the expected tag as a constant, so that only its branch remains.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ScalarDecoder
{
    /// <summary>Reads a bool: any number except 0 is true.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool ReadBoolean(this ref MessageReader reader, uint tag) => reader.ReadUInt32(tag) != 0;

    /// <summary>Reads a char: the number of its UTF-16 code unit.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static char ReadChar(this ref MessageReader reader, uint tag) => (char)reader.ReadUInt16(tag);

    /// <summary>Reads a byte.</summary>
    public static byte ReadByte(this ref MessageReader reader, uint tag)
    {
        uint value = reader.ReadUInt32(tag);
        if (value > byte.MaxValue) reader.ThrowRange("byte");
        return (byte)value;
    }

    /// <summary>Reads a ushort.</summary>
    public static ushort ReadUInt16(this ref MessageReader reader, uint tag)
    {
        uint value = reader.ReadUInt32(tag);
        if (value > ushort.MaxValue) reader.ThrowRange("ushort");
        return (ushort)value;
    }

    /// <summary>Reads an sbyte.</summary>
    public static sbyte ReadSByte(this ref MessageReader reader, uint tag) => reader.ToSByte(reader.ReadInt32(tag));

    /// <summary>Reads an sbyte whose member is declared zigzag.</summary>
    public static sbyte ReadZigZagSByte(this ref MessageReader reader, uint tag) => reader.ToSByte(reader.ReadZigZagInt32(tag));

    /// <summary>Reads a short.</summary>
    public static short ReadInt16(this ref MessageReader reader, uint tag) => reader.ToInt16(reader.ReadInt32(tag));

    /// <summary>Reads a short whose member is declared zigzag.</summary>
    public static short ReadZigZagInt16(this ref MessageReader reader, uint tag) => reader.ToInt16(reader.ReadZigZagInt32(tag));

    /// <summary>Reads an int.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ReadInt32(this ref MessageReader reader, uint tag)
    {
        return (tag & 7) == (uint)WireType.Varint ? (int)reader.ReadVarint32() : reader.ReadFixedInt32(tag);
    }

    /// <summary>Reads an int whose member is declared zigzag; only varints are zigzag.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ReadZigZagInt32(this ref MessageReader reader, uint tag)
    {
        if ((tag & 7) != (uint)WireType.Varint) return reader.ReadFixedInt32(tag);
        uint value = reader.ReadVarint32();
        return (int)(value >> 1) ^ -(int)(value & 1);
    }

    /// <summary>Reads a uint.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint ReadUInt32(this ref MessageReader reader, uint tag)
    {
        return (tag & 7) == (uint)WireType.Varint ? reader.ReadVarint32() : reader.ReadFixedUInt32(tag);
    }

    /// <summary>Reads a long.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long ReadInt64(this ref MessageReader reader, uint tag)
    {
        return (tag & 7) == (uint)WireType.Varint ? (long)reader.ReadVarint64() : reader.ReadFixedInt64(tag);
    }

    /// <summary>Reads a long whose member is declared zigzag; only varints are zigzag.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long ReadZigZagInt64(this ref MessageReader reader, uint tag)
    {
        if ((tag & 7) != (uint)WireType.Varint) return reader.ReadFixedInt64(tag);
        ulong value = reader.ReadVarint64();
        return (long)(value >> 1) ^ -(long)(value & 1);
    }

    /// <summary>Reads a ulong.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong ReadUInt64(this ref MessageReader reader, uint tag)
    {
        return (tag & 7) == (uint)WireType.Varint ? reader.ReadVarint64() : reader.ReadFixedUInt64(tag);
    }

    /// <summary>Reads an nint.</summary>
    public static nint ReadIntPtr(this ref MessageReader reader, uint tag) => reader.ToIntPtr(reader.ReadInt64(tag));

    /// <summary>Reads an nint whose member is declared zigzag.</summary>
    public static nint ReadZigZagIntPtr(this ref MessageReader reader, uint tag) => reader.ToIntPtr(reader.ReadZigZagInt64(tag));

    /// <summary>Reads an nuint.</summary>
    public static nuint ReadUIntPtr(this ref MessageReader reader, uint tag)
    {
        ulong value = reader.ReadUInt64(tag);
        if (value > nuint.MaxValue) reader.ThrowRange("nuint");
        return (nuint)value;
    }

    /// <summary>Reads a float. A double is rounded, and rejected if it is too large.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static float ReadSingle(this ref MessageReader reader, uint tag)
    {
        return (tag & 7) == (uint)WireType.Fixed32 ? BitConverter.UInt32BitsToSingle(reader.ReadFixed32()) : reader.ReadRounded(tag);
    }

    /// <summary>Reads a double.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static double ReadDouble(this ref MessageReader reader, uint tag)
    {
        return (tag & 7) == (uint)WireType.Fixed64 ? BitConverter.UInt64BitsToDouble(reader.ReadFixed64()) : reader.ReadWidened(tag);
    }

    /// <summary>Reads a bool of an imported message: any number of up to 64 bits except 0 is true.</summary>
    /// <remarks>
    /// This and the methods below read one wire type. As protobuf does, they cut a varint of up to 64 bits to the bits
    /// of the type, so that a field whose writer has a larger type is read.
    /// </remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool ReadCutBoolean(this ref MessageReader reader, uint tag)
    {
        if ((tag & 7) != (uint)WireType.Varint) reader.ThrowWireType(tag);
        return reader.ReadVarint64() != 0;
    }

    /// <inheritdoc cref="ReadInt32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ReadCutInt32(this ref MessageReader reader, uint tag)
    {
        if ((tag & 7) != (uint)WireType.Varint) reader.ThrowWireType(tag);
        return (int)reader.ReadVarint64();
    }

    /// <inheritdoc cref="ReadUInt32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint ReadCutUInt32(this ref MessageReader reader, uint tag)
    {
        if ((tag & 7) != (uint)WireType.Varint) reader.ThrowWireType(tag);
        return (uint)reader.ReadVarint64();
    }

    /// <inheritdoc cref="ReadZigZagInt32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int ReadCutZigZagInt32(this ref MessageReader reader, uint tag)
    {
        uint value = reader.ReadCutUInt32(tag);
        return (int)(value >> 1) ^ -(int)(value & 1);
    }

    private static sbyte ToSByte(this ref MessageReader reader, int value)
    {
        if (value is < sbyte.MinValue or > sbyte.MaxValue) reader.ThrowRange("sbyte");
        return (sbyte)value;
    }

    private static short ToInt16(this ref MessageReader reader, int value)
    {
        if (value is < short.MinValue or > short.MaxValue) reader.ThrowRange("short");
        return (short)value;
    }

    private static nint ToIntPtr(this ref MessageReader reader, long value)
    {
        if (value < nint.MinValue || value > nint.MaxValue) reader.ThrowRange("nint");
        return (nint)value;
    }

    private static int ReadFixedInt32(this ref MessageReader reader, uint tag)
    {
        long value = reader.ReadFixedInt64(tag);
        if (value is < int.MinValue or > int.MaxValue) reader.ThrowRange("int");
        return (int)value;
    }

    private static uint ReadFixedUInt32(this ref MessageReader reader, uint tag)
    {
        ulong value = reader.ReadFixedUInt64(tag);
        if (value > uint.MaxValue) reader.ThrowRange("uint");
        return (uint)value;
    }

    private static long ReadFixedInt64(this ref MessageReader reader, uint tag)
    {
        if ((tag & 7) == (uint)WireType.Fixed32) return (int)reader.ReadFixed32();
        if ((tag & 7) != (uint)WireType.Fixed64) reader.ThrowWireType(tag);
        return (long)reader.ReadFixed64();
    }

    private static ulong ReadFixedUInt64(this ref MessageReader reader, uint tag)
    {
        if ((tag & 7) == (uint)WireType.Fixed32) return reader.ReadFixed32();
        if ((tag & 7) != (uint)WireType.Fixed64) reader.ThrowWireType(tag);
        return reader.ReadFixed64();
    }

    private static float ReadRounded(this ref MessageReader reader, uint tag)
    {
        if ((tag & 7) != (uint)WireType.Fixed64) reader.ThrowWireType(tag);
        double value = BitConverter.UInt64BitsToDouble(reader.ReadFixed64());
        float rounded = (float)value;
        if (float.IsInfinity(rounded) && !double.IsInfinity(value)) reader.ThrowRange("float");
        return rounded;
    }

    private static double ReadWidened(this ref MessageReader reader, uint tag)
    {
        if ((tag & 7) != (uint)WireType.Fixed32) reader.ThrowWireType(tag);
        return BitConverter.UInt32BitsToSingle(reader.ReadFixed32());
    }
}
