using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <param name="Replies">Number of large replies in the measured time.</param>
/// <param name="LatencyUs">Their latencies.</param>
/// <param name="BytesAhead">Maximum number of bulk bytes ahead of a small call.</param>
/// <param name="BoundUs">Time that a connection takes for them at the measured rate; null if there was no bulk.</param>
internal sealed record BulkEntry(long Replies, LatencyEntry LatencyUs, int BytesAhead, double? BoundUs)
{
    public static BulkEntry Of(BulkOutcome bulk) =>
        new(bulk.Latencies.Replies, LatencyEntry.Of(bulk.Latencies), BulkOutcome.BytesAhead, UsageEntry.Rounded(bulk.BoundMicroseconds));
}
