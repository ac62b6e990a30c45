using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Mux.Protobuf;

/// <summary>Reads one number of a list. A struct implements it, so that the code of a list is compiled for its numbers.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface INumberReader<T>
{
    /// <summary>Reads a number after its tag.</summary>
    static abstract T Read(ref MessageReader reader, uint tag);
}

/// <summary>Reads an enum as a number of the same size.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct EnumNumber<TEnum, T, TReader> : INumberReader<TEnum>
    where TEnum : struct
    where T : struct
    where TReader : struct, INumberReader<T>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static TEnum Read(ref MessageReader reader, uint tag) => Unsafe.BitCast<T, TEnum>(TReader.Read(ref reader, tag));
}

/// <summary>Calls the method of this name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct BooleanNumber : INumberReader<bool>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Read(ref MessageReader reader, uint tag) => reader.ReadBoolean(tag);
}

/// <summary>Calls the method of this name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct CharNumber : INumberReader<char>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static char Read(ref MessageReader reader, uint tag) => reader.ReadChar(tag);
}

/// <summary>Calls the method of this name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct SByteNumber : INumberReader<sbyte>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static sbyte Read(ref MessageReader reader, uint tag) => reader.ReadSByte(tag);
}

/// <summary>Calls the method of this name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ByteNumber : INumberReader<byte>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte Read(ref MessageReader reader, uint tag) => reader.ReadByte(tag);
}

/// <summary>Calls the method of this name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct Int16Number : INumberReader<short>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static short Read(ref MessageReader reader, uint tag) => reader.ReadInt16(tag);
}

/// <summary>Calls the method of this name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct UInt16Number : INumberReader<ushort>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ushort Read(ref MessageReader reader, uint tag) => reader.ReadUInt16(tag);
}

/// <summary>Calls the method of this name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct Int32Number : INumberReader<int>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Read(ref MessageReader reader, uint tag) => reader.ReadInt32(tag);
}

/// <summary>Calls the method of this name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct UInt32Number : INumberReader<uint>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static uint Read(ref MessageReader reader, uint tag) => reader.ReadUInt32(tag);
}

/// <summary>Calls the method of this name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct Int64Number : INumberReader<long>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Read(ref MessageReader reader, uint tag) => reader.ReadInt64(tag);
}

/// <summary>Calls the method of this name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct UInt64Number : INumberReader<ulong>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Read(ref MessageReader reader, uint tag) => reader.ReadUInt64(tag);
}

/// <summary>Calls the method of this name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct IntPtrNumber : INumberReader<nint>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static nint Read(ref MessageReader reader, uint tag) => reader.ReadIntPtr(tag);
}

/// <summary>Calls the method of this name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct UIntPtrNumber : INumberReader<nuint>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static nuint Read(ref MessageReader reader, uint tag) => reader.ReadUIntPtr(tag);
}

/// <summary>Calls the method of this name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct SingleNumber : INumberReader<float>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static float Read(ref MessageReader reader, uint tag) => reader.ReadSingle(tag);
}

/// <summary>Calls the method of this name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct DoubleNumber : INumberReader<double>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static double Read(ref MessageReader reader, uint tag) => reader.ReadDouble(tag);
}

/// <summary>Calls the method of this name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ZigZagSByteNumber : INumberReader<sbyte>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static sbyte Read(ref MessageReader reader, uint tag) => reader.ReadZigZagSByte(tag);
}

/// <summary>Calls the method of this name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ZigZagInt16Number : INumberReader<short>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static short Read(ref MessageReader reader, uint tag) => reader.ReadZigZagInt16(tag);
}

/// <summary>Calls the method of this name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ZigZagInt32Number : INumberReader<int>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Read(ref MessageReader reader, uint tag) => reader.ReadZigZagInt32(tag);
}

/// <summary>Calls the method of this name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ZigZagInt64Number : INumberReader<long>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Read(ref MessageReader reader, uint tag) => reader.ReadZigZagInt64(tag);
}

/// <summary>Calls the method of this name.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct ZigZagIntPtrNumber : INumberReader<nint>
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static nint Read(ref MessageReader reader, uint tag) => reader.ReadZigZagIntPtr(tag);
}
