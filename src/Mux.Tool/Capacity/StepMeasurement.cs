using Mux.Tool.Load;
using Mux.Tool.Measuring;

namespace Mux.Tool.Capacity;

/// <summary>Figures of an open loop at one rate, as far as they are judged.</summary>
/// <param name="TargetRate">Calls per second.</param>
/// <param name="Elapsed">Measured time.</param>
/// <param name="Made">Calls made meanwhile.</param>
/// <param name="Dropped">Calls not made, because too many were open.</param>
/// <param name="Failed">Calls that failed.</param>
/// <param name="Response">Times from when calls were due to their replies.</param>
/// <param name="Service">Times from when calls were made to their replies.</param>
/// <param name="Lag">Times from when calls were due to when they were made.</param>
/// <param name="InFlight">Calls in flight, sampled in even steps.</param>
internal sealed record StepMeasurement(
    double TargetRate,
    TimeSpan Elapsed,
    long Made,
    long Dropped,
    long Failed,
    LatencyHistogram Response,
    LatencyHistogram Service,
    LatencyHistogram Lag,
    IReadOnlyList<int> InFlight)
{
    /// <summary>Number of calls scheduled in this time.</summary>
    public double Planned => TargetRate * Elapsed.TotalSeconds;

    public static StepMeasurement Of(BenchOutcome outcome) => new(
        outcome.Schedule!.TargetRate,
        outcome.Elapsed,
        outcome.Schedule.Made,
        outcome.Schedule.Dropped,
        outcome.Failures.Values.Sum(),
        outcome.Latencies,
        outcome.Schedule.Service,
        outcome.Schedule.Lag,
        outcome.Schedule.InFlight);
}
