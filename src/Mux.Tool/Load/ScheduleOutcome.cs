using Mux.Tool.Measuring;

namespace Mux.Tool.Load;

/// <summary>Figures of an open loop in addition to its response times, for the measured time.</summary>
internal sealed record ScheduleOutcome
{
    /// <summary>Requested calls per second.</summary>
    public required double TargetRate { get; init; }

    /// <summary>Minimum time between two looks of the pacer at the schedule.</summary>
    public required TimeSpan Tick { get; init; }

    /// <summary>Number of calls made, on time or late.</summary>
    public required long Made { get; init; }

    /// <summary>Number of calls not made, because too many were open.</summary>
    public required long Dropped { get; init; }

    /// <summary>Times from when calls were made to their replies.</summary>
    public required LatencyHistogram Service { get; init; }

    /// <summary>Times by which calls were made late.</summary>
    public required LatencyHistogram Lag { get; init; }

    /// <summary>Calls in flight, sampled in even steps.</summary>
    public required IReadOnlyList<int> InFlight { get; init; }

    /// <summary>Reasons why the generator did not keep its schedule; empty for a valid run.</summary>
    public required IReadOnlyList<string> InvalidBecause { get; init; }

    public bool IsValid => InvalidBecause.Count == 0;
}
