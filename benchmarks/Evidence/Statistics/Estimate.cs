using System.Globalization;

namespace Evidence.Statistics;

/// <summary>A median and how far it may be off.</summary>
/// <param name="Median">Of the values that were measured.</param>
/// <param name="Low">The lower end of the interval that holds the median with 95 %.</param>
/// <param name="High">The upper end.</param>
internal readonly record struct Estimate(double Median, double Low, double High)
{
    private const int Draws = 10_000;

    // The same values give the same interval every time.
    private const int Seed = 4711;

    /// <param name="values">At least one. What the pairs of an interleaved run gave: what the machine did meanwhile is in both sides of each.</param>
    public static Estimate Of(IReadOnlyList<double> values)
    {
#pragma warning disable CA5394 // no secrets here, and the seed is the point
        var random = new Random(Seed);
        var medians = new double[Draws];
        for (int i = 0; i < Draws; i++) medians[i] = MedianOf(Enumerable.Range(0, values.Count).Select(_ => values[random.Next(values.Count)]));
#pragma warning restore CA5394
        Array.Sort(medians);
        return new(MedianOf(values), medians[(int)(0.025 * Draws)], medians[(int)(0.975 * Draws) - 1]);
    }

    public static double MedianOf(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        int middle = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /// <summary>The median and its interval, as all tables print them.</summary>
    /// <param name="format">Of each number, such as F2.</param>
    public string ToString(string format)
    {
        return $"{In(Median)} ({In(Low)} to {In(High)})";

        string In(double value) => value.ToString(format, CultureInfo.InvariantCulture);
    }
}
