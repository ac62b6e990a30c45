using Mux.Tool.Measuring;

namespace Mux.Tool.Reporting.Results;

/// <summary>Round trips in microseconds.</summary>
/// <param name="Min">The shortest.</param>
/// <param name="P50">The median.</param>
/// <param name="P99">The 99th percentile.</param>
/// <param name="Max">The longest.</param>
internal sealed record RoundTripEntry(double Min, double P50, double P99, double Max)
{
    public static RoundTripEntry Of(LatencyHistogram latencies) =>
        new(latencies.Min / 1e3, latencies.Percentile(0.5) / 1e3, latencies.Percentile(0.99) / 1e3, latencies.Max / 1e3);
}
