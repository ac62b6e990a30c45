namespace Mux.Tool.Reporting.Results;

/// <summary>Statistics over several runs.</summary>
internal static class Sample
{
    /// <summary>Gets the median; of an even number, the mean of the middle two.</summary>
    /// <param name="values">At least one value.</param>
    public static double Median(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        int middle = sorted.Length / 2;
        return sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
