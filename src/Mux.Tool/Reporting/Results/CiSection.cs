using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <summary>Flat figures for pipelines to compare. Null for figures that do not exist.</summary>
/// <param name="Rate">Calls per second, or another unit of the workload.</param>
/// <param name="Errors">Wrong and lost replies, protocol errors and failed calls.</param>
/// <param name="P50Us">Median latency in microseconds.</param>
/// <param name="P99Us">99th percentile in microseconds.</param>
/// <param name="P999Us">99.9th percentile in microseconds.</param>
/// <param name="ClientCpuUsPerCall">CPU time of the client in microseconds.</param>
/// <param name="ServerCpuUsPerCall">CPU time of the server in microseconds.</param>
/// <param name="ClientBytesPerCall">Managed bytes allocated by the client.</param>
/// <param name="ServerBytesPerCall">Managed bytes allocated by the server.</param>
/// <param name="CallsPerSend">Calls per send of the client.</param>
/// <param name="MbPerS">Large messages in millions of bytes per second; null for workloads without.</param>
/// <param name="ConnectsPerS">Connections replaced per second; null for none.</param>
/// <param name="ConnectErrors">Connections that could not be opened in the place of others.</param>
/// <param name="ConnectP50Us">Median time to connect in microseconds.</param>
/// <param name="ConnectP99Us">99th percentile in microseconds.</param>
/// <param name="ItemsPerS">Items per second of a method with streams: those received, or sent if there is no response stream; otherwise null.</param>
/// <param name="FirstP50Us">Median time to the first item in microseconds; null for no response stream.</param>
/// <param name="FirstP99Us">99th percentile in microseconds.</param>
/// <param name="SloMet">Whether the objectives are met; null for none, for a run of several, or if there were too few replies to tell.</param>
internal sealed record CiSection(
    double Rate,
    long Errors,
    double P50Us,
    double P99Us,
    double P999Us,
    double? ClientCpuUsPerCall,
    double? ServerCpuUsPerCall,
    double? ClientBytesPerCall,
    double? ServerBytesPerCall,
    double? CallsPerSend,
    double? MbPerS,
    double? ConnectsPerS = null,
    long? ConnectErrors = null,
    double? ConnectP50Us = null,
    double? ConnectP99Us = null,
    double? ItemsPerS = null,
    double? FirstP50Us = null,
    double? FirstP99Us = null,
    bool? SloMet = null)
{
    /// <summary>Gets the median of every figure, and the sum of the errors.</summary>
    public static CiSection Median(IEnumerable<CiSection> runs)
    {
        CiSection[] all = [.. runs];
        return new(
            Of(run => run.Rate).GetValueOrDefault(),
            all.Sum(run => run.Errors),
            Of(run => run.P50Us).GetValueOrDefault(),
            Of(run => run.P99Us).GetValueOrDefault(),
            Of(run => run.P999Us).GetValueOrDefault(),
            Of(run => run.ClientCpuUsPerCall),
            Of(run => run.ServerCpuUsPerCall),
            Of(run => run.ClientBytesPerCall),
            Of(run => run.ServerBytesPerCall),
            Of(run => run.CallsPerSend),
            Of(run => run.MbPerS),
            Of(run => run.ConnectsPerS),
            all[0].ConnectErrors is null ? null : all.Sum(run => run.ConnectErrors),
            Of(run => run.ConnectP50Us),
            Of(run => run.ConnectP99Us),
            Of(run => run.ItemsPerS),
            Of(run => run.FirstP50Us),
            Of(run => run.FirstP99Us));

        double? Of(Func<CiSection, double?> figure) => all.Select(figure).OfType<double>().ToArray() is { Length: > 0 } values ? Sample.Median(values) : null;
    }

    public static CiSection Of(BenchOutcome outcome)
    {
        var latency = LatencyEntry.Of(outcome.Latencies);
        var first = outcome.Items is { First: { Count: > 0 } times } ? LatencyEntry.Of(times) : null;
        return new(
            Math.Round(outcome.Rate, 1),
            outcome.Errors,
            latency.P50,
            latency.P99,
            latency.P999,
            UsageEntry.Rounded(outcome.Client.CpuMicrosecondsPerCall),
            UsageEntry.Rounded(outcome.Server?.CpuMicrosecondsPerCall),
            UsageEntry.Rounded(outcome.Client.BytesPerCall),
            UsageEntry.Rounded(outcome.Server?.BytesPerCall),
            UsageEntry.Rounded(outcome.Client.CallsPerSend),
            UsageEntry.Rounded(outcome.MegabytesPerSecond),
            UsageEntry.Rounded(outcome.Churn?.Rate),
            outcome.Churn?.Errors,
            outcome.Churn is { } churn ? LatencyEntry.Microseconds(churn.Latencies.Percentile(0.5)) : null,
            outcome.Churn is { } replaced ? LatencyEntry.Microseconds(replaced.Latencies.Percentile(0.99)) : null,
            UsageEntry.Rounded(outcome.Items?.ReceivedRate ?? outcome.Items?.SentRate),
            first?.P50,
            first?.P99);
    }
}
