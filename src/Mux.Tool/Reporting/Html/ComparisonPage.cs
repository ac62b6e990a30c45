using Mux.Tool.Comparing;

namespace Mux.Tool.Reporting.Html;

/// <summary>Page with the result of <c>mux compare</c>.</summary>
internal static class ComparisonPage
{
    public static byte[] Of(Comparison comparison)
    {
        var (before, after) = (comparison.Before, comparison.After);
        var page = new Page(
            comparison.IsRegression ? "B is worse than A" : "B is not worse than A",
            $"A: {Comparison.RunsOf(before).Count} runs of {before.Environment.Client.Tool}; B: {Comparison.RunsOf(after).Count} runs of " +
                $"{after.Environment.Client.Tool}",
            BenchPage.Describe(after.Configuration));
        page.Note($"A: {EnvironmentLines.OriginOf(before.Environment.Date, before.Environment.Command)}");
        page.Note($"B: {EnvironmentLines.OriginOf(after.Environment.Date, after.Environment.Command)}");
        if (comparison.Differences.Count > 0) page.Banner($"Compared because of --force, although {string.Join("; ", comparison.Differences)}.");
        page.Table(
            "Medians",
            ["", "A", "B", "B to A", "95 % from", "to", "verdict"],
            [.. comparison.Metrics.Select(metric => (IReadOnlyList<string>)
            [
                metric.Metric.TextOf(after.Configuration.Counted), BenchPage.Number(metric.Before), BenchPage.Number(metric.After),
                    ComparisonSummary.Percent(metric.Difference),
                ComparisonSummary.Percent(metric.Low), ComparisonSummary.Percent(metric.High), metric.Verdict.ToString().ToLowerInvariant(),
            ])],
            (row, column) => column == 6
                ? comparison.Metrics[row].Verdict switch { ComparisonVerdict.Better => "class=\"good\"", ComparisonVerdict.Worse => "class=\"bad\"", _ => "" }
                : "");
        return page.Charts(
            Spectrum.Draw("Percentile spectrum", ("A", before.Results.HistogramUs), ("B", after.Results.HistogramUs)),
            RateByRun(comparison)).Environment(after.Environment).ToBytes();
    }

    private static string RateByRun(Comparison comparison)
    {
        ChartSeries[] series =
        [
            new("A", [.. Comparison.RunsOf(comparison.Before).Select((run, i) => (i + 1.0, run.Rate))]),
            new("B", [.. Comparison.RunsOf(comparison.After).Select((run, i) => (i + 1.0, run.Rate))]),
        ];
        return LineChart.Draw("Rate by run", ChartAxis.FromZero("run", series.SelectMany(line => line.Points).Select(point => point.X)),
            ChartAxis.FromZero($"{comparison.After.Configuration.Counted.Many}/s", series.SelectMany(line => line.Points).Select(point => point.Y)), series);
    }
}
