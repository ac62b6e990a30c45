namespace Mux.Tool.Reporting.Results;

/// <summary>Figures of several runs taken together.</summary>
internal static class Sample
{
    /// <summary>The middle one; of an even number the mean of the middle two.</summary>
    /// <param name="values">At least one.</param>
    public static double Median(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        int middle = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
