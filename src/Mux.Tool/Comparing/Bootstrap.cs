using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Comparing;

/// <summary>Estimates the confidence interval of the difference of two medians, by resampling the runs.</summary>
internal static class Bootstrap
{
    private const int Draws = 10_000;

    // Fixed, so that the same files always compare alike.
    private const int Seed = 4711;

    /// <summary>Gets the interval of 95 % of the relative differences of the medians.</summary>
    /// <param name="before">At least one value.</param>
    /// <param name="after">At least one value.</param>
    public static (double Low, double High) Interval(IReadOnlyList<double> before, IReadOnlyList<double> after)
    {
#pragma warning disable CA5394 // no secrets here, and the seed must be fixed
        var random = new Random(Seed);
        var differences = new double[Draws];
        for (int i = 0; i < Draws; i++) differences[i] = Difference(Sample.Median(Draw(before)), Sample.Median(Draw(after)));
        Array.Sort(differences);
        return (differences[(int)(0.025 * Draws)], differences[(int)(0.975 * Draws) - 1]);

        double[] Draw(IReadOnlyList<double> values) => [.. Enumerable.Range(0, values.Count).Select(_ => values[random.Next(values.Count)])];
#pragma warning restore CA5394
    }

    /// <summary>Gets the difference of the second to the first, as a share of the first.</summary>
    public static double Difference(double before, double after) =>
        before == after ? 0 : before == 0 ? double.PositiveInfinity : (after - before) / Math.Abs(before);
}
