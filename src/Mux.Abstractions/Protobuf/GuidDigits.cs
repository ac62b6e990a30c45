using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Mux.Protobuf;

/// <summary>
/// Reads and writes a Guid as 36 characters, or as 16 bytes in the order of those characters; nothing for <see cref="Guid.Empty"/>. Reads both forms, and 32
/// characters without dashes, whichever form the member declares.
/// </summary>
internal static class GuidDigits
{
    private const int Size = 16;
    private const int PlainLength = 32;
    private const int Length = 36;

    private const byte NoDigit = 16;

    // Value of each byte as a digit. Several times faster than the framework's parsers, some of which also accept other characters.
    private static readonly byte[] s_values =
        [.. Enumerable.Range(0, 256).Select(static c => char.IsAsciiHexDigit((char)c) ? Convert.ToByte($"{(char)c}", 16) : NoDigit)];

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte WriteText(ref byte next, scoped in Guid value)
    {
        if (value == Guid.Empty) return ref WriteNothing(ref next);
        next = Length;
        value.TryFormat(MemoryMarshal.CreateSpan(ref Unsafe.Add(ref next, 1), Length), out _);
        return ref Unsafe.Add(ref next, 1 + Length);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte WriteBytes(ref byte next, scoped in Guid value)
    {
        if (value == Guid.Empty) return ref WriteNothing(ref next);
        next = Size;
        value.TryWriteBytes(MemoryMarshal.CreateSpan(ref Unsafe.Add(ref next, 1), Size), bigEndian: true, out _);
        return ref Unsafe.Add(ref next, 1 + Size);
    }

    /// <returns>The number of bytes, including the length; 0 if they are not a Guid.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int TryRead(ref readonly byte source, nint room, out Guid value)
    {
        value = default;
        if (!ValueBlock.TryFind(in source, room, out int length)) return 0;
        var bytes = MemoryMarshal.CreateReadOnlySpan(in Unsafe.Add(ref Unsafe.AsRef(in source), 1), length);
        return TryParse(bytes, out value) ? length + 1 : 0;
    }

    public static bool TryParse(ReadOnlySpan<byte> bytes, out Guid value)
    {
        switch (bytes.Length)
        {
            case Size:
                value = new Guid(bytes, bigEndian: true);
                return true;
            case PlainLength:
                return TryParseDigits(bytes, dash: 0, out value);
            case Length when bytes[8] == '-' && bytes[13] == '-' && bytes[18] == '-' && bytes[23] == '-':
                return TryParseDigits(bytes, dash: 1, out value);
            default:
                value = default;
                return bytes.IsEmpty;
        }
    }

    private static bool TryParseDigits(ReadOnlySpan<byte> text, int dash, out Guid value)
    {
        uint seen = 0;
        uint a = (Four(text, 0, ref seen) << 16) | Four(text, 4, ref seen);
        uint b = Four(text, 8 + dash, ref seen);
        uint c = Four(text, 12 + 2 * dash, ref seen);
        uint d = Four(text, 16 + 3 * dash, ref seen);
        uint e = Four(text, 20 + 4 * dash, ref seen);
        uint f = (Four(text, 24 + 4 * dash, ref seen) << 16) | Four(text, 28 + 4 * dash, ref seen);
        value = new Guid(
            a, (ushort)b, (ushort)c, (byte)(d >> 8), (byte)d, (byte)(e >> 8), (byte)e, (byte)(f >> 24), (byte)(f >> 16), (byte)(f >> 8), (byte)f);
        return seen < NoDigit;
    }

    // The number of four digits. Collects all values seen, so that one check at the end tells whether all were digits.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Four(ReadOnlySpan<byte> text, int start, ref uint seen)
    {
        var values = s_values;
        uint first = values[text[start]];
        uint second = values[text[start + 1]];
        uint third = values[text[start + 2]];
        uint fourth = values[text[start + 3]];
        seen |= first | second | third | fourth;
        return (first << 12) | (second << 8) | (third << 4) | fourth;
    }

    private static ref byte WriteNothing(ref byte next)
    {
        next = 0;
        return ref Unsafe.Add(ref next, 1);
    }
}
