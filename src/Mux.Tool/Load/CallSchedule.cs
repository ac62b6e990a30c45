using System.Diagnostics;

namespace Mux.Tool.Load;

/// <summary>Calls in even steps from a start that never moves: a generator that is late makes up for it, and the calls know how late they were.</summary>
/// <param name="Rate">Calls per second.</param>
/// <param name="StartsAt">When the first one is due, in ticks of <see cref="Stopwatch"/>.</param>
internal readonly record struct CallSchedule(double Rate, long StartsAt)
{
    /// <summary>When a call is due, in ticks.</summary>
    /// <param name="index">From 0.</param>
    public long IntendedAt(long index) => StartsAt + (long)(index * (Stopwatch.Frequency / Rate));
}
