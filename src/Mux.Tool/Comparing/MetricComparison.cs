using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Comparing;

/// <summary>A figure of two results.</summary>
/// <param name="Metric">The metric.</param>
/// <param name="Before">Median of the first.</param>
/// <param name="After">Median of the second.</param>
/// <param name="Difference">Difference, as a share of the first.</param>
/// <param name="Low">Start of the difference's interval.</param>
/// <param name="High">End of the difference's interval.</param>
/// <param name="Verdict">Verdict on the second.</param>
internal sealed record MetricComparison(Metric Metric, double Before, double After, double Difference, double Low, double High, ComparisonVerdict Verdict)
{
    /// <returns>Null if a run of either has no such figure.</returns>
    public static MetricComparison? Of(Metric metric, IReadOnlyList<CiSection> before, IReadOnlyList<CiSection> after, double threshold)
    {
        double[] first = [.. before.Select(metric.Of).OfType<double>()], second = [.. after.Select(metric.Of).OfType<double>()];
        if (first.Length < before.Count || second.Length < after.Count) return null;
        double from = Sample.Median(first), to = Sample.Median(second), difference = Bootstrap.Difference(from, to);
        var (low, high) = Bootstrap.Interval(first, second);
        bool differs = Math.Abs(difference) > threshold && (low > 0 || high < 0);
        var verdict = !differs ? ComparisonVerdict.Same : difference > 0 == metric.MoreIsBetter ? ComparisonVerdict.Better : ComparisonVerdict.Worse;
        return new MetricComparison(metric, from, to, difference, low, high, verdict);
    }
}
