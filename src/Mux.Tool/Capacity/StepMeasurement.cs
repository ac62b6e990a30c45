using Mux.Tool.Load;
using Mux.Tool.Measuring;

namespace Mux.Tool.Capacity;

/// <summary>What an open loop at a rate has shown, as far as it is judged.</summary>
/// <param name="TargetRate">Calls per second.</param>
/// <param name="Elapsed">How long was measured.</param>
/// <param name="Made">Calls made meanwhile.</param>
/// <param name="Dropped">Calls not made, because too many were open.</param>
/// <param name="Failed">Calls that failed.</param>
/// <param name="Response">From when calls should have been made to their replies.</param>
/// <param name="Service">From when they were made.</param>
/// <param name="Lag">What lies between.</param>
/// <param name="InFlight">Calls open, in even steps.</param>
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
    /// <summary>Calls of the schedule in this time.</summary>
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
