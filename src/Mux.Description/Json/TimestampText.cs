using System.Globalization;

namespace Mux.Description.Json;

/// <summary>A moment as JSON has it: <c>2026-11-27T01:30:00.500Z</c>. An offset from UTC is read, too.</summary>
internal static class TimestampText
{
    private const string Allowed = "allowed are 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999999Z";
    private const long MinSeconds = -62135596800;
    private const long MaxSeconds = 253402300799;
    private const int DateLength = 19;
    private const DateTimeStyles Utc = DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal;

    public static int Format(long seconds, int nanos, Span<byte> text)
    {
        if (seconds is < MinSeconds or > MaxSeconds || nanos is < 0 or > 999_999_999)
            JsonFault.Throw($"is a timestamp of {seconds} seconds and {nanos} nanoseconds; {Allowed}");
        DateTime.UnixEpoch.AddSeconds(seconds).TryFormat(text, out int length, "yyyy-MM-ddTHH:mm:ss", CultureInfo.InvariantCulture);
        length += SecondsText.FormatFraction(nanos, text[length..]);
        text[length++] = (byte)'Z';
        return length;
    }

    public static bool TryParse(ReadOnlySpan<byte> text, out long seconds, out int nanos)
    {
        seconds = nanos = 0;
        Span<char> date = stackalloc char[DateLength];
        if (text.Length <= DateLength) return false;
        for (int i = 0; i < DateLength; i++) date[i] = (char)text[i];
        if (!DateTime.TryParseExact(
            date, "yyyy-MM-ddTHH:mm:ss", CultureInfo.InvariantCulture, Utc, out var moment)) return false;
        var rest = text[DateLength..];
        if (!SecondsText.TryParseFraction(ref rest, out nanos) || !TryParseOffset(rest, out int offset)) return false;
        seconds = (moment - DateTime.UnixEpoch).Ticks / TimeSpan.TicksPerSecond - offset;
        return seconds is >= MinSeconds and <= MaxSeconds;
    }

    private static bool TryParseOffset(ReadOnlySpan<byte> text, out int seconds)
    {
        seconds = 0;
        if (text.SequenceEqual("Z"u8)) return true;
        if (text.Length != 6 || text[0] is not ((byte)'+' or (byte)'-') || text[3] != ':') return false;
        if (!Digits(text[1..3], out int hours) || !Digits(text[4..], out int minutes) || hours > 18 || minutes > 59) return false;
        seconds = (text[0] == '-' ? -60 : 60) * (60 * hours + minutes);
        return true;
    }

    private static bool Digits(ReadOnlySpan<byte> text, out int number)
    {
        number = 10 * (text[0] - '0') + text[1] - '0';
        return char.IsAsciiDigit((char)text[0]) && char.IsAsciiDigit((char)text[1]);
    }
}
