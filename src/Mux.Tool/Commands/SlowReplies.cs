using System.Globalization;

namespace Mux.Tool.Commands;

/// <summary>On the command line: a share of the handlers and the time they block, as in 1%:5ms.</summary>
internal readonly record struct SlowReplies(double Share, TimeSpan Time)
{
    public const string Expected = "a share above 0% up to 100% and a time from 1us to 10s, such as 1%:5ms";

    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(10);

    public static bool TryParse(string text, out SlowReplies slow)
    {
        slow = default;
        int percent = text.IndexOf("%:", StringComparison.Ordinal);
        if (percent < 0 || !double.TryParse(text.AsSpan(0, percent), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double share))
        {
            return false;
        }

        if (share is <= 0 or > 100 || !Duration.TryParse(text[(percent + 2)..], out var time)) return false;
        if (time.Value < TimeSpan.FromMicroseconds(1) || time.Value > s_longest) return false;
        slow = new SlowReplies(share / 100, time.Value);
        return true;
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{(decimal)Share * 100:0.############}%:{new Duration(Time)}");
}
