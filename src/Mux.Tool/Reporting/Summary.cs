using Mux.Tool.Load;
using Mux.Tool.Measuring;

namespace Mux.Tool.Reporting;

/// <summary>The result for people: at most 24 lines of 80 columns, every number with its unit.</summary>
internal static class Summary
{
    private const int StatusesPerLine = 2;

    private static readonly (string Name, double Quantile)[] s_percentiles = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999)];

    private static readonly string[] s_levels = ["< 0.01", "0.01-0.1", "0.1-0.5", "0.5-1", "1-3", ">= 3"];

    public static IEnumerable<string> Lines(BenchOutcome outcome)
    {
        var configuration = outcome.Configuration;
        yield return $"{configuration.Workload} calls to {outcome.Address}{(configuration.Target is null ? " (own server process)" : "")}";
        yield return $"{configuration.Connections} {(configuration.Connections == 1 ? "connection" : "connections")} x {configuration.InFlight} in flight{SizeNote(configuration)}";
        if (outcome.Latencies.Count == 0)
        {
            yield return "";
            yield return $"No calls were measured. In the warm-up {Quantity.Count(outcome.Replies)} were answered.";
            foreach (var line in ErrorLines(outcome)) yield return line;
            yield break;
        }

        yield return $"measured {Quantity.Seconds(outcome.Elapsed)} after {Quantity.Seconds(configuration.Warmup)} of warm-up";
        yield return "";
        yield return $"{Quantity.Count(outcome.Rate)} calls/s   {Quantity.Count(outcome.Latencies.Count)} calls";
        foreach (var line in ErrorLines(outcome)) yield return line;
        yield return "";
        foreach (var line in LatencyLines(outcome.Latencies)) yield return line;
        yield return "";
        foreach (var line in CostLines(outcome)) yield return line;
        yield return "";
        yield return "Closed loop: each call waits for the reply to the one before, so while the";
        yield return "server stalls no calls are made. The percentiles tell how long calls took,";
        yield return "not how long users who come at their own pace would have waited.";
    }

    private static string SizeNote(BenchConfiguration configuration) => configuration.Size is { } size ? $", {Quantity.Count(size)} bytes" : "";

    /// <summary>Those of the whole run, warm-up included.</summary>
    private static IEnumerable<string> ErrorLines(BenchOutcome outcome)
    {
        (string Name, long Count)[] kinds =
        [
            ("wrong", outcome.WrongReplies),
            ("lost", outcome.LostReplies),
            ("protocol", outcome.ProtocolErrors),
            ("failed", outcome.Failures.Values.Sum()),
        ];
        var errors = kinds.Where(kind => kind.Count > 0).Select(kind => $"{kind.Name} {Quantity.Compact(kind.Count)}").ToArray();
        yield return $"errors: {(errors.Length == 0 ? "none" : string.Join(", ", errors))}";
        foreach (var some in outcome.Failures.Chunk(StatusesPerLine))
            yield return $"  {string.Join(", ", some.Select(failure => $"{failure.Key} {Quantity.Compact(failure.Value)}"))}";
    }

    private static IEnumerable<string> LatencyLines(LatencyHistogram latencies)
    {
        string[] names = ["min", .. s_percentiles.Select(percentile => percentile.Name), "max"];
        string[] values = [Quantity.Microseconds(latencies.Min), .. s_percentiles.Select(p => Quantity.Microseconds(latencies.Percentile(p.Quantile))), Quantity.Microseconds(latencies.Max)];
        yield return Row("Latency, us", names);
        yield return Row("", values);
        yield return "";
        var levels = LatencyLevels.Of(latencies);
        yield return Row("Levels, ms", s_levels);
        yield return Row("calls", levels.Select(level => Quantity.Compact(level.Count)));
        yield return Row("share, %", levels.Select(level => Quantity.Decimal(100.0 * level.Count / latencies.Count, "0.00")));
    }

    private static IEnumerable<string> CostLines(BenchOutcome outcome)
    {
        yield return Row("Cost", ["CPU us/call", "bytes/call", "calls/send", "gen0 GCs", "gen1", "gen2"]);
        yield return CostRow("client", outcome.Client);
        yield return CostRow("server", outcome.Server);
    }

    private static string CostRow(string name, ProcessUsage? usage) => Row(name,
    [
        Quantity.Decimal(usage?.CpuMicrosecondsPerCall, "0.000"),
        Quantity.Decimal(usage?.BytesPerCall, "N0"),
        Quantity.Decimal(usage?.CallsPerSend, "N1"),
        Quantity.Decimal(usage?.Gen0Collections, "N0"),
        Quantity.Decimal(usage?.Gen1Collections, "N0"),
        Quantity.Decimal(usage?.Gen2Collections, "N0"),
    ]);

    private static string Row(string name, IEnumerable<string> cells) => $"{name,-11}" + string.Concat(cells.Select(cell => $"{cell,11}"));
}
