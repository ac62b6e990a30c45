using Mux.Tool.Comparing;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Reporting;

/// <summary>Text report of a comparison, 80 columns wide.</summary>
internal static class ComparisonSummary
{
    // Larger differences are shown as this one: how much larger does not matter.
    private const double MostShown = 9.99;

    private const int Width = 80;

    public static IEnumerable<string> Lines(Comparison comparison)
    {
        foreach (var line in Origins(comparison).Concat(DifferenceLines(comparison))) yield return line;
        int before = Comparison.RunsOf(comparison.Before).Count, after = Comparison.RunsOf(comparison.After).Count;
        yield return $"A: {before} {(before == 1 ? "run" : "runs")}, B: {after} {(after == 1 ? "run" : "runs")}; medians, and the difference with its 95 % " +
            "interval";
        if (Math.Min(before, after) < Comparison.EnoughRuns)
        {
            yield return $"Fewer than {Comparison.EnoughRuns} runs say little of the noise: 'mux bench --repeat {Comparison.EnoughRuns}' makes more.";
        }

        yield return "";
        yield return $"{"",-20}{"A",11}{"B",11}{"B to A",9}{"from",9}{"to",9}  verdict";
        foreach (var metric in comparison.Metrics)
        {
            yield return $"{metric.Metric.TextOf(comparison.After.Configuration.Counted),-20}{Number(metric.Before),11}{Number(metric.After),11}"
                + $"{Percent(metric.Difference),9}{Percent(metric.Low),9}{Percent(metric.High),9}"
                + $"  {metric.Verdict.ToString().ToLowerInvariant()}";
        }

        yield return "";
        if (comparison.HasMoreErrors)
        {
            yield return $"errors: {Quantity.Count(comparison.Before.Ci.Errors)} in A, {Quantity.Count(comparison.After.Ci.Errors)} in B: worse";
        }

        yield return comparison.IsRegression ? "B is worse than A." : "B is not worse than A.";
    }

    private static IEnumerable<string> Origins(Comparison comparison) =>
        TextLines.Wrap("A: ", OriginOf(comparison.Before), Width).Concat(TextLines.Wrap("B: ", OriginOf(comparison.After), Width));

    private static string OriginOf(ResultFile result) => EnvironmentLines.OriginOf(result.Environment.Date, result.Environment.Command);

    private static IEnumerable<string> DifferenceLines(Comparison comparison)
    {
        if (comparison.Differences.Count == 0) yield break;
        yield return "";
        yield return "Compared because of --force, although";
        foreach (var difference in comparison.Differences)
        {
            foreach (var line in TextLines.Wrap("  - ", difference, Width)) yield return line;
        }

        yield return "";
    }

    /// <summary>Formats a difference with its sign.</summary>
    public static string Percent(double share) => share > MostShown ? ">999%" : Quantity.Decimal(100 * share, "+0.0;-0.0;0.0") + "%";

    private static string Number(double value) => Quantity.Decimal(value, value < 100 ? "0.###" : "N0");
}
