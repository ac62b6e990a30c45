namespace Mux.Tool.Reporting.Results;

/// <summary>A figure over several runs.</summary>
internal sealed record SpreadEntry(double Min, double Median, double Max)
{
    /// <summary>Gets the spread of every figure that all runs have, by its name in <c>ci</c>.</summary>
    public static IReadOnlyDictionary<string, SpreadEntry> Of(IReadOnlyList<CiSection> runs)
    {
        var spread = new Dictionary<string, SpreadEntry>(StringComparer.Ordinal);
        foreach (var metric in Metric.All)
        {
            double[] values = [.. runs.Select(metric.Of).OfType<double>()];
            if (values.Length == runs.Count) spread[metric.Name] = new SpreadEntry(values.Min(), Sample.Median(values), values.Max());
        }

        return spread;
    }
}
