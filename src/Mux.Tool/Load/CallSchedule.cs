using System.Diagnostics;

namespace Mux.Tool.Load;

/// <summary>
/// Calls in even steps, after a ramp on which the rate rises evenly from nothing: at full rate from the first call on, processes that are not compiled yet
/// would gather a backlog that the measurement has to work off. The start never moves: a generator that is late makes up for it, and the calls know how late
/// they were.
/// </summary>
/// <param name="Rate">Calls per second, behind the ramp.</param>
/// <param name="StartsAt">When the ramp begins, in ticks of <see cref="Stopwatch"/>.</param>
/// <param name="RampSeconds">How long it is.</param>
internal readonly record struct CallSchedule(double Rate, long StartsAt, double RampSeconds = 0)
{
    /// <summary>
    /// When a call is due, in ticks. In a ramp of w seconds t seconds in, Rate / w * t^2 / 2 calls are due, so in the whole of it half of what the rate makes.
    /// </summary>
    /// <param name="index">From 0.</param>
    public long IntendedAt(long index)
    {
        double inRamp = Rate * RampSeconds / 2;
        double seconds = index < inRamp ? Math.Sqrt(index * RampSeconds * 2 / Rate) : RampSeconds + ((index - inRamp) / Rate);
        return StartsAt + (long)(seconds * Stopwatch.Frequency);
    }
}
