using Mux.Tool.Load;
using Mux.Tool.Measuring;

namespace Mux.Tool.Reporting.Results;

/// <param name="ElapsedS">Measured seconds.</param>
/// <param name="Calls">Replies in that time, or another unit.</param>
/// <param name="Rate">Their number per second.</param>
/// <param name="MbPerS">Large messages in millions of bytes per second, in each direction; for a mixed workload, replies only. Null for workloads
/// without.</param>
/// <param name="Interrupted">True if the user ended the run.</param>
/// <param name="Errors">Errors.</param>
/// <param name="Outcomes">Outcomes of the calls; null for workloads with streams, or with bulk in addition to calls.</param>
/// <param name="LatencyUs">Minimum, percentiles and maximum.</param>
/// <param name="SlowUs">Latencies of calls whose handlers block on purpose; null if there are none.</param>
/// <param name="OthersUs">Latencies of the other calls; null if none block.</param>
/// <param name="Bulk">Large replies of a mixed workload; otherwise null.</param>
/// <param name="Schedule">Schedule of an open loop; null for a closed one.</param>
/// <param name="Items">Items of a method with streams; otherwise null.</param>
/// <param name="Churn">Connections that were replaced under load; null if none were to be.</param>
/// <param name="Endpoints">Calls by endpoint; null for a target with one.</param>
/// <param name="HandlerUs">Actual mean time of handlers with a cost; null if they have none.</param>
/// <param name="Levels">The coarse levels.</param>
/// <param name="Client">Usage of the calling process.</param>
/// <param name="Server">Usage of the answering process; null if it does not report it.</param>
/// <param name="Series">One entry per second.</param>
/// <param name="HistogramUs">Buckets that are not empty: from, to (exclusive), count.</param>
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
    ItemsEntry? Items,
    ChurnEntry? Churn,
    IReadOnlyList<EndpointEntry>? Endpoints,
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
        outcome.Items is null ? null : ItemsEntry.Of(outcome.Items),
        outcome.Churn is null ? null : ChurnEntry.Of(outcome.Churn),
        outcome.Endpoints.Count == 0 ? null : [.. outcome.Endpoints.Select(EndpointEntry.Of)],
        UsageEntry.Rounded(outcome.Server?.HandlerMicrosecondsPerCall),
        [.. LatencyLevels.Of(outcome.Latencies).Select(LevelEntry.Of)],
        UsageEntry.Of(outcome.Client),
        outcome.Server is null ? null : UsageEntry.Of(outcome.Server),
        [.. outcome.Series.Select(SeriesEntry.Of)],
        [.. outcome.Latencies.Buckets().Select(BucketEntry.Of)]);
}
