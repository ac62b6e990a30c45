using System.Buffers.Binary;
using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Mux.Serialization;

/// <summary>
/// Writes fields of bounded size one after the other behind a single check of the space, between
/// <see cref="FieldEncoder.BeginFields"/> and <see cref="FieldEncoder.EndFields"/>. Nothing is checked here: generated code knows the most
/// that its fields can take. Lives on the stack of one thread.
/// </summary>
/// <remarks>Tags are constants, so the code for their size folds away. Tag 0 writes none, for the items of a packed block.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct FieldRun
{
    private ref byte _next;

    internal FieldRun(ref byte start)
    {
        _next = ref start;
    }

    internal readonly ref byte Next => ref _next;

    /// <summary>Writes a bool: the tag and 1 byte.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Boolean(uint tag, bool value)
    {
        Tag(tag);
        _next = value ? (byte)1 : (byte)0;
        _next = ref Unsafe.Add(ref _next, 1);
    }

    /// <summary>Writes a signed number of up to 32 bits: the tag and 1 to 5 bytes, 10 if it is negative.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Varint(uint tag, int value)
    {
        Tag(tag);
        Value((ulong)value);
    }

    /// <summary>Writes an unsigned number of up to 32 bits: the tag and 1 to 5 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Varint(uint tag, uint value)
    {
        Tag(tag);
        Value(value);
    }

    /// <summary>Writes a signed number of 64 bits: the tag and 1 to 10 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Varint(uint tag, long value)
    {
        Tag(tag);
        Value((ulong)value);
    }

    /// <summary>Writes an unsigned number of 64 bits: the tag and 1 to 10 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Varint(uint tag, ulong value)
    {
        Tag(tag);
        Value(value);
    }

    /// <summary>Writes a signed number of up to 32 bits with its sign in the lowest bit: the tag and 1 to 5 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ZigZag(uint tag, int value)
    {
        Tag(tag);
        Value((uint)((value << 1) ^ (value >> 31)));
    }

    /// <summary>Writes a signed number of 64 bits with its sign in the lowest bit: the tag and 1 to 10 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ZigZag(uint tag, long value)
    {
        Tag(tag);
        Value((ulong)((value << 1) ^ (value >> 63)));
    }

    /// <summary>Writes a signed number of up to 32 bits: the tag and 4 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Fixed(uint tag, int value) => Fixed(tag, (uint)value);

    /// <summary>Writes an unsigned number of up to 32 bits: the tag and 4 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Fixed(uint tag, uint value)
    {
        Tag(tag);
        Unsafe.WriteUnaligned(ref _next, BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value));
        _next = ref Unsafe.Add(ref _next, sizeof(uint));
    }

    /// <summary>Writes a signed number of 64 bits: the tag and 8 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Fixed(uint tag, long value) => Fixed(tag, (ulong)value);

    /// <summary>Writes an unsigned number of 64 bits: the tag and 8 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Fixed(uint tag, ulong value)
    {
        Tag(tag);
        Unsafe.WriteUnaligned(ref _next, BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value));
        _next = ref Unsafe.Add(ref _next, sizeof(ulong));
    }

    /// <summary>Writes a float: the tag and 4 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Fixed(uint tag, float value) => Fixed(tag, BitConverter.SingleToUInt32Bits(value));

    /// <summary>Writes a double: the tag and 8 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Fixed(uint tag, double value) => Fixed(tag, BitConverter.DoubleToUInt64Bits(value));

    /// <summary>Writes a tag or a length: 1 to 5 bytes, nothing for 0.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Tag(uint tag)
    {
        if (tag != 0) Value(tag);
    }

    /// <summary>Writes a varint of 1 to 10 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Value(ulong value)
    {
        if (value >= 0x80)
        {
            _next = ref ValueSlow(ref _next, value);
            return;
        }

        _next = (byte)value;
        _next = ref Unsafe.Add(ref _next, 1);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte ValueSlow(ref byte next, ulong value)
    {
        for (; value >= 0x80; value >>= 7)
        {
            next = (byte)(value | 0x80);
            next = ref Unsafe.Add(ref next, 1);
        }

        next = (byte)value;
        return ref Unsafe.Add(ref next, 1);
    }
}
