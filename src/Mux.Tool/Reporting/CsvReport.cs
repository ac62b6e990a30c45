using System.Globalization;
using System.Text;
using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Reporting;

/// <summary>Results as comma-separated values (RFC 4180, but lines end with a line feed): README.md lists the columns.</summary>
internal static class CsvReport
{
    public static IReadOnlyList<string> BenchColumns { get; } =
    [
        "date", "workload", "unit", "size", "connections", "in_flight", "target_rate", "run", "rate", "errors", "p50_us", "p99_us", "p999_us",
        "client_cpu_us_per_call", "server_cpu_us_per_call", "client_bytes_per_call", "server_bytes_per_call", "calls_per_send", "mb_per_s", "slo_met",
        "connects_per_s", "connect_errors", "connect_p50_us", "connect_p99_us", "endpoint", "share",
    ];

    private const int FiguresOfEndpoint = 15;

    public static IReadOnlyList<string> CapacityColumns { get; } =
        ["date", "rate", "purpose", "verdict", "reason", "answered_rate", "p50_us", "p99_us", "p999_us", "lag_p99_us"];

    public static string Of(ResultFile result)
    {
        var runs = result.Runs is { Count: > 0 } all ? all.Select(run => (run.Ci, run.Results)) : [(result.Ci, result.Results)];
        return Table(BenchColumns, runs.SelectMany((run, i) => (IEnumerable<object?[]>)
        [
            Row(result.Environment, result.Configuration, i + 1, run.Ci, result.Ci.SloMet),
            .. (run.Results.Endpoints ?? []).Select(endpoint => Row(result.Environment, result.Configuration, i + 1, run.Results, endpoint)),
        ]));
    }

    public static string Of(SweepFile result) => Table(BenchColumns, result.Cells.Select((cell, i) => Row(
        result.Environment,
        result.Configuration with { Connections = cell.Connections, InFlight = cell.InFlight, Size = cell.Size },
        i + 1,
        cell.Ci,
        sloMet: null)));

    public static string Of(CapacityFile result) => Table(CapacityColumns, result.Steps.Select(step => (object?[])
    [
        Quantity.Date(result.Environment.Date), step.Rate, step.Purpose, step.Verdict, step.Reason, step.AnsweredRate, step.ResponseUs.P50, step.ResponseUs.P99,
        step.ResponseUs.P999, step.LagUs.P99,
    ]));

    private static object?[] Row(EnvironmentSection environment, ConfigurationSection configuration, int run, CiSection ci, bool? sloMet) =>
    [
        Quantity.Date(environment.Date), configuration.Workload, configuration.Unit, configuration.Size, configuration.Connections, configuration.InFlight,
        configuration.Rate, run, ci.Rate, ci.Errors, ci.P50Us, ci.P99Us, ci.P999Us, ci.ClientCpuUsPerCall, ci.ServerCpuUsPerCall, ci.ClientBytesPerCall,
        ci.ServerBytesPerCall, ci.CallsPerSend, ci.MbPerS, sloMet is { } isMet ? isMet ? "true" : "false" : null, ci.ConnectsPerS, ci.ConnectErrors,
        ci.ConnectP50Us, ci.ConnectP99Us, null, null,
    ];

    // What the others have in between is not known of an endpoint.
    private static object?[] Row(EnvironmentSection environment, ConfigurationSection configuration, int run, ResultsSection results, EndpointEntry endpoint) =>
    [
        Quantity.Date(environment.Date), configuration.Workload, configuration.Unit, configuration.Size, configuration.Connections, configuration.InFlight,
        configuration.Rate, run, results.ElapsedS > 0 ? Math.Round(endpoint.Calls / results.ElapsedS, 1) : 0, endpoint.Failed, endpoint.LatencyUs.P50,
        endpoint.LatencyUs.P99, endpoint.LatencyUs.P999, .. new object?[BenchColumns.Count - FiguresOfEndpoint], endpoint.Address, endpoint.Share,
    ];

    private static string Table(IReadOnlyList<string> columns, IEnumerable<object?[]> rows)
    {
        var text = new StringBuilder().AppendJoin(',', columns).Append('\n');
        foreach (var row in rows) text.AppendJoin(',', row.Select(Cell)).Append('\n');
        return text.ToString();
    }

    private static string Cell(object? value)
    {
        var text = Convert.ToString(value, CultureInfo.InvariantCulture) ?? "";
        return text.AsSpan().ContainsAny(',', '"', '\n') ? $"\"{text.Replace("\"", "\"\"", StringComparison.Ordinal)}\"" : text;
    }
}
