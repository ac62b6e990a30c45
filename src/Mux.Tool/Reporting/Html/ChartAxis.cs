using System.Globalization;

namespace Mux.Tool.Reporting.Html;

/// <summary>Scale of one side of a chart.</summary>
/// <param name="Title">Title, with the unit.</param>
/// <param name="Min">Value at its start.</param>
/// <param name="Max">Value at its end, above the minimum.</param>
/// <param name="IsLog">True for a logarithmic scale.</param>
/// <param name="Ticks">Labelled values.</param>
internal sealed record ChartAxis(string Title, double Min, double Max, bool IsLog, IReadOnlyList<(double At, string Text)> Ticks)
{
    private const int MostLinearTicks = 6;
    private const int MostDecades = 6;

    /// <summary>Creates an axis from zero to a round number above the largest value.</summary>
    public static ChartAxis FromZero(string title, IEnumerable<double> values)
    {
        double largest = values.DefaultIfEmpty(1).Max();
        if (largest <= 0) largest = 1;
        double step = RoundStep(largest / MostLinearTicks);
        double max = Math.Ceiling(largest / step) * step;
        var ticks = Enumerable.Range(0, (int)Math.Round(max / step) + 1).Select(i => (i * step, Shorten(i * step)));
        return new ChartAxis(title, 0, max, IsLog: false, [.. ticks]);
    }

    /// <summary>Creates an axis from zero to the largest value itself, for elapsed times.</summary>
    public static ChartAxis Until(string title, double largest)
    {
        var round = FromZero(title, [largest]);
        return largest <= 0 ? round : round with { Max = largest, Ticks = [.. round.Ticks.Where(tick => tick.At <= largest)] };
    }

    /// <summary>Creates an axis from the power of ten below the smallest value to the one above the largest.</summary>
    public static ChartAxis Log(string title, IEnumerable<double> values)
    {
        double[] positive = [.. values.Where(value => value > 0).DefaultIfEmpty(1)];
        int from = (int)Math.Floor(Math.Log10(positive.Min())), to = (int)Math.Ceiling(Math.Log10(positive.Max()));
        if (to == from) to++;
        int every = 1 + (to - from) / MostDecades;
        var ticks = Enumerable.Range(from, to - from + 1).Where(power => (power - from) % every == 0)
            .Select(power => (Math.Pow(10, power), Shorten(Math.Pow(10, power))));
        return new ChartAxis(title, Math.Pow(10, from), Math.Pow(10, to), IsLog: true, [.. ticks]);
    }

    /// <summary>Creates an axis of percentiles, placed by 1/(1-p): each further nine has the same distance.</summary>
    /// <param name="count">Number of values.</param>
    public static ChartAxis Percentiles(long count)
    {
        double max = Math.Max(100, count);
        (double, string)[] ticks =
            [(1, "0"), (2, "50"), (10, "90"), (100, "99"), (1e3, "99.9"), (1e4, "99.99"), (1e5, "99.999"), (1e6, "99.9999"), (1e7, "99.99999")];
        return new ChartAxis("percentile", 1, max, IsLog: true, [.. ticks.Where(tick => tick.Item1 <= max)]);
    }

    /// <summary>Gets the position of a value, 0 to 1; values outside are moved to the nearer end.</summary>
    public double Place(double value)
    {
        double share = IsLog ? Math.Log(Math.Max(value, Min) / Min) / Math.Log(Max / Min) : (value - Min) / (Max - Min);
        return Math.Clamp(share, 0, 1);
    }

    /// <summary>Formats a number in a few characters.</summary>
    public static string Shorten(double value) => Math.Abs(value) switch
    {
        >= 1e6 => (value / 1e6).ToString("0.##", CultureInfo.InvariantCulture) + "M",
        >= 1e3 => (value / 1e3).ToString("0.##", CultureInfo.InvariantCulture) + "k",
        _ => value.ToString("0.###", CultureInfo.InvariantCulture),
    };

    private static double RoundStep(double least)
    {
        double power = Math.Pow(10, Math.Floor(Math.Log10(least)));
        return power * (least / power) switch { <= 1 => 1, <= 2 => 2, <= 5 => 5, _ => 10 };
    }
}
