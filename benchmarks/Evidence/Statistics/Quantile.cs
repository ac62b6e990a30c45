namespace Evidence.Statistics;

/// <summary>A value that a share of the others does not exceed.</summary>
internal static class Quantile
{
    /// <param name="values">In any order.</param>
    /// <param name="share">0.99 for p99.</param>
    /// <returns>Not a number if there are no values.</returns>
    public static double Of(IEnumerable<double> values, double share)
    {
        double[] sorted = [.. values.Order()];
        return sorted.Length == 0 ? double.NaN : sorted[(int)Math.Ceiling(share * sorted.Length) - 1];
    }
}
