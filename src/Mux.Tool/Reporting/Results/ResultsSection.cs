using Mux.Tool.Load;
using Mux.Tool.Measuring;

namespace Mux.Tool.Reporting.Results;

/// <param name="ElapsedS">Seconds measured.</param>
/// <param name="Calls">Replies that came in this time, or what else is the unit.</param>
/// <param name="Rate">Of these, per second.</param>
/// <param name="MbPerS">Millions of bytes of large messages per second, in each direction; of a mixed workload from the server. Null for workloads
/// without.</param>
/// <param name="Interrupted">Whether the user ended the run.</param>
/// <param name="Errors">What went wrong.</param>
/// <param name="Outcomes">What became of the calls; null where streams were open, or bulk beside them.</param>
/// <param name="LatencyUs">Minimum, percentiles and maximum.</param>
/// <param name="SlowUs">The same of the calls whose handlers block on purpose; null if none do.</param>
/// <param name="OthersUs">The same of the other calls; null if none block.</param>
/// <param name="Bulk">The large replies of a mixed workload; else null.</param>
/// <param name="Schedule">Of an open loop; null for a closed one.</param>
/// <param name="HandlerUs">What a handler with a cost really took on average; null if they have none.</param>
/// <param name="Levels">The coarse levels.</param>
/// <param name="Client">What the calling process used.</param>
/// <param name="Server">What the answering process used; null if it does not tell.</param>
/// <param name="Series">One entry per second.</param>
/// <param name="HistogramUs">Every bucket that holds something: from, to (exclusive), count.</param>
internal sealed record ResultsSection(
    double ElapsedS,
    long Calls,
    double Rate,
    double? MbPerS,
    bool Interrupted,
    ErrorsEntry Errors,
    OutcomesEntry? Outcomes,
    LatencyEntry LatencyUs,
    LatencyEntry? SlowUs,
    LatencyEntry? OthersUs,
    BulkEntry? Bulk,
    ScheduleEntry? Schedule,
    double? HandlerUs,
    IReadOnlyList<LevelEntry> Levels,
    UsageEntry Client,
    UsageEntry? Server,
    IReadOnlyList<SeriesEntry> Series,
    IReadOnlyList<BucketEntry> HistogramUs)
{
    public static ResultsSection Of(BenchOutcome outcome) => new(
        Math.Round(outcome.Elapsed.TotalSeconds, 6),
        outcome.Latencies.Replies,
        Math.Round(outcome.Rate, 1),
        UsageEntry.Rounded(outcome.MegabytesPerSecond),
        outcome.IsInterrupted,
        ErrorsEntry.Of(outcome),
        outcome.Calls is null ? null : OutcomesEntry.Of(outcome.Calls),
        LatencyEntry.Of(outcome.Latencies),
        outcome.Slow is null ? null : LatencyEntry.Of(outcome.Slow),
        outcome.Others is null ? null : LatencyEntry.Of(outcome.Others),
        outcome.Bulk is null ? null : BulkEntry.Of(outcome.Bulk),
        outcome.Schedule is null ? null : ScheduleEntry.Of(outcome.Schedule),
        UsageEntry.Rounded(outcome.Server?.HandlerMicrosecondsPerCall),
        [.. LatencyLevels.Of(outcome.Latencies).Select(LevelEntry.Of)],
        UsageEntry.Of(outcome.Client),
        outcome.Server is null ? null : UsageEntry.Of(outcome.Server),
        [.. outcome.Series.Select(SeriesEntry.Of)],
        [.. outcome.Latencies.Buckets().Select(BucketEntry.Of)]);
}
