using System.Buffers.Binary;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;

namespace Mux.Protobuf;

/// <summary>
/// Reads the usual fields of a message fast: in the declared wire type, with the shortest form of the tag, complete, and with short texts. All else is left to
/// <see cref="MessageReader"/>, which reads or rejects it: a method that cannot read a field returns false without moving. Lives on the stack of one thread,
/// between <see cref="FieldDecoder.BeginFields(ref readonly MessageReader)"/> and <see cref="FieldDecoder.EndFields"/>.
/// </summary>
/// <remarks>
/// Tags are constants, so the code for their size is folded. The cursor must be at the tag: <see cref="Tag"/> or <see cref="IsAt"/> has confirmed it, so its
/// bytes are present. The cursor must not be passed by reference to code that is not inlined: then both of its ends stay in registers.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct FieldCursor
{
    private const int MaxSize32 = 5;
    private const int MaxSize64 = 10;

    // Never above _end: moves only over bytes whose presence Room has confirmed.
    private ref byte _next;
    private readonly ref byte _end;

    internal FieldCursor(ref byte next, int room)
    {
        _next = ref next;
        _end = ref Unsafe.Add(ref next, room);
    }

    internal readonly nint Room => Unsafe.ByteOffset(ref _next, ref _end);

    /// <summary>Gets a value indicating whether there are more bytes.</summary>
    public readonly bool HasMore => Unsafe.IsAddressLessThan(ref _next, ref _end);

    /// <summary>
    /// Gets the tag of the next field if it has one byte, or two because it needs them; 0 for any other tag, which the default case handles.
    /// <see cref="HasMore"/> must have been true.
    /// </summary>
    public readonly uint Tag
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get
        {
            uint first = _next;
            if (first < 0x80) return first;
            if (Room < 2) return 0;
            uint second = Unsafe.Add(ref _next, 1);
            return second - 1 < 0x7f ? (second << 7) | (first & 0x7f) : 0;
        }
    }

    /// <summary>True if the next field has this tag in its shortest form.</summary>
    /// <param name="tag">A tag of one or two bytes; longer ones are never found.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool IsAt(uint tag)
    {
        if (tag < 0x80) return HasMore && _next == tag;
        return tag < 0x4000 && Room >= 2 && _next == ((tag & 0x7f) | 0x80) && Unsafe.Add(ref _next, 1) == tag >> 7;
    }

    /// <summary>Reads a number below 128.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TrySmall(uint tag, out uint value)
    {
        int tagSize = WireSize.Varint32(tag);
        value = 0;
        if (Room <= tagSize) return false;
        value = Unsafe.Add(ref _next, tagSize);
        if (value >= 0x80) return false;
        _next = ref Unsafe.Add(ref _next, tagSize + 1);
        return true;
    }

    /// <summary>Reads a number of up to 32 bits that is not negative.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryVarint(uint tag, out int value)
    {
        // The common case returns at once, here and below, so that no flag for the outcome is kept.
        if (TrySmall(tag, out uint small))
        {
            value = (int)small;
            return true;
        }

        bool found = TryLarge(tag, MaxSize32, uint.MaxValue, out ulong number);
        value = (int)number;
        return found;
    }

    /// <summary>Reads a number of up to 32 bits in at most five bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryVarint(uint tag, out uint value)
    {
        if (TrySmall(tag, out value)) return true;
        bool found = TryLarge(tag, MaxSize32, uint.MaxValue, out ulong number);
        value = (uint)number;
        return found;
    }

    /// <summary>Reads a number of up to 56 bits that is not negative.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryVarint(uint tag, out long value)
    {
        if (TrySmall(tag, out uint small))
        {
            value = small;
            return true;
        }

        bool found = TryLarge(tag, sizeof(ulong), ulong.MaxValue, out ulong number);
        value = (long)number;
        return found;
    }

    /// <summary>Reads a number of up to 56 bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryVarint(uint tag, out ulong value)
    {
        if (TrySmall(tag, out uint small))
        {
            value = small;
            return true;
        }

        return TryLarge(tag, sizeof(ulong), ulong.MaxValue, out value);
    }

    /// <summary>Reads a zigzag number of up to 32 bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryZigZag(uint tag, out int value)
    {
        bool found = TryVarint(tag, out uint number);
        value = (int)(number >> 1) ^ -(int)(number & 1);
        return found;
    }

    /// <summary>Reads a zigzag number of up to 56 bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryZigZag(uint tag, out long value)
    {
        bool found = TryVarint(tag, out ulong number);
        value = (long)(number >> 1) ^ -(long)(number & 1);
        return found;
    }

    /// <summary>Reads a number of fixed size. On a big-endian machine it leaves this to the reader.</summary>
    /// <typeparam name="T">A number of 4 or 8 bytes.</typeparam>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryFixed<T>(uint tag, out T value)
        where T : unmanaged
    {
        int tagSize = WireSize.Varint32(tag);
        if (!BitConverter.IsLittleEndian || Room < tagSize + Unsafe.SizeOf<T>())
        {
            value = default;
            return false;
        }

        value = Unsafe.ReadUnaligned<T>(ref Unsafe.Add(ref _next, tagSize));
        _next = ref Unsafe.Add(ref _next, tagSize + Unsafe.SizeOf<T>());
        return true;
    }

    /// <summary>Reads a string of fewer than 128 characters, all of them ASCII.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryText(uint tag, [NotNullWhen(true)] out string? value)
    {
        int header = WireSize.Varint32(tag) + 1;
        value = null;
        if (Room < header) return false;
        nint length = Unsafe.Add(ref _next, header - 1);
        if (length >= 0x80 || length > Room - header) return false;
        value = AsciiText.TryCreate(in Unsafe.Add(ref _next, header), length);
        if (value is null) return false;
        _next = ref Unsafe.Add(ref _next, header + length);
        return true;
    }

    /// <summary>The place of the value after the tag, if <see cref="RoomBehind"/> is above 0.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly ref readonly byte Behind(uint tag) => ref Unsafe.Add(ref _next, WireSize.Varint32(tag));

    /// <summary>Number of bytes after the tag.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly nint RoomBehind(uint tag) => Room - WireSize.Varint32(tag);

    /// <summary>Moves past a value that was read from <see cref="Behind"/>.</summary>
    /// <param name="tag">Tag of the value.</param>
    /// <param name="size">Size of the value; 0 if it was not read.</param>
    /// <returns>True if it was read.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryPass(uint tag, int size)
    {
        if (size == 0) return false;
        _next = ref Unsafe.Add(ref _next, WireSize.Varint32(tag) + size);
        return true;
    }

    /// <summary>Reads a number of up to 64 bits of either sign: parts of values are often negative.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryAny(uint tag, out ulong value)
    {
        return TryVarint(tag, out value) || TryPass(tag, ReadLong(in Behind(tag), RoomBehind(tag), out value));
    }

    /// <summary>Opens a message of fewer than 16,384 bytes, all of them present; <see cref="Pass"/> continues after it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly bool TryMessage(uint tag, out FieldCursor content)
    {
        int header = WireSize.Varint32(tag) + 1;
        content = default;
        if (Room < header) return false;
        nint length = Unsafe.Add(ref _next, header - 1);
        if (length >= 0x80)
        {
            if (Room <= header) return false;
            nint upper = Unsafe.Add(ref _next, header++);
            if (upper >= 0x80) return false;
            length = (upper << 7) | (length & 0x7f);
        }

        if (length > Room - header) return false;
        content = new FieldCursor(ref Unsafe.Add(ref _next, header), (int)length);
        return true;
    }

    /// <summary>Continues after a message that was read to its end.</summary>
    public void Pass(FieldCursor content) => _next = ref content._end;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryLarge(uint tag, nint maxSize, ulong most, out ulong value)
    {
        int tagSize = WireSize.Varint32(tag);
        ulong number = ReadVarint(in Unsafe.Add(ref _next, tagSize), Room - tagSize, out nint size);
        value = number;
        if (size == 0 || size > maxSize || number > most) return false;
        _next = ref Unsafe.Add(ref _next, tagSize + size);
        return true;
    }

    /// <returns>A varint of up to eight bytes, and its size; 0 and 0 if there is none.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ulong ReadVarint(ref readonly byte source, nint room, out nint size)
    {
        const ulong more = 0x8080_8080_8080_8080;
        ulong value = 0;
        size = 0;
        if (room >= sizeof(ulong))
        {
            value = Unsafe.ReadUnaligned<ulong>(in source);
            if (!BitConverter.IsLittleEndian) value = BinaryPrimitives.ReverseEndianness(value);
        }
        else
        {
            for (nint i = 0; i < room; i++) value |= (ulong)Unsafe.Add(ref Unsafe.AsRef(in source), i) << (int)(8 * i);
            value |= more << (int)(8 * room); // missing bytes look unfinished, so the number must end before them
        }

        ulong ends = ~value & more;
        if (ends == 0) return 0;
        size = (BitOperations.TrailingZeroCount(ends) >> 3) + 1;

        return Compress(value & (ends ^ (ends - 1)) & ~more);
    }

    /// <returns>The size of a varint of nine or ten bytes; 0 if there is none.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int ReadLong(ref readonly byte source, nint room, out ulong value)
    {
        const ulong more = 0x8080_8080_8080_8080;
        value = 0;
        if (room <= sizeof(ulong)) return 0;
        ulong first = Unsafe.ReadUnaligned<ulong>(in source);
        if (!BitConverter.IsLittleEndian) first = BinaryPrimitives.ReverseEndianness(first);
        if ((first & more) != more) return 0;

        ulong ninth = Unsafe.Add(ref Unsafe.AsRef(in source), sizeof(ulong));
        value = Compress(first & ~more) | ((ninth & 0x7f) << 56);
        if (ninth < 0x80) return MaxSize64 - 1;
        ulong tenth = room < MaxSize64 ? 2u : Unsafe.Add(ref Unsafe.AsRef(in source), MaxSize64 - 1);
        value |= tenth << 63;
        return tenth > 1 ? 0 : MaxSize64; // more than 64 bits
    }

    // Removes the highest bit of each byte: joins the rest in pairs, then fours, then all eight.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Compress(ulong value)
    {
        value = (value & 0x007f_007f_007f_007f) | ((value & 0x7f00_7f00_7f00_7f00) >> 1);
        value = (value & 0x0000_3fff_0000_3fff) | ((value & 0x3fff_0000_3fff_0000) >> 2);
        return (value & 0x0000_0000_0fff_ffff) | ((value & 0x0fff_ffff_0000_0000) >> 4);
    }
}
