using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>What an open loop has shown beside its response times, over the measured time.</summary>
internal sealed record ScheduleOutcome
{
    /// <summary>Calls per second that were asked for.</summary>
    public required double TargetRate { get; init; }

    /// <summary>Between two looks of the pacer at the schedule, at least.</summary>
    public required TimeSpan Tick { get; init; }

    /// <summary>Calls made, on time or late.</summary>
    public required long Made { get; init; }

    /// <summary>Calls not made, because too many were open.</summary>
    public required long Dropped { get; init; }

    /// <summary>From when calls were made to their replies.</summary>
    public required LatencyHistogram Service { get; init; }

    /// <summary>How much later calls were made than they should have been.</summary>
    public required LatencyHistogram Lag { get; init; }

    /// <summary>Calls in flight, in even steps.</summary>
    public required IReadOnlyList<int> InFlight { get; init; }

    /// <summary>Whether the generator kept its schedule, which the reasons tell; empty for a run that can be believed.</summary>
    public required IReadOnlyList<string> InvalidBecause { get; init; }

    public bool IsValid => InvalidBecause.Count == 0;
}
