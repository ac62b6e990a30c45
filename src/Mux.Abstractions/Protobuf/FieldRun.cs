using System.Buffers.Binary;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>
/// Writes numbers and short texts one after the other, between <see cref="FieldEncoder.BeginFields"/> and <see cref="FieldEncoder.EndFields"/>. Numbers are not
/// checked: generated code knows the maximum size of several numbers and asks for it once with <see cref="HasRoom"/>. Texts are checked one by one. Lives on
/// the stack of one thread.
/// </summary>
/// <remarks>
/// Tags are constants, so the code for their size is folded. Tag 0 writes no tag, for the items of a packed block. The run must not be passed by reference to
/// code that is not inlined: then both of its ends stay in registers.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct FieldRun
{
    // Never above _end: code that writes numbers has asked for their room.
    private ref byte _next;
    private readonly ref byte _end;

    internal FieldRun(ref byte start, int room)
    {
        _next = ref start;
        _end = ref Unsafe.Add(ref start, room);
    }

    internal readonly ref byte Next => ref _next;

    private readonly nint Room => Unsafe.ByteOffset(ref _next, ref _end);

    /// <summary>
    /// True if fields of at most <paramref name="size"/> bytes together can be written; if not, <see cref="FieldEncoder.Continue"/> makes room.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool HasRoom(int size) => Room >= size;

    /// <summary>Writes a string if it is short ASCII and fits: the tag, 1 byte and 1 byte for each character.</summary>
    /// <returns>False if nothing was written; <see cref="TextEncoder.WriteString(ref MessageWriter, FieldRun, uint, string)"/> writes any string.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryText(uint tag, string value)
    {
        // The place is written twice instead of kept in a variable: with one, the JIT keeps the run on the stack. The first byte of a two-byte tag is written
        // here, where Room has confirmed that it fits, the second with the text.
        if (tag >= 0x4000 || (tag >= 0x80 && Room == 0)) return false;
        if (tag >= 0x80) _next = (byte)(tag | 0x80);
        ref byte next = ref ShortText.TryWrite(value, ref Unsafe.Add(ref _next, tag >= 0x80 ? 1 : 0), ref _end, tag >= 0x80 ? tag >> 7 : tag);
        if (Unsafe.IsNullRef(ref next)) return false;
        _next = ref next;
        return true;
    }

    /// <summary>Writes a bool: the tag and 1 byte.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Boolean(uint tag, bool value) => Byte(tag, value ? (byte)1 : (byte)0);

    /// <summary>Writes a signed number of up to 32 bits: the tag and 1 to 5 bytes, 10 if it is negative.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Varint(uint tag, int value)
    {
        if ((uint)value < 0x80) Byte(tag, (byte)value);
        else Large(tag, (ulong)value);
    }

    /// <summary>Writes an unsigned number of up to 32 bits: the tag and 1 to 5 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Varint(uint tag, uint value)
    {
        if (value < 0x80) Byte(tag, (byte)value);
        else Large(tag, value);
    }

    /// <summary>Writes a signed number of 64 bits: the tag and 1 to 10 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Varint(uint tag, long value) => Varint(tag, (ulong)value);

    /// <summary>Writes an unsigned number of 64 bits: the tag and 1 to 10 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Varint(uint tag, ulong value)
    {
        if (value < 0x80) Byte(tag, (byte)value);
        else Large(tag, value);
    }

    /// <summary>Writes a zigzag number of up to 32 bits: the tag and 1 to 5 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ZigZag(uint tag, int value) => Varint(tag, (uint)((value << 1) ^ (value >> 31)));

    /// <summary>Writes a zigzag number of 64 bits: the tag and 1 to 10 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ZigZag(uint tag, long value) => Varint(tag, (ulong)((value << 1) ^ (value >> 63)));

    /// <summary>Writes a signed number of up to 32 bits: the tag and 4 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Fixed(uint tag, int value) => Fixed(tag, (uint)value);

    /// <summary>Writes an unsigned number of up to 32 bits: the tag and 4 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Fixed(uint tag, uint value) => Bytes(tag, BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value));

    /// <summary>Writes a signed number of 64 bits: the tag and 8 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Fixed(uint tag, long value) => Fixed(tag, (ulong)value);

    /// <summary>Writes an unsigned number of 64 bits: the tag and 8 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Fixed(uint tag, ulong value) => Bytes(tag, BitConverter.IsLittleEndian ? value : BinaryPrimitives.ReverseEndianness(value));

    /// <summary>Writes a float: the tag and 4 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Fixed(uint tag, float value)
    {
        if (BitConverter.IsLittleEndian) Bytes(tag, value);
        else Fixed(tag, BitConverter.SingleToUInt32Bits(value));
    }

    /// <summary>Writes a double: the tag and 8 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Fixed(uint tag, double value)
    {
        if (BitConverter.IsLittleEndian) Bytes(tag, value);
        else Fixed(tag, BitConverter.DoubleToUInt64Bits(value));
    }

    /// <summary>Writes a number unless it is zero.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void VarintUnlessZero(uint tag, int value)
    {
        if (value != 0) Varint(tag, value);
    }

    /// <summary>Writes a number unless it is zero.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void VarintUnlessZero(uint tag, uint value)
    {
        if (value != 0) Varint(tag, value);
    }

    /// <summary>Writes a number unless it is zero.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void VarintUnlessZero(uint tag, long value)
    {
        if (value != 0) Varint(tag, value);
    }

    /// <summary>Writes a number unless it is zero.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void VarintUnlessZero(uint tag, ulong value)
    {
        if (value != 0) Varint(tag, value);
    }

    /// <summary>Writes a zigzag number unless it is zero.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ZigZagUnlessZero(uint tag, int value)
    {
        if (value != 0) ZigZag(tag, value);
    }

    /// <summary>Writes a zigzag number unless it is zero.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ZigZagUnlessZero(uint tag, long value)
    {
        if (value != 0) ZigZag(tag, value);
    }

    /// <summary>Writes a number of 4 or 8 bytes unless it is zero.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void FixedUnlessZero(uint tag, int value)
    {
        if (value != 0) Fixed(tag, value);
    }

    /// <summary>Writes a number of 4 or 8 bytes unless it is zero.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void FixedUnlessZero(uint tag, uint value)
    {
        if (value != 0) Fixed(tag, value);
    }

    /// <summary>Writes a number of 4 or 8 bytes unless it is zero.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void FixedUnlessZero(uint tag, long value)
    {
        if (value != 0) Fixed(tag, value);
    }

    /// <summary>Writes a number of 4 or 8 bytes unless it is zero.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void FixedUnlessZero(uint tag, ulong value)
    {
        if (value != 0) Fixed(tag, value);
    }

    /// <summary>Writes a number of 4 or 8 bytes unless it is zero.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void FixedUnlessZero(uint tag, float value)
    {
        if (value != 0) Fixed(tag, value);
    }

    /// <summary>Writes a number of 4 or 8 bytes unless it is zero.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void FixedUnlessZero(uint tag, double value)
    {
        if (value != 0) Fixed(tag, value);
    }

    /// <summary>Writes a bool unless it is null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void BooleanUnlessNull(uint tag, bool? value)
    {
        if (value is { } number) Boolean(tag, number);
    }

    /// <summary>Writes a number unless it is null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void VarintUnlessNull(uint tag, int? value)
    {
        if (value is { } number) Varint(tag, number);
    }

    /// <summary>Writes a number unless it is null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void VarintUnlessNull(uint tag, uint? value)
    {
        if (value is { } number) Varint(tag, number);
    }

    /// <summary>Writes a number unless it is null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void VarintUnlessNull(uint tag, long? value)
    {
        if (value is { } number) Varint(tag, number);
    }

    /// <summary>Writes a number unless it is null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void VarintUnlessNull(uint tag, ulong? value)
    {
        if (value is { } number) Varint(tag, number);
    }

    /// <summary>Writes a zigzag number unless it is null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ZigZagUnlessNull(uint tag, int? value)
    {
        if (value is { } number) ZigZag(tag, number);
    }

    /// <summary>Writes a zigzag number unless it is null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ZigZagUnlessNull(uint tag, long? value)
    {
        if (value is { } number) ZigZag(tag, number);
    }

    /// <summary>Writes a number of 4 or 8 bytes unless it is null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void FixedUnlessNull(uint tag, int? value)
    {
        if (value is { } number) Fixed(tag, number);
    }

    /// <summary>Writes a number of 4 or 8 bytes unless it is null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void FixedUnlessNull(uint tag, uint? value)
    {
        if (value is { } number) Fixed(tag, number);
    }

    /// <summary>Writes a number of 4 or 8 bytes unless it is null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void FixedUnlessNull(uint tag, long? value)
    {
        if (value is { } number) Fixed(tag, number);
    }

    /// <summary>Writes a number of 4 or 8 bytes unless it is null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void FixedUnlessNull(uint tag, ulong? value)
    {
        if (value is { } number) Fixed(tag, number);
    }

    /// <summary>Writes a number of 4 or 8 bytes unless it is null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void FixedUnlessNull(uint tag, float? value)
    {
        if (value is { } number) Fixed(tag, number);
    }

    /// <summary>Writes a number of 4 or 8 bytes unless it is null.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void FixedUnlessNull(uint tag, double? value)
    {
        if (value is { } number) Fixed(tag, number);
    }

    /// <summary>Ends a message that never takes 128 bytes: writes its length.</summary>
    /// <param name="start">The result of <see cref="FieldEncoder.BeginShortMessage"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly void EndShortMessage(scoped ref byte start) => Unsafe.Add(ref start, -1) = (byte)Unsafe.ByteOffset(ref start, ref _next);

    /// <summary>Writes a tag: 1 to 5 bytes, nothing for 0.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Tag(uint tag) => _next = ref Unsafe.Add(ref _next, PutTag(tag));

    /// <summary>Moves to the end of a field that was written at <see cref="Next"/>, in room that was requested.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void MoveTo([UnscopedRef] ref byte next) => _next = ref next;

    /// <summary>Writes a varint of 1 to 10 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Value(ulong value) => Varint(0, value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Byte(uint tag, byte value)
    {
        int size = PutTag(tag);
        Unsafe.Add(ref _next, size) = value;
        _next = ref Unsafe.Add(ref _next, size + 1);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Bytes<T>(uint tag, T value)
        where T : unmanaged
    {
        int size = PutTag(tag);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref _next, size), value);
        _next = ref Unsafe.Add(ref _next, size + Unsafe.SizeOf<T>());
    }

    // Numbers of two bytes are common and do without a call.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Large(uint tag, ulong value)
    {
        int size = PutTag(tag);
        if (value >= 0x4000)
        {
            _next = ref WriteLarge(ref Unsafe.Add(ref _next, size), value);
            return;
        }

        Unsafe.Add(ref _next, size) = (byte)(value | 0x80);
        Unsafe.Add(ref _next, size + 1) = (byte)(value >> 7);
        _next = ref Unsafe.Add(ref _next, size + 2);
    }

    // Does not move: one step over tag and value costs less than two. Returns the size of the tag, a constant.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private readonly int PutTag(uint tag)
    {
        switch (tag)
        {
            case 0:
                return 0;
            case < 0x80:
                _next = (byte)tag;
                return 1;
            case < 0x4000:
                _next = (byte)(tag | 0x80);
                Unsafe.Add(ref _next, 1) = (byte)(tag >> 7);
                return 2;
            default:
                WriteLarge(ref _next, tag);
                return WireSize.Varint32(tag);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte WriteLarge(ref byte next, ulong value)
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
