using System.Globalization;
using Mux.Tool.Reporting.Results;
using Mux.Tool.Workloads;

namespace Mux.Tool.Reporting.Html;

/// <summary>Page with the result of <c>mux bench</c>.</summary>
internal static class BenchPage
{
    public static byte[] Of(ResultFile result)
    {
        var (configuration, results) = (result.Configuration, result.Results);
        var unit = configuration.Counted;
        var page = new Page(
            $"{result.Ci.Rate.ToString("N0", CultureInfo.InvariantCulture)} {unit.Many}/s",
            Describe(configuration),
            NoteOf(configuration));
        if (results.Schedule is { Valid: false } invalid) page.Banner($"INVALID: {string.Join("; ", invalid.InvalidBecause)}");
        if (result.Slo is { Met: not true } slo) page.Banner($"Objectives {ObjectiveLines.NameOf(slo.Met)}: {slo.Objectives}");
        page.Tiles(Tiles(result));
        if (result.Slo is { } objectives)
        {
            page.Table("Objectives", ["", "measured, us or share", "limit", "outcome"],
                [.. objectives.Outcomes.Select(one =>
                    (IReadOnlyList<string>)[one.Objective, Number(one.Actual), Number(one.Limit), ObjectiveLines.NameOf(one.Met)])],
                (row, column) => column != 3 ? "" : objectives.Outcomes[row].Met == true ? "class=\"good\"" : "class=\"bad\"");
        }

        page.Charts(Charts(results, unit));
        page.Table("Latency, us", ["", "min", "p50", "p90", "p99", "p99.9", "max", unit.Many], [.. LatencyRows(results)]);
        if (results.Endpoints is { } endpoints)
        {
            page.Table("Endpoints", ["", "share, %", "p50, us", "p99, us", "p99.9, us", "max, us", "calls", "failed", "not reached"],
                [.. endpoints.Select(endpoint => (IReadOnlyList<string>)
                [
                    endpoint.Address, Number(100 * endpoint.Share), Number(endpoint.LatencyUs.P50), Number(endpoint.LatencyUs.P99),
                    Number(endpoint.LatencyUs.P999), Number(endpoint.LatencyUs.Max), Quantity.Count(endpoint.Calls), Quantity.Count(endpoint.Failed),
                    endpoint.NotReached ?? "",
                ])]);
        }

        if (results.Churn is { } churn)
        {
            page.Table("Connections replaced under load", ["", "connects/s", "requested", "failed", "p50, us", "p99, us", "max, us"],
                [["all", Number(churn.Rate), Number(churn.TargetRate), Quantity.Count(churn.Errors), Number(churn.LatencyUs.P50), Number(churn.LatencyUs.P99),
                    Number(churn.LatencyUs.Max)]]);
        }

        if (result is { Runs: { } runs, Spread: { } spread })
        {
            page.Table("Runs", ["", .. Metric.All.Select(metric => metric.TextOf(unit))],
                [.. runs.Select((run, i) => (IReadOnlyList<string>)[$"run {i + 1}", .. Metric.All.Select(metric => Number(metric.Of(run.Ci)))]),
                ["median", .. Metric.All.Select(metric => Number(spread.TryGetValue(metric.Name, out var figures) ? figures.Median : null))]]);
        }

        return page.Environment(result.Environment).ToBytes();
    }

    /// <summary>Describes the workload and the connections.</summary>
    public static string Describe(ConfigurationSection configuration)
    {
        var load = configuration.Rate is { } rate ? $"open loop at {Quantity.Count(rate)} calls/s" : $"{configuration.InFlight} in flight each";
        var size = configuration.Size is { } bytes ? $" of {Quantity.Count((long)bytes)} bytes" : "";
        var requests = configuration.Requests > 1 ? $", {Quantity.Count((long)configuration.Requests)} requests in turn" : "";
        return $"{configuration.Workload} {configuration.Counted.Many}{size} to {configuration.Target}, {configuration.Connections} connections, " +
            $"{load}{requests}";
    }

    /// <summary>Explains the latencies.</summary>
    private static string NoteOf(ConfigurationSection configuration) => configuration switch
    {
        { Shape: "one-way" } => "One-way: a call ends when its request is queued, and nothing tells whether the server executed it.",
        { Shape: "server-stream" or "duplex" } => "A response stream is one call: its latency ends with its last item.",
        { Window: { } window } =>
            $"Streams with {window} items in flight each. A latency is the time from passing an item to the stream to the arrival of its answer.",
        { StreamItems: not null } => "Streams, each as fast as its receiver reads: a latency is the time from one item to the next.",
        { Rate: null } => "Closed loop: each call waits for the reply to the previous call, so a stall of the server makes fewer calls slow than users would " +
            "have felt.",
        _ => "Open loop: the response time counts from the scheduled time of a call, the service time from the time at which it was made.",
    };

    public static string Number(double? value) => Quantity.Decimal(value, value < 100 ? "0.###" : "N0");

    private static IEnumerable<(string, string)> Tiles(ResultFile result)
    {
        var ci = result.Ci;
        var unit = result.Configuration.Counted;
        yield return ($"{unit.Many}/s", Number(ci.Rate));
        if (ci.MbPerS is { } megabytes) yield return (result.Results.Bulk is null ? "MB/s each way" : "bulk, MB/s", Number(megabytes));
        if (ci.ItemsPerS is { } items) yield return ("items/s", Number(items));
        if (ci.FirstP50Us is { } first) yield return ("first item p50, us", Number(first));
        yield return ("p50, us", Number(ci.P50Us));
        yield return ("p99, us", Number(ci.P99Us));
        yield return ("p99.9, us", Number(ci.P999Us));
        yield return ("errors", Number(ci.Errors));
        yield return ($"client CPU, us/{unit.One}", Number(ci.ClientCpuUsPerCall));
        yield return ($"server CPU, us/{unit.One}", Number(ci.ServerCpuUsPerCall));
        if (result.Results.Bulk is { } bulk) yield return ("bulk ahead, us", Number(bulk.BoundUs));
        if (result.Results.Outcomes is { DeadlineExceeded: > 0 } late) yield return ("deadline exceeded", Number(late.DeadlineExceeded));
        if (result.Results.Outcomes is { Cancelled: > 0 } cancelled) yield return ("cancelled", Number(cancelled.Cancelled));
        if (result.Results.Schedule is { } schedule) yield return ("dropped", Number(schedule.Dropped));
    }

    private static IEnumerable<string> Charts(ResultsSection results, CountedUnit unit)
    {
        var seconds = ChartAxis.Until("seconds", results.ElapsedS);
        ChartSeries rate = new($"{unit.Many}/s", [.. results.Series.Select(sample => (sample.AtS, sample.Rate))]);
        ChartSeries[] rates = results.Schedule is { } target ? [new("target", [(0, target.TargetRate), (results.ElapsedS, target.TargetRate)]), rate] : [rate];
        yield return LineChart.Draw(
            "Rate over time", seconds, ChartAxis.FromZero($"{unit.Many}/s", rates.SelectMany(line => line.Points).Select(point => point.Y)), rates);

        ChartSeries[] percentiles =
        [
            new("p50", [.. results.Series.Select(sample => (sample.AtS, sample.P50Us))]),
            new("p99", [.. results.Series.Select(sample => (sample.AtS, sample.P99Us))]),
            new("p99.9", [.. results.Series.Where(sample => sample.P999Us > 0).Select(sample => (sample.AtS, sample.P999Us))]),
        ];
        yield return LineChart.Draw(
            "Percentiles over time", seconds, ChartAxis.Log("us", percentiles.SelectMany(line => line.Points).Select(point => point.Y)), percentiles);
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
            ("others", results.OthersUs), ("slow on purpose", results.SlowUs), ("bulk", results.Bulk?.LatencyUs),
            ("first item", results.Items?.FirstUs),
        ];
        foreach (var (name, entry) in rows)
        {
            if (entry is not null)
                yield return [name, Number(entry.Min), Number(entry.P50), Number(entry.P90), Number(entry.P99), Number(entry.P999), Number(entry.Max),
                    Quantity.Count(entry.Count)];
        }
    }
}
