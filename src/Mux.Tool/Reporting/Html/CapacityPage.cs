using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Reporting.Html;

/// <summary>Page with the result of <c>mux capacity</c>.</summary>
internal static class CapacityPage
{
    public static byte[] Of(CapacityFile result)
    {
        var answer = result.Answer;
        var title = answer.LimitedByGenerator
            ? "Limited by the generator: " +
                $"{(answer.Rate == 0 ? "no rate could be judged" : $"at least {Quantity.Count(answer.Rate)} calls/s hold {result.Search.Slo}")}"
            : answer.Rate == 0 ? $"No rate holds {result.Search.Slo}"
            : $"{(answer.AtLeast ? "At least " : "")}{Quantity.Count(answer.Rate)} calls/s hold {result.Search.Slo}";
        var configuration = result.Configuration;
        var page = new Page(title, $"{configuration.Workload} calls to {configuration.Target}, {configuration.Connections} connections");
        if (answer.AtLeast) page.Banner($"The limit may be higher: {answer.AtLeastBecause}.");
        else if (answer is { Confirmed: false, Rate: > 0 }) page.Banner("Not confirmed: long runs at the rates that had held did not hold.");
        (string, string)[] tiles =
            [("calls/s", Quantity.Count(answer.Rate)), ("closed loop, calls/s", Quantity.Count(result.Search.ProbeRate)),
            ("computed, calls/s", BenchPage.Number(answer.ComputedRate)), ("rates tried", Quantity.Count(result.Steps.Count))];
        page.Tiles(tiles.Where(tile => tile.Item2 != Quantity.NotAvailable));
        page.Charts(Curve(result.Steps), HighestHeld(result.Steps));
        return page.Table(
            "Rates tried",
            ["purpose", "calls/s", "verdict", "runs", "answered/s", "p50, us", "p99, us", "p99.9, us", "lag p99, us", "why"],
            [.. result.Steps.Select(step => (IReadOnlyList<string>)
            [
                step.Purpose, Quantity.Count(step.Rate), step.Verdict, string.Join(", ", step.Votes), Quantity.Count(step.AnsweredRate),
                    BenchPage.Number(step.ResponseUs.P50),
                BenchPage.Number(step.ResponseUs.P99), BenchPage.Number(step.ResponseUs.P999), BenchPage.Number(step.LagUs.P99), step.Reason,
            ])],
            (row, column) => column == 2 ? result.Steps[row].Verdict == "held" ? "class=\"good\"" : "class=\"bad\"" : "").Environment(result.Environment)
                .ToBytes();
    }

    private static string Curve(IReadOnlyList<StepEntry> steps)
    {
        StepEntry[] byRate = [.. steps.OrderBy(step => step.Rate)];
        ChartSeries[] series =
        [
            new("p50", [.. byRate.Select(step => (step.Rate, step.ResponseUs.P50))]),
            new("p99", [.. byRate.Select(step => (step.Rate, step.ResponseUs.P99))]),
            new("p99.9", [.. byRate.Select(step => (step.Rate, step.ResponseUs.P999))]),
        ];
        return LineChart.Draw(
            "Response time by rate", ChartAxis.FromZero("calls/s", byRate.Select(step => step.Rate)),
                ChartAxis.Log("us", series.SelectMany(line => line.Points).Select(point => point.Y)), series);
    }

    private static string HighestHeld(IReadOnlyList<StepEntry> steps)
    {
        var held = steps.Where(step => step.Verdict == "held").MaxBy(step => step.Rate);
        var broken = steps.Where(step => step.Verdict != "held").MinBy(step => step.Rate);
        (string Name, IReadOnlyList<BucketEntry> Buckets)[] both =
            [.. new[] { held, broken }.OfType<StepEntry>().Select(step => ($"{Quantity.Count(step.Rate)}/s, {step.Verdict}", step.HistogramUs))
            .Where(one => one.HistogramUs.Count > 0)];
        return both.Length == 0 ? "" : Spectrum.Draw("Percentile spectrum around the answer", both);
    }
}
