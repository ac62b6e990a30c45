using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <param name="AtS">End of the sample, in seconds since the start of the measurement.</param>
/// <param name="LengthS">Length in seconds: 1 except for the last.</param>
/// <param name="Calls">Replies in it.</param>
/// <param name="Rate">Calls per second.</param>
/// <param name="P50Us">Median latency in microseconds.</param>
/// <param name="P99Us">99th percentile in microseconds.</param>
/// <param name="Errors">Wrong replies and failed calls since the load began.</param>
/// <param name="P999Us">99.9th percentile in microseconds.</param>
/// <param name="Open">Calls open at its end.</param>
/// <param name="Dropped">Calls of an open loop dropped since the load began.</param>
internal sealed record SeriesEntry(
    double AtS, double LengthS, long Calls, double Rate, double P50Us, double P99Us, long Errors, double P999Us, int Open, long Dropped)
{
    public static SeriesEntry Of(ProgressSample sample) => new(
        Math.Round(sample.Elapsed.TotalSeconds, 6),
        Math.Round(sample.Length.TotalSeconds, 6),
        sample.Calls,
        Math.Round(sample.Rate, 1),
        LatencyEntry.Microseconds(sample.P50),
        LatencyEntry.Microseconds(sample.P99),
        sample.Errors,
        LatencyEntry.Microseconds(sample.P999),
        sample.Counts.Open,
        sample.Counts.Dropped);
}
