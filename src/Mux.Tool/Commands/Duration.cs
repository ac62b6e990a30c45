using System.Globalization;

namespace Mux.Tool.Commands;

/// <summary>A duration on the command line: a number and a unit, such as 500ms, 10s or 2m.</summary>
internal readonly record struct Duration(TimeSpan Value)
{
    public const string Expected = "a number and us, ms, s, m or h, such as 50us, 500ms or 10s";

    private static readonly (string Name, long Ticks)[] s_units =
    [
        ("us", TimeSpan.TicksPerMicrosecond), ("ms", TimeSpan.TicksPerMillisecond), ("s", TimeSpan.TicksPerSecond), ("m", TimeSpan.TicksPerMinute),
            ("h", TimeSpan.TicksPerHour),
    ];

    public static bool TryParse(string text, out Duration duration)
    {
        duration = default;
        int length = text.AsSpan().IndexOfAnyInRange('a', 'z');
        if (length <= 0) return false;
        long unit = Array.Find(s_units, unit => unit.Name == text[length..]).Ticks;
        if (unit == 0 || !double.TryParse(text.AsSpan(0, length), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double number))
        {
            return false;
        }

        if (number * unit >= TimeSpan.MaxValue.Ticks) return false;
        duration = new Duration(TimeSpan.FromTicks((long)Math.Round(number * unit)));
        return true;
    }

    /// <summary>Formats it in the largest unit without a fraction; below a microsecond, as a fraction of one.</summary>
    public override string ToString()
    {
        if (Value == TimeSpan.Zero) return "0ms";
        long ticks = Value.Ticks;
        var unit = Array.FindLast(s_units, unit => ticks % unit.Ticks == 0);
        if (unit.Ticks == 0) unit = s_units[0];
        return string.Create(CultureInfo.InvariantCulture, $"{(double)ticks / unit.Ticks}{unit.Name}");
    }
}
