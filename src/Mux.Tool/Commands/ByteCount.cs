using System.Globalization;

namespace Mux.Tool.Commands;

/// <summary>
/// A number of bytes on the command line, with k for thousands, m for millions and g for billions: of all options for sizes, positions and rates of bytes.
/// </summary>
internal readonly record struct ByteCount(long Value)
{
    public const string Units = "k, m and g are thousands, millions and billions";

    private const double Largest = 1e15; // a double is exact up to there

    public static bool TryParse(string text, out ByteCount count)
    {
        double unit = text.Length == 0 ? 0 : text[^1] switch { 'k' => 1e3, 'm' => 1e6, 'g' => 1e9, _ => 1 };
        var number = unit == 1 ? text : text.AsSpan(0, Math.Max(0, text.Length - 1));
        bool isNumber = double.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double value);
        double bytes = Math.Round(value * unit, 3); // 1.1m is whole, although no double is 1.1
        bool isCount = isNumber && bytes <= Largest && bytes == Math.Floor(bytes);
        count = new ByteCount(isCount ? (long)bytes : 0);
        return isCount;
    }

    /// <summary>Parses one within a range.</summary>
    public static bool TryParse(string text, long min, long max, out ByteCount count) =>
        TryParse(text, out count) && count.Value >= min && count.Value <= max;

    /// <summary>Describes a range, for errors.</summary>
    public static string Expected(long min, long max) => $"{new ByteCount(min)} to {new ByteCount(max)} bytes; {Units}";

    /// <summary>Formats it with a unit if it is a multiple of one that is not longer written out.</summary>
    public override string ToString()
    {
        var (unit, name) = Value switch
        {
            > 0 when Value % 1_000_000_000 == 0 => (1_000_000_000, "g"),
            > 0 when Value % 1_000_000 == 0 => (1_000_000, "m"),
            > 0 when Value % 1_000 == 0 => (1_000, "k"),
            _ => (1, ""),
        };
        return string.Create(CultureInfo.InvariantCulture, $"{Value / unit}{name}");
    }
}
