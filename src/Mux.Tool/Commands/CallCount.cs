using System.Globalization;

namespace Mux.Tool.Commands;

/// <summary>A number of calls on the command line, with k for thousands and m for millions.</summary>
internal readonly record struct CallCount(long Value)
{
    public const long Max = 1_000_000_000;
    public const string Expected = "a whole number of calls from 1 to 1000m, such as 500, 20k or 1m";

    public static bool TryParse(string text, out CallCount count)
    {
        long unit = text.Length == 0 ? 0 : text[^1] switch { 'k' => 1_000, 'm' => 1_000_000, _ => 1 };
        var number = unit == 1 ? text : text.AsSpan(0, Math.Max(0, text.Length - 1));
        bool isCount = long.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out long value)
            && value is >= 1 and <= Max && value * unit <= Max;
        count = new CallCount(isCount ? value * unit : 0);
        return isCount;
    }
}
