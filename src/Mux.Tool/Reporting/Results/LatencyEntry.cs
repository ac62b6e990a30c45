using Mux.Tool.Measuring;

namespace Mux.Tool.Reporting.Results;

/// <summary>Latencies in microseconds, and their number.</summary>
internal sealed record LatencyEntry(double Min, double P50, double P90, double P99, double P999, double Max, long Count)
{
    public static LatencyEntry Of(LatencyHistogram latencies) => new(
        Microseconds(latencies.Min),
        Microseconds(latencies.Percentile(0.5)),
        Microseconds(latencies.Percentile(0.9)),
        Microseconds(latencies.Percentile(0.99)),
        Microseconds(latencies.Percentile(0.999)),
        Microseconds(latencies.Max),
        latencies.Count);

    public static double Microseconds(long nanoseconds) => nanoseconds / 1000.0;
}
