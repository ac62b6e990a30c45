namespace Mux.Tool.Load;

/// <summary>One second of a run, or the rest of a phase.</summary>
/// <param name="IsWarmup">True for the warm-up.</param>
/// <param name="Elapsed">Time since the start of the phase.</param>
/// <param name="Planned">Planned length of the phase.</param>
/// <param name="Length">Length of this sample.</param>
/// <param name="Calls">Number of replies in it.</param>
/// <param name="P50">Median of their latencies, in nanoseconds.</param>
/// <param name="P99">99th percentile of their latencies.</param>
/// <param name="Total">Number of replies since the start of the phase.</param>
/// <param name="Errors">Number of wrong replies and failed calls since the load began.</param>
internal sealed record ProgressSample(
    bool IsWarmup,
    TimeSpan Elapsed,
    TimeSpan Planned,
    TimeSpan Length,
    long Calls,
    long P50,
    long P99,
    long Total,
    long Errors)
{
    /// <summary>99.9th percentile of the latencies.</summary>
    public long P999 { get; init; }

    /// <summary>Calls open now; for an open loop also those made and dropped since the load began.</summary>
    public LaneCounts Counts { get; init; }

    /// <summary>Number of calls after which the phase ends; null if only its time decides.</summary>
    public long? PlannedCalls { get; init; }

    /// <summary>Number of items of response streams in it; null for calls without such a stream of a method.</summary>
    public long? Items { get; init; }

    /// <summary>Items per second; null for calls without.</summary>
    public double? ItemRate => Length == TimeSpan.Zero ? null : Items / Length.TotalSeconds;

    /// <summary>Calls per second.</summary>
    public double Rate => Length == TimeSpan.Zero ? 0 : Calls / Length.TotalSeconds;
}
