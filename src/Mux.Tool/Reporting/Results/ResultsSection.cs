using Mux.Tool.Load;
using Mux.Tool.Measuring;

namespace Mux.Tool.Reporting.Results;

/// <param name="ElapsedS">Seconds measured.</param>
/// <param name="Calls">Replies that came in this time.</param>
/// <param name="Rate">Calls per second.</param>
/// <param name="Interrupted">Whether the user ended the run.</param>
/// <param name="Errors">What went wrong.</param>
/// <param name="LatencyUs">Minimum, percentiles and maximum.</param>
/// <param name="Levels">The coarse levels.</param>
/// <param name="Client">What the calling process used.</param>
/// <param name="Server">What the answering process used; null if it does not tell.</param>
/// <param name="Series">One entry per second.</param>
/// <param name="HistogramUs">Every bucket that holds something: from, to (exclusive), count.</param>
internal sealed record ResultsSection(
    double ElapsedS,
    long Calls,
    double Rate,
    bool Interrupted,
    ErrorsEntry Errors,
    LatencyEntry LatencyUs,
    IReadOnlyList<LevelEntry> Levels,
    UsageEntry Client,
    UsageEntry? Server,
    IReadOnlyList<SeriesEntry> Series,
    IReadOnlyList<BucketEntry> HistogramUs)
{
    public static ResultsSection Of(BenchOutcome outcome) => new(
        Math.Round(outcome.Elapsed.TotalSeconds, 6),
        outcome.Latencies.Count,
        Math.Round(outcome.Rate, 1),
        outcome.IsInterrupted,
        ErrorsEntry.Of(outcome),
        LatencyEntry.Of(outcome.Latencies),
        [.. LatencyLevels.Of(outcome.Latencies).Select(LevelEntry.Of)],
        UsageEntry.Of(outcome.Client),
        outcome.Server is null ? null : UsageEntry.Of(outcome.Server),
        [.. outcome.Series.Select(SeriesEntry.Of)],
        [.. outcome.Latencies.Buckets().Select(BucketEntry.Of)]);
}
