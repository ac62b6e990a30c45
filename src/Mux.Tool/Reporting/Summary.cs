using Mux.Tool.Load;
using Mux.Tool.Measuring;
using Mux.Tool.Workloads;

namespace Mux.Tool.Reporting;

/// <summary>Text report of a run: at most 24 lines of 80 columns, every number with its unit.</summary>
internal static class Summary
{
    private const int Width = 80;
    private const int RowName = 11;
    private const int StatusesPerLine = 2;

    private static readonly (string Name, double Quantile)[] s_percentiles = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999)];

    private static readonly string[] s_levels = ["< 0.01", "0.01-0.1", "0.1-0.5", "0.5-1", "1-3", ">= 3"];

    public static IEnumerable<string> Lines(BenchOutcome outcome)
    {
        var configuration = outcome.Configuration;
        if (outcome.Schedule is { IsValid: false } invalid)
        {
            foreach (var line in TextLines.Wrap($"INVALID ({string.Join("; ", invalid.InvalidBecause)})", Width)) yield return line;
        }

        foreach (var line in Heading(outcome)) yield return line;
        if (outcome.Latencies.Replies == 0 && outcome.Items is not { Received: > 0 }) // items alone are those of streams without an end
        {
            yield return "";
            yield return $"No {configuration.Traits.Unit.Many} were measured. In the warm-up {Quantity.Count(outcome.Replies)} were answered.";
            foreach (var line in WorkloadLines.Figures(outcome)) yield return line;
            foreach (var line in ErrorLines(outcome)) yield return line;
            yield break;
        }

        yield return $"measured {Quantity.Seconds(outcome.Elapsed)} after {Quantity.Seconds(configuration.Warmup)} of warm-up";
        yield return "";
        var unit = configuration.Traits.Unit;
        var rate = $"{Quantity.Count(outcome.Rate)} {unit.Many}/s   {Quantity.Count(outcome.Latencies.Replies)} {unit.Many}{TimedNote(outcome)}";
        var handOffs = HandOffNote(outcome);
        bool isOneLine = rate.Length + handOffs.Length <= Width;
        yield return isOneLine ? rate + handOffs : rate;
        if (!isOneLine) yield return handOffs.Trim();
        foreach (var line in WorkloadLines.Figures(outcome)) yield return line;
        foreach (var line in ErrorLines(outcome)) yield return line;
        yield return "";
        foreach (var line in LatencyLines(outcome)) yield return line;
        foreach (var line in EndpointLines.Of(outcome.Endpoints)) yield return line;
        yield return "";
        foreach (var line in CostLines(outcome)) yield return line;
        if (outcome.Schedule is null) yield return ""; // an open loop needs the line
        foreach (var line in outcome.Schedule is null ? WorkloadLines.Closing(configuration) : OpenLoopLines(outcome.Schedule)) yield return line;
    }

    /// <summary>Gets the lines about the workload and the connections.</summary>
    public static IEnumerable<string> Heading(BenchOutcome outcome)
    {
        var configuration = outcome.Configuration;
        var title = $"{TitleOf(configuration)} to {outcome.Address}{(configuration.Target is null ? " (own server process)" : "")}";
        foreach (var line in TextLines.Wrap(title, Width)) yield return line;
        yield return $"{configuration.Connections} " +
            $"{(configuration.Connections == 1 ? "connection" : "connections")}{(outcome.Address.Single is null ? " to each server" : "")}" +
            $"{LoadNote(configuration)}{SizeNote(configuration)}{MethodLines.RequestsNote(configuration)}";
        foreach (var line in EnvironmentLines.Machines(outcome.ClientEnvironment, outcome.ServerEnvironment)) yield return line;
        if (outcome.Handlers is { IsPlain: false } handlers) yield return HandlersNote(handlers, outcome.Server);
    }

    private static string TitleOf(BenchConfiguration configuration)
    {
        if (configuration.Method is { } method) return $"Calls of {method.Name}";
        var name = configuration.WorkloadName;
        return $"{char.ToUpperInvariant(name[0])}{name[1..]} {configuration.Traits.Unit.Many}";
    }

    private static string HandlersNote(HandlerProfile handlers, ProcessUsage? server)
    {
        var parts = new List<string>();
        if (handlers.CostMicroseconds > 0) parts.Add($"busy for {Quantity.Decimal(handlers.CostMicroseconds, "0.###")} us");
        if (handlers.HasSlow)
        {
            parts.Add($"{Quantity.Decimal(100 * handlers.SlowShare, "0.######")} % block for {Quantity.Decimal(handlers.SlowMicroseconds / 1000, "0.###")} ms");
        }

        if (handlers.Workers > 0) parts.Add($"{handlers.Workers} concurrently");
        if (server?.HandlerMicrosecondsPerCall is { } real) parts.Add($"{Quantity.Decimal(real, "0.0")} us measured");
        return $"handlers: {string.Join(", ", parts)}";
    }

    private static string LoadNote(BenchConfiguration configuration) =>
        configuration.Rate is { } rate ? $", open loop at {Quantity.Count(rate)} calls/s"
            : $" x {configuration.InFlight} " +
            $"{(!configuration.Traits.IsStream ? "in flight" : configuration.InFlight == 1 ? "stream" : "streams")}{WindowNote(configuration)}";

    private static string WindowNote(BenchConfiguration configuration) => configuration.Window is { } window ? $" x {window} in flight" : "";

    private static string SizeNote(BenchConfiguration configuration) =>
        configuration.Size is { } size ? $", {Quantity.Count(size)} bytes{(configuration.Traits.IsMixed ? $" x {configuration.BulkInFlight} beside" : "")}"
        : "";

    private static string TimedNote(BenchOutcome outcome) => outcome.Configuration.TimeEvery == 1 ? "" : $", one in {outcome.Configuration.TimeEvery} timed";

    /// <summary>Number of take-overs from threads blocked by user code; shown if there were any or handlers are configured to block.</summary>
    private static string HandOffNote(BenchOutcome outcome)
    {
        bool isExpected = outcome.Handlers is { IsPlain: false } || outcome.Client.TakeOvers > 0 || outcome.Server?.TakeOvers > 0;
        if (!isExpected) return "";
        var server = outcome.Server is null ? Quantity.NotAvailable : Quantity.Compact(outcome.Server.TakeOvers);
        return $"   hand-offs: client {Quantity.Compact(outcome.Client.TakeOvers)}, server {server}";
    }

    /// <summary>Gets the errors of the whole run, warm-up included.</summary>
    private static IEnumerable<string> ErrorLines(BenchOutcome outcome)
    {
        (string Name, long Count)[] kinds =
        [
            ("wrong", outcome.WrongReplies),
            ("lost", outcome.LostReplies),
            ("protocol", outcome.ProtocolErrors),
            ("unaccounted", outcome.Unaccounted),
            ("failed", outcome.Failures.Values.Sum()),
            ("connects", outcome.Churn?.Errors ?? 0),
        ];
        var errors = kinds.Where(kind => kind.Count > 0).Select(kind => $"{kind.Name} {Quantity.Compact(kind.Count)}").ToArray();
        yield return $"errors: {(errors.Length == 0 ? "none" : string.Join(", ", errors))}";
        foreach (var some in outcome.Failures.Chunk(StatusesPerLine))
            yield return $"  {string.Join(", ", some.Select(failure => $"{failure.Key} {Quantity.Compact(failure.Value)}"))}";
    }

    private static IEnumerable<string> LatencyLines(BenchOutcome outcome)
    {
        yield return Row("Latency, us", ["min", .. s_percentiles.Select(percentile => percentile.Name), "max"]);
        if (outcome.Latencies.Count > 0) yield return LatencyRow(outcome.Schedule is null ? "" : "response", outcome.Latencies);
        if (outcome.Schedule is { } schedule)
        {
            yield return LatencyRow("service", schedule.Service);
            yield return LatencyRow("lag", schedule.Lag);
        }

        if (outcome is { Others: { } others, Slow: { } slow })
        {
            yield return LatencyRow("others", others);
            yield return LatencyRow($"slow {Quantity.Decimal(100 * outcome.Handlers!.SlowShare, "0.##")}%", slow);
        }

        if (outcome.Bulk is { } bulk) yield return LatencyRow("bulk", bulk.Latencies);
        if (outcome.Items is { First: { Count: > 0 } first }) yield return LatencyRow("first item", first);
        // The levels are for comparison with a test that runs a closed loop of small calls.
        bool isSmall = outcome.Configuration is { Traits: { IsCallsAlone: true, IsBulk: false }, Deadline: null, CancelShare: 0 };
        if (!isSmall || outcome.Schedule is not null || outcome.Items is not null) yield break;
        yield return "";
        var levels = LatencyLevels.Of(outcome.Latencies);
        yield return Row("Levels, ms", s_levels);
        yield return Row("calls", levels.Select(level => Quantity.Compact(level.Count)));
        yield return Row("share, %", levels.Select(level => Quantity.Decimal(100.0 * level.Count / Math.Max(1, outcome.Latencies.Count), "0.00")));
    }

    private static string LatencyRow(string name, LatencyHistogram latencies) =>
        Row(name, [Quantity.Microseconds(latencies.Min), .. s_percentiles.Select(p => Quantity.Microseconds(latencies.Percentile(p.Quantile))),
            Quantity.Microseconds(latencies.Max)]);

    private static IEnumerable<string> OpenLoopLines(ScheduleOutcome schedule)
    {
        yield return $"made {Quantity.Compact(schedule.Made)}, dropped {Quantity.Compact(schedule.Dropped)}; the pacer looks every " +
            $"{Quantity.Count(schedule.Tick.TotalMicroseconds)} us or less often";
        yield return "response: from when a call was due; service: from when it was made";
    }

    private static IEnumerable<string> CostLines(BenchOutcome outcome)
    {
        var unit = outcome.Configuration.Traits.Unit;
        yield return Row("Cost", [unit.In("CPU us/call"), unit.In("bytes/call"), unit.In("calls/send"), "gen0 GCs", "gen1", "gen2"]);
        yield return CostRow("client", outcome.Client);
        yield return outcome.ServerUnknown is { } reason ? $"{"server",-RowName}{Quantity.NotAvailable}: {reason}" : CostRow("server", outcome.Server);
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

    private static string Row(string name, IEnumerable<string> cells) => $"{name,-RowName}" + string.Concat(cells.Select(cell => $"{cell,11}"));
}
