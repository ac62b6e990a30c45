using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <param name="TargetRate">Requested calls per second.</param>
/// <param name="Made">Calls made, on time or late.</param>
/// <param name="Dropped">Calls not made, because too many were open.</param>
/// <param name="Valid">True if the generator kept its schedule.</param>
/// <param name="InvalidBecause">Reasons why it did not.</param>
/// <param name="GranularityUs">Minimum time between two looks of the pacer at the schedule.</param>
/// <param name="LagUs">Times by which calls were made late.</param>
/// <param name="ServiceUs">Times from when calls were made to their replies.</param>
/// <param name="InFlight">Calls in flight, sampled in even steps over the measured time.</param>
internal sealed record ScheduleEntry(
    double TargetRate,
    long Made,
    long Dropped,
    bool Valid,
    IReadOnlyList<string> InvalidBecause,
    double GranularityUs,
    LatencyEntry LagUs,
    LatencyEntry ServiceUs,
    IReadOnlyList<int> InFlight)
{
    // More samples would not make the chart better.
    private const int MostSamples = 200;

    public static ScheduleEntry Of(ScheduleOutcome schedule) => new(
        schedule.TargetRate,
        schedule.Made,
        schedule.Dropped,
        schedule.IsValid,
        schedule.InvalidBecause,
        Math.Round(schedule.Tick.TotalMicroseconds, 1),
        LatencyEntry.Of(schedule.Lag),
        LatencyEntry.Of(schedule.Service),
        [.. schedule.InFlight.Where((_, i) => i % (1 + schedule.InFlight.Count / MostSamples) == 0)]);
}
