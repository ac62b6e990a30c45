using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <param name="TargetRate">Calls per second that were asked for.</param>
/// <param name="Made">Calls made, on time or late.</param>
/// <param name="Dropped">Calls not made, because too many were open.</param>
/// <param name="Valid">Whether the generator kept its schedule.</param>
/// <param name="InvalidBecause">Why not.</param>
/// <param name="GranularityUs">Between two looks of the pacer at the schedule, at least.</param>
/// <param name="LagUs">How much later calls were made than they should have been.</param>
/// <param name="ServiceUs">From when calls were made to their replies.</param>
/// <param name="InFlight">Calls in flight, in even steps over the measured time.</param>
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
    // More would be no better a picture.
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
