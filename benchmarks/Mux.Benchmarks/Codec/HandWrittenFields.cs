using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Mux.Benchmarks.Codec;

/// <summary>The fields that the hand-written codecs are made of. Writers have asked for room for the longest form.</summary>
internal static class HandWrittenFields
{
    public const int MaxVarintField = 11;
    public const int DoubleField = 9;
    public const int MaxTextHeader = 6;
    public const int MaxBytesPerChar = 3;

    public static ref byte Varint(ref byte next, ulong value)
    {
        for (; value >= 0x80; value >>= 7)
        {
            next = (byte)(value | 0x80);
            next = ref Unsafe.Add(ref next, 1);
        }

        next = (byte)value;
        return ref Unsafe.Add(ref next, 1);
    }

    public static int LengthOf(string? text) => text is null ? 0 : text.Length;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Number(ref byte next, byte tag, int value)
    {
        if (value == 0) return ref next;
        next = tag;
        ref byte first = ref Unsafe.Add(ref next, 1);
        if ((uint)value >= 0x80) return ref Varint(ref first, (ulong)value);
        first = (byte)value;
        return ref Unsafe.Add(ref first, 1);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Number(ref byte next, byte tag, long value)
    {
        if (value == 0) return ref next;
        next = tag;
        ref byte first = ref Unsafe.Add(ref next, 1);
        if ((ulong)value >= 0x80) return ref Varint(ref first, (ulong)value);
        first = (byte)value;
        return ref Unsafe.Add(ref first, 1);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Double(ref byte next, byte tag, double value)
    {
        if (value == 0) return ref next;
        next = tag;
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref next, 1), value);
        return ref Unsafe.Add(ref next, DoubleField);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Text(ref byte next, byte tag, string? value)
    {
        if (value is null) return ref next;
        return ref HandWrittenText.Write(ref next, tag, value);
    }

    /// <summary>Writes the length of a nested message into the byte before it, and moves the message if that takes more.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte EndNested(ref byte start, ref byte next, ref byte end)
    {
        nint length = Unsafe.ByteOffset(ref start, ref next);
        if (length >= 0x80) return ref EndLong(ref start, (int)length, ref end);
        Unsafe.Add(ref start, -1) = (byte)length;
        return ref next;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Is(ref byte next, ref byte end, byte tag) => Unsafe.IsAddressLessThan(ref next, ref end) && next == tag;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Number(ref byte next, ref byte end, out int value)
    {
        if (Unsafe.ByteOffset(ref next, ref end) < 2) ThrowCut();
        next = ref Unsafe.Add(ref next, 1);
        value = next;
        if (value < 0x80) return ref Unsafe.Add(ref next, 1);
        next = ref LongNumber(ref next, ref end, out long large);
        value = (int)large; // whose address alone is taken
        return ref next;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Number(ref byte next, ref byte end, out long value)
    {
        if (Unsafe.ByteOffset(ref next, ref end) < 2) ThrowCut();
        next = ref Unsafe.Add(ref next, 1);
        value = next;
        if (value < 0x80) return ref Unsafe.Add(ref next, 1);
        next = ref LongNumber(ref next, ref end, out long large);
        value = large;
        return ref next;
    }

    /// <summary>Passes over tag and length of bytes that are all present.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Nested(ref byte next, ref byte end, out int length)
    {
        next = ref Number(ref next, ref end, out long value);
        if ((ulong)value > (ulong)Unsafe.ByteOffset(ref next, ref end)) ThrowCut();
        length = (int)value;
        return ref next;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte LongNumber(ref byte next, ref byte end, out long value)
    {
        ulong read = 0;
        for (int shift = 0; shift < 64 && Unsafe.IsAddressLessThan(ref next, ref end); shift += 7)
        {
            ulong part = next;
            next = ref Unsafe.Add(ref next, 1);
            read |= (part & 0x7f) << shift;
            if (part >= 0x80) continue;
            value = (long)read;
            return ref next;
        }

        ThrowCut();
        value = 0;
        return ref next;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Double(ref byte next, ref byte end, out double value)
    {
        if (Unsafe.ByteOffset(ref next, ref end) < DoubleField) ThrowCut();
        value = Unsafe.ReadUnaligned<double>(ref Unsafe.Add(ref next, 1));
        return ref Unsafe.Add(ref next, DoubleField);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static string Text(ref byte next, ref byte end, out int size)
    {
        if (Unsafe.ByteOffset(ref next, ref end) < 2) ThrowCut();
        int length = Unsafe.Add(ref next, 1);
        size = 2 + length;
        if (length < 0x80 && size <= Unsafe.ByteOffset(ref next, ref end)) return HandWrittenText.Read(ref Unsafe.Add(ref next, 2), length);
        var text = LongText(ref next, ref end, out int large);
        size = large;
        return text;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string LongText(ref byte next, ref byte end, out int size)
    {
        ref byte start = ref LongNumber(ref Unsafe.Add(ref next, 1), ref end, out long length);
        if ((ulong)length > (ulong)Unsafe.ByteOffset(ref start, ref end)) ThrowCut();
        size = (int)Unsafe.ByteOffset(ref next, ref start) + (int)length;
        return HandWrittenText.Read(ref start, (int)length);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static ref byte EndLong(ref byte start, int length, ref byte end)
    {
        const int maxMore = 4;
        if (Unsafe.ByteOffset(ref start, ref end) < length + maxMore) ThrowRoom();
        int more = 0;
        for (int rest = length >> 7; rest != 0; rest >>= 7) more++;
        MemoryMarshal.CreateReadOnlySpan(ref start, length).CopyTo(MemoryMarshal.CreateSpan(ref Unsafe.Add(ref start, more), length));
        return ref Unsafe.Add(ref Varint(ref Unsafe.Add(ref start, -1), (uint)length), length);
    }

    public static void ThrowRoom() => throw new ArgumentException("The message may not fit.");

    public static void ThrowCut() => throw new InvalidDataException("The message ends within a field.");

    public static void ThrowUnknown() => throw new InvalidDataException("An unknown field.");
}
