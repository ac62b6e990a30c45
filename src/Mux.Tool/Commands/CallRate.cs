using System.Globalization;

namespace Mux.Tool.Commands;

/// <summary>A rate on the command line: calls per second, with k for thousands and m for millions.</summary>
internal readonly record struct CallRate(double PerSecond)
{
    public const double Min = 1;
    public const double Max = 10_000_000;
    public const string Expected = "calls per second from 1 to 10m, such as 500, 20k or 1.5m";

    public static bool TryParse(string text, out CallRate rate)
    {
        double unit = text.Length == 0 ? 0 : text[^1] switch { 'k' => 1e3, 'm' => 1e6, _ => 1 };
        var number = unit == 1 ? text : text.AsSpan(0, Math.Max(0, text.Length - 1));
        bool isRate = double.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double value)
            && value * unit is >= Min and <= Max;
        rate = new CallRate(isRate ? value * unit : 0);
        return isRate;
    }
}
