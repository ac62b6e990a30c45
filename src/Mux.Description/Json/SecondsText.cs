namespace Mux.Description.Json;

/// <summary>The fraction of a second: three, six or nine digits are written, and one to nine read.</summary>
internal static class SecondsText
{
    private const int MaxDigits = 9;

    public static int FormatFraction(int nanos, Span<byte> text)
    {
        if (nanos == 0) return 0;
        int digits = nanos % 1_000_000 == 0 ? 3 : nanos % 1_000 == 0 ? 6 : MaxDigits;
        text[0] = (byte)'.';
        for (int i = MaxDigits; i > 0; i--)
        {
            if (i <= digits) text[i] = (byte)('0' + nanos % 10);
            nanos /= 10;
        }

        return digits + 1;
    }

    /// <summary>Reads a fraction, if there is one, and moves behind it.</summary>
    public static bool TryParseFraction(ref ReadOnlySpan<byte> text, out int nanos)
    {
        nanos = 0;
        if (text.IsEmpty || text[0] != '.') return true;
        int length = 1;
        while (length < text.Length && char.IsAsciiDigit((char)text[length])) length++;
        if (length is 1 or > MaxDigits + 1) return false;
        for (int i = 1; i <= MaxDigits; i++) nanos = 10 * nanos + (i < length ? text[i] - '0' : 0);
        text = text[length..];
        return true;
    }
}
