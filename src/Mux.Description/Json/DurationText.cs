using System.Buffers.Text;

namespace Mux.Description.Json;

/// <summary>A span of time as JSON has it: <c>-1.500s</c>.</summary>
internal static class DurationText
{
    private const long MaxSeconds = 315_576_000_000;
    private const int MaxNanos = 999_999_999;

    public static int Format(long seconds, int nanos, Span<byte> text)
    {
        bool isValid = seconds is >= -MaxSeconds and <= MaxSeconds && nanos is >= -MaxNanos and <= MaxNanos && Math.Sign(seconds) * Math.Sign(nanos) >= 0;
        if (!isValid)
            JsonFault.Throw($"is a duration of {seconds} seconds and {nanos} nanoseconds; allowed are {-MaxSeconds} to {MaxSeconds} seconds, both of one sign");
        int length = 0;
        if (seconds < 0 || nanos < 0) text[length++] = (byte)'-';
        Utf8Formatter.TryFormat(Math.Abs(seconds), text[length..], out int digits);
        length += digits;
        length += SecondsText.FormatFraction(Math.Abs(nanos), text[length..]);
        text[length++] = (byte)'s';
        return length;
    }

    public static bool TryParse(ReadOnlySpan<byte> text, out long seconds, out int nanos)
    {
        nanos = 0;
        bool isNegative = text.StartsWith("-"u8);
        var rest = isNegative ? text[1..] : text;
        int length = 0;
        while (length < rest.Length && char.IsAsciiDigit((char)rest[length])) length++;
        if (!Utf8Parser.TryParse(rest[..length], out seconds, out int consumed) || consumed != length || seconds > MaxSeconds) return false;
        rest = rest[length..];
        if (!SecondsText.TryParseFraction(ref rest, out nanos) || !rest.SequenceEqual("s"u8)) return false;
        if (isNegative) (seconds, nanos) = (-seconds, -nanos);
        return true;
    }
}
