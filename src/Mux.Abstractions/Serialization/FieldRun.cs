using System.Buffers.Binary;
using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Mux.Serialization;

/// <summary>
/// Writes numbers and short texts one after the other, between <see cref="FieldEncoder.BeginFields"/> and
/// <see cref="FieldEncoder.EndFields"/>. Numbers are not checked: generated code knows the most that a row of them can take, and asks for
/// it once with <see cref="HasRoom"/>. Texts are checked one by one. Lives on the stack of one thread.
/// </summary>
/// <remarks>
/// Tags are constants, so the code for their size folds away. Tag 0 writes none, for the items of a packed block. Nothing here may be given
/// by reference to code that is not inlined: then both ends stay in registers.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct FieldRun
{
    // Never above _end: whoever writes numbers has asked for their room.
    private ref byte _next;
    private readonly ref byte _end;

    internal FieldRun(ref byte start, int room)
    {
        _next = ref start;
        _end = ref Unsafe.Add(ref start, room);
    }

    internal readonly ref byte Next => ref _next;

    private readonly nint Room => Unsafe.ByteOffset(ref _next, ref _end);

    /// <summary>Whether fields that take at most <paramref name="size"/> bytes together can be written; if not, <see cref="FieldEncoder.Continue"/> makes room.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool HasRoom(int size) => Room >= size;

    /// <summary>Writes a string if it is short ASCII and fits: the tag, 1 byte and 1 byte for each character.</summary>
    /// <returns>False if nothing was written; <see cref="TextEncoder.WriteString(ref MessageWriter, FieldRun, uint, string)"/> writes any string.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryText(uint tag, string value)
    {
        const int maxLength = 127; // fits into one byte
        int header = WireSize.Varint32(tag) + 1;

        // Proof for all that follows: the header and a byte for each character lie before _end.
        if (value.Length > maxLength || Room < header + value.Length) return false;
        if (!AsciiText.TryNarrow(value, ref Unsafe.Add(ref _next, header))) return false;
        Tag(tag);
        _next = (byte)value.Length;
        _next = ref Unsafe.Add(ref _next, 1 + value.Length);
        return true;
    }

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
        if (tag is >= 0x80 and < 0x4000)
        {
            ushort both = (ushort)((tag & 0x7f) | 0x80 | ((tag >> 7) << 8)); // a constant
            Unsafe.WriteUnaligned(ref _next, BitConverter.IsLittleEndian ? both : BinaryPrimitives.ReverseEndianness(both));
            _next = ref Unsafe.Add(ref _next, sizeof(ushort));
        }
        else if (tag != 0) Value(tag);
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
