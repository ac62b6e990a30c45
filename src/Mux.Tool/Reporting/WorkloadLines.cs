using Mux.Tool.Load;

namespace Mux.Tool.Reporting;

/// <summary>Lines of a summary for specific workloads.</summary>
internal static class WorkloadLines
{
    private static readonly string[] s_closedLoop =
    [
        "Closed loop: each call waits for the reply to the previous call. While the",
        "server stalls no calls are made, so independent users would wait longer.",
    ];

    private static readonly string[] s_stream =
    [
        "Streams, each as fast as its receiver reads. The percentiles show the time",
        "between an item and the next one at the receiver.",
    ];

    private static readonly string[] s_exchange =
    [
        "Streams that return each item. The percentiles show the time from passing an",
        "item to the stream to the arrival of its answer, including the wait for the",
        "window.",
    ];

    /// <summary>Gets the figures in addition to the rate.</summary>
    public static IEnumerable<string> Figures(BenchOutcome outcome)
    {
        var configuration = outcome.Configuration;
        if (outcome.Bulk is { } bulk)
        {
            yield return $"bulk on {(configuration.BulkOn == BulkConnection.Same ? "the same" : "other")} connections: {Megabytes(bulk.MegabytesPerSecond)} " +
                $"MB/s, {Quantity.Compact(bulk.Latencies.Replies)} replies";
            yield return $"{BulkOutcome.BytesAhead / 1024} KiB that may be sent before a call take {Quantity.Decimal(bulk.BoundMicroseconds, "N1")} us at " +
                "this rate";
        }
        else if (outcome.MegabytesPerSecond is { } megabytes)
        {
            yield return $"{Megabytes(megabytes)} MB/s each way";
        }

        foreach (var line in MethodLines.Figures(outcome)) yield return line;
        if (outcome.Churn is { } churn) yield return EndpointLines.Of(churn);
        if (outcome.Calls is not { } calls || (configuration.Deadline is null && configuration.CancelShare == 0)) yield break;
        var parts = new List<string>();
        if (configuration.Deadline is not null) parts.Add($"deadline exceeded {Quantity.Compact(calls.DeadlineExceeded)}");
        if (configuration.CancelShare > 0) parts.Add($"cancelled {Quantity.Compact(calls.Cancelled)} of {Quantity.Compact(calls.CancelsChosen)} chosen");
        yield return $"{string.Join(", ", parts)}; of {Quantity.Compact(calls.Made)} calls made";
    }

    /// <summary>Explains the percentiles of a run without a schedule.</summary>
    public static IEnumerable<string> Closing(BenchConfiguration configuration) =>
        MethodLines.Closing(configuration.Method) ?? (!configuration.Traits.IsStream ? s_closedLoop : configuration.Window is null ? s_stream : s_exchange);

    private static string Megabytes(double value) => Quantity.Decimal(value, value < 100 ? "N1" : "N0");
}
