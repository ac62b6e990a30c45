namespace Mux.Tool.Load;

/// <summary>One second of a run, or what was left of it at the end of a phase.</summary>
/// <param name="IsWarmup">Whether it is not measured.</param>
/// <param name="Elapsed">Since the phase (the warm-up, the measurement) began.</param>
/// <param name="Planned">How long the phase is to be.</param>
/// <param name="Length">How long this stretch was.</param>
/// <param name="Calls">Replies that came in it.</param>
/// <param name="P50">The median of their latencies, in nanoseconds.</param>
/// <param name="P99">What 99 % of them do not exceed.</param>
/// <param name="Total">Replies since the phase began.</param>
/// <param name="Errors">Wrong replies and failed calls since the load began.</param>
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
    /// <summary>What 99.9 % of the latencies do not exceed.</summary>
    public long P999 { get; init; }

    /// <summary>Calls open now; of an open loop also those made and dropped since the load began.</summary>
    public LaneCounts Counts { get; init; }

    /// <summary>Calls per second.</summary>
    public double Rate => Length == TimeSpan.Zero ? 0 : Calls / Length.TotalSeconds;
}
