using System.Globalization;

namespace Mux.Tool.Commands;

/// <summary>A rate of bytes on the command line: bytes per second, with k for thousands, m for millions and g for billions.</summary>
internal readonly record struct ByteRate(long PerSecond)
{
    public const long Max = 10_000_000_000;
    public const string Expected = "bytes per second from 1 to 10g, such as 500, 64k or 1.5m";

    public static bool TryParse(string text, out ByteRate rate)
    {
        double unit = text.Length == 0 ? 0 : text[^1] switch { 'k' => 1e3, 'm' => 1e6, 'g' => 1e9, _ => 1 };
        var number = unit == 1 ? text : text.AsSpan(0, Math.Max(0, text.Length - 1));
        bool isRate = double.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double value)
            && value * unit is >= 1 and <= Max;
        rate = new ByteRate(isRate ? (long)(value * unit) : 0);
        return isRate;
    }
}
