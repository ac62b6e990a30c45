using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <summary>The figures that a pipeline compares, flat. Null where there is none.</summary>
/// <param name="Rate">Calls per second, or what else the workload counts.</param>
/// <param name="Errors">Wrong and lost replies, protocol errors and failed calls.</param>
/// <param name="P50Us">Microseconds, as the two that follow.</param>
/// <param name="P99Us">Likewise.</param>
/// <param name="P999Us">Likewise.</param>
/// <param name="ClientCpuUsPerCall">Microseconds on a CPU.</param>
/// <param name="ServerCpuUsPerCall">Likewise.</param>
/// <param name="ClientBytesPerCall">Managed bytes allocated.</param>
/// <param name="ServerBytesPerCall">Likewise.</param>
/// <param name="CallsPerSend">Of the client.</param>
/// <param name="MbPerS">Millions of bytes of large messages per second; null for workloads without.</param>
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
    double? MbPerS)
{
    /// <summary>The median of every figure, and the sum of the errors.</summary>
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
            Of(run => run.MbPerS));

        double? Of(Func<CiSection, double?> figure) => all.Select(figure).OfType<double>().ToArray() is { Length: > 0 } values ? Sample.Median(values) : null;
    }

    public static CiSection Of(BenchOutcome outcome)
    {
        var latency = LatencyEntry.Of(outcome.Latencies);
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
            UsageEntry.Rounded(outcome.MegabytesPerSecond));
    }
}
