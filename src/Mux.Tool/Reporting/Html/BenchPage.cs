using System.Globalization;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Reporting.Html;

/// <summary>The result of <c>mux bench</c>.</summary>
internal static class BenchPage
{
    public static byte[] Of(ResultFile result)
    {
        var (configuration, results) = (result.Configuration, result.Results);
        var page = new Page(
            $"{result.Ci.Rate.ToString("N0", CultureInfo.InvariantCulture)} calls/s",
            Describe(configuration),
            results.Schedule is null
                ? "Closed loop: each call waits for the reply to the one before, so a stall of the server makes fewer calls slow than users would have felt."
                : "Open loop: the response time counts from when a call should have been made, the service time from when it was.");
        if (results.Schedule is { Valid: false } invalid) page.Banner($"INVALID: {string.Join("; ", invalid.InvalidBecause)}");
        page.Tiles(Tiles(result));
        page.Charts(Charts(results));
        page.Table("Latency, us", ["", "min", "p50", "p90", "p99", "p99.9", "max", "calls"], [.. LatencyRows(results)]);
        if (result is { Runs: { } runs, Spread: { } spread })
        {
            page.Table("Runs", ["", .. Metric.All.Select(metric => metric.Text)], [.. runs.Select((run, i) => (IReadOnlyList<string>)[$"run {i + 1}", .. Metric.All.Select(metric => Number(metric.Of(run.Ci)))]),
                ["median", .. Metric.All.Select(metric => Number(spread.TryGetValue(metric.Name, out var figures) ? figures.Median : null))]]);
        }

        return page.Environment(result.Environment).ToBytes();
    }

    /// <summary>What was called and how.</summary>
    public static string Describe(ConfigurationSection configuration)
    {
        var load = configuration.Rate is { } rate ? $"open loop at {Quantity.Count(rate)} calls/s" : $"{configuration.InFlight} in flight each";
        var size = configuration.Size is { } bytes ? $" of {Quantity.Count((long)bytes)} bytes" : "";
        return $"{configuration.Workload} calls{size} to {configuration.Target}, {configuration.Connections} connections, {load}";
    }

    public static string Number(double? value) => Quantity.Decimal(value, value < 100 ? "0.###" : "N0");

    private static IEnumerable<(string, string)> Tiles(ResultFile result)
    {
        var ci = result.Ci;
        yield return ("calls/s", Number(ci.Rate));
        yield return ("p50, us", Number(ci.P50Us));
        yield return ("p99, us", Number(ci.P99Us));
        yield return ("p99.9, us", Number(ci.P999Us));
        yield return ("errors", Number(ci.Errors));
        yield return ("client CPU, us/call", Number(ci.ClientCpuUsPerCall));
        yield return ("server CPU, us/call", Number(ci.ServerCpuUsPerCall));
        if (result.Results.Schedule is { } schedule) yield return ("dropped", Number(schedule.Dropped));
    }

    private static IEnumerable<string> Charts(ResultsSection results)
    {
        var seconds = ChartAxis.Until("seconds", results.ElapsedS);
        ChartSeries rate = new("calls/s", [.. results.Series.Select(sample => (sample.AtS, sample.Rate))]);
        ChartSeries[] rates = results.Schedule is { } target ? [new("target", [(0, target.TargetRate), (results.ElapsedS, target.TargetRate)]), rate] : [rate];
        yield return LineChart.Draw("Rate over time", seconds, ChartAxis.FromZero("calls/s", rates.SelectMany(line => line.Points).Select(point => point.Y)), rates);

        ChartSeries[] percentiles =
        [
            new("p50", [.. results.Series.Select(sample => (sample.AtS, sample.P50Us))]),
            new("p99", [.. results.Series.Select(sample => (sample.AtS, sample.P99Us))]),
            new("p99.9", [.. results.Series.Where(sample => sample.P999Us > 0).Select(sample => (sample.AtS, sample.P999Us))]),
        ];
        yield return LineChart.Draw("Percentiles over time", seconds, ChartAxis.Log("us", percentiles.SelectMany(line => line.Points).Select(point => point.Y)), percentiles);
        if (results.HistogramUs.Count > 0) yield return Spectrum.Draw("Percentile spectrum", ("response", results.HistogramUs));
        if (results.Schedule is not { InFlight: { Count: > 1 } open }) yield break;
        ChartSeries inFlight = new("in flight", [.. open.Select((calls, i) => (results.ElapsedS * (i + 1) / open.Count, (double)calls))]);
        yield return LineChart.Draw("Calls in flight", seconds, ChartAxis.FromZero("calls", open.Select(calls => (double)calls)), [inFlight]);
    }

    private static IEnumerable<IReadOnlyList<string>> LatencyRows(ResultsSection results)
    {
        (string Name, LatencyEntry? Entry)[] rows =
        [
            (results.Schedule is null ? "all" : "response", results.LatencyUs), ("service", results.Schedule?.ServiceUs), ("lag", results.Schedule?.LagUs),
            ("others", results.OthersUs), ("slow on purpose", results.SlowUs),
        ];
        foreach (var (name, entry) in rows)
        {
            if (entry is not null)
                yield return [name, Number(entry.Min), Number(entry.P50), Number(entry.P90), Number(entry.P99), Number(entry.P999), Number(entry.Max), Quantity.Count(entry.Count)];
        }
    }
}
