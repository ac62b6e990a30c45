using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <param name="Replies">Large replies that came in the measured time.</param>
/// <param name="LatencyUs">How long they took.</param>
/// <param name="BytesAhead">Of bulk, that may stand before a small call.</param>
/// <param name="BoundUs">How long a connection takes for these at the measured rate; null if no bulk came.</param>
internal sealed record BulkEntry(long Replies, LatencyEntry LatencyUs, int BytesAhead, double? BoundUs)
{
    public static BulkEntry Of(BulkOutcome bulk) =>
        new(bulk.Latencies.Replies, LatencyEntry.Of(bulk.Latencies), BulkOutcome.BytesAhead, UsageEntry.Rounded(bulk.BoundMicroseconds));
}
