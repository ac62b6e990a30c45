using System.Diagnostics;

namespace Mux.Tool.Load;

/// <summary>
/// Calls in even steps, after a ramp on which the rate rises evenly from zero: at full rate from the first call, processes that are not compiled yet would
/// build up a backlog that the measurement must work off. The start never moves: a late generator catches up, and each call knows how late it was.
/// </summary>
/// <param name="Rate">Calls per second, after the ramp.</param>
/// <param name="StartsAt">Start of the ramp, in ticks of <see cref="Stopwatch"/>.</param>
/// <param name="RampSeconds">Length of the ramp.</param>
internal readonly record struct CallSchedule(double Rate, long StartsAt, double RampSeconds = 0)
{
    /// <summary>
    /// Gets the due time of a call, in ticks. In a ramp of w seconds, Rate / w * t^2 / 2 calls are due after t seconds, so the whole ramp makes half as many as
    /// the full rate.
    /// </summary>
    /// <param name="index">Index of the call, from 0.</param>
    public long IntendedAt(long index)
    {
        double inRamp = Rate * RampSeconds / 2;
        double seconds = index < inRamp ? Math.Sqrt(index * RampSeconds * 2 / Rate) : RampSeconds + ((index - inRamp) / Rate);
        return StartsAt + (long)(seconds * Stopwatch.Frequency);
    }
}
