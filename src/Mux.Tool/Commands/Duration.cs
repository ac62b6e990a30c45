using System.Globalization;

namespace Mux.Tool.Commands;

/// <summary>A duration on the command line: a number and a unit, such as 500ms, 10s or 2m.</summary>
internal readonly record struct Duration(TimeSpan Value)
{
    public const string Expected = "a number and ms, s, m or h, such as 500ms, 10s or 2m";

    private static readonly (string Name, double Milliseconds)[] s_units = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];

    public static bool TryParse(string text, out Duration duration)
    {
        duration = default;
        int length = text.AsSpan().IndexOfAnyInRange('a', 'z');
        if (length <= 0) return false;
        double unit = Array.Find(s_units, unit => unit.Name == text[length..]).Milliseconds;
        if (unit == 0 || !double.TryParse(text.AsSpan(0, length), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double number)) return false;
        if (number * unit >= TimeSpan.MaxValue.TotalMilliseconds) return false;
        duration = new Duration(TimeSpan.FromMilliseconds(number * unit));
        return true;
    }

    /// <summary>The text for it with the largest unit that leaves no fraction.</summary>
    public override string ToString()
    {
        double milliseconds = Value.TotalMilliseconds;
        var unit = Array.FindLast(s_units, unit => unit.Milliseconds == 1 || (milliseconds > 0 && milliseconds % unit.Milliseconds == 0));
        return string.Create(CultureInfo.InvariantCulture, $"{milliseconds / unit.Milliseconds}{unit.Name}");
    }
}
