using Mux.Tool.Reporting.Results;

namespace Mux.Tool.Reporting;

/// <summary>
/// Results as metrics of Prometheus, in seconds and bytes: README.md lists them. No label differs between two runs of the same configuration on the same
/// machine, as every value of a label makes a new time series.
/// </summary>
internal static class PrometheusReport
{
    private const double MillisecondsPerSecond = 1e3;
    private const double MicrosecondsPerSecond = 1e6;

    public static string Of(ResultFile result)
    {
        var text = new PrometheusText();
        Append(text, result.Configuration, result.Ci, result.Environment);
        var labels = LabelsOf(result.Configuration);
        text.Add("mux_bench_valid", "1 if the generator kept its schedule in every run, else 0; of an open loop.", ValidityOf(result), labels);
        text.Add("mux_bench_connect_rate", "Connections replaced per second under load.", result.Ci.ConnectsPerS, labels);
        text.Add("mux_bench_connect_errors", "Connections that could not be opened in the place of others.", result.Ci.ConnectErrors, labels);
        foreach (var (quantile, figure) in ((string, double?)[])[("0.5", result.Ci.ConnectP50Us), ("0.99", result.Ci.ConnectP99Us)])
        {
            text.Add("mux_bench_connect_latency_seconds", "Percentiles of the time to connect.", figure / MicrosecondsPerSecond,
                [.. labels, ("quantile", quantile)]);
        }

        text.Add("mux_bench_item_rate", "Items per second of a method with streams.", result.Ci.ItemsPerS, labels);
        foreach (var (quantile, figure) in ((string, double?)[])[("0.5", result.Ci.FirstP50Us), ("0.99", result.Ci.FirstP99Us)])
        {
            text.Add("mux_bench_first_item_seconds", "Percentiles of the time from a call to its first item.", figure / MicrosecondsPerSecond,
                [.. labels, ("quantile", quantile)]);
        }

        text.Add("mux_bench_slo_met", "1 if the objectives are met, else 0.", Flag(result.Ci.SloMet), labels);
        return text.ToString();
    }

    public static string Of(SweepFile result)
    {
        var text = new PrometheusText();
        foreach (var cell in result.Cells)
        {
            var configuration = result.Configuration with { Connections = cell.Connections, InFlight = cell.InFlight, Size = cell.Size };
            Append(text, configuration, cell.Ci, result.Environment);
        }

        return text.ToString();
    }

    public static string Of(CapacityFile result)
    {
        var text = new PrometheusText();
        (string, object?)[] labels =
            [("workload", result.Configuration.Workload), ("connections", result.Configuration.Connections), ("slo", result.Search.Slo)];
        text.Add("mux_capacity_rate", "Highest rate that meets the objectives, in calls per second; 0 if there is none.", result.Answer.Rate, labels);
        text.Add("mux_capacity_at_least", "1 if the capacity may be higher, else 0.", Flag(result.Answer.AtLeast), labels);
        text.Add("mux_capacity_confirmed", "1 if a long run at the rate met the objectives too, else 0.", Flag(result.Answer.Confirmed), labels);
        text.Add(
            "mux_capacity_limited_by_generator", "1 if the generator was saturated before the server, else 0.", Flag(result.Answer.LimitedByGenerator), labels);
        AppendOrigin(text, "mux_capacity", result.Environment, labels);
        return text.ToString();
    }

    private static void Append(PrometheusText text, ConfigurationSection configuration, CiSection ci, EnvironmentSection environment)
    {
        var labels = LabelsOf(configuration);
        text.Add("mux_bench_rate", "Replies per second, or another unit of the workload.", ci.Rate, labels);
        text.Add("mux_bench_errors", "Errors of every kind, warm-up included.", ci.Errors, labels);
        foreach (var (quantile, value) in ((string, double)[])[("0.5", ci.P50Us), ("0.99", ci.P99Us), ("0.999", ci.P999Us)])
        {
            text.Add("mux_bench_latency_seconds", "Percentiles of the latencies; of an open loop, of the response times.", value / MicrosecondsPerSecond,
                [.. labels, ("quantile", quantile)]);
        }

        foreach (var (side, cpu, bytes) in ((string, double?, double?)[])
            [("client", ci.ClientCpuUsPerCall, ci.ClientBytesPerCall), ("server", ci.ServerCpuUsPerCall, ci.ServerBytesPerCall)])
        {
            text.Add("mux_bench_cpu_seconds_per_call", "CPU time of a process per call.", cpu / MicrosecondsPerSecond, [.. labels, ("side", side)]);
            text.Add("mux_bench_allocated_bytes_per_call", "Managed bytes that a process allocates per call.", bytes, [.. labels, ("side", side)]);
        }

        text.Add("mux_bench_calls_per_send", "Calls per send of the client.", ci.CallsPerSend, labels);
        text.Add("mux_bench_bytes_per_second", "Large messages in bytes per second.", ci.MbPerS * 1e6, labels);
        AppendOrigin(text, "mux_bench", environment, labels);
    }

    private static (string, object?)[] LabelsOf(ConfigurationSection configuration) =>
    [
        ("workload", configuration.Workload), ("unit", configuration.Unit), ("size", configuration.Size), ("connections", configuration.Connections),
        ("in_flight", configuration.InFlight), ("target_rate", configuration.Rate),
    ];

    private static void AppendOrigin(PrometheusText text, string prefix, EnvironmentSection environment, (string, object?)[] labels)
    {
        double? startedAt = environment.Date?.ToUnixTimeMilliseconds() / MillisecondsPerSecond;
        text.Add(prefix + "_timestamp_seconds", "Start of the command, in seconds since 1970 in UTC.", startedAt, labels);
        text.Add(
            prefix + "_info",
            "The tool and its machine; the value is 1.",
            1,
            [
                .. labels, ("tool", environment.Client.Tool), ("runtime", environment.Client.Runtime), ("cpu_model", environment.Client.CpuModel),
                ("cpus", environment.Client.Cpus), ("kernel", environment.Client.Kernel), ("congestion_control", environment.Client.CongestionControl),
                ("engine", environment.Client.Engine),
            ]);
    }

    private static double? ValidityOf(ResultFile result)
    {
        if (result.Results.Schedule is null) return null;
        var runs = result.Runs is { Count: > 0 } all ? all.Select(run => run.Results) : [result.Results];
        return Flag(runs.All(run => run.Schedule is not { Valid: false }));
    }

    private static double? Flag(bool? value) => value is { } isTrue ? isTrue ? 1 : 0 : null;
}
