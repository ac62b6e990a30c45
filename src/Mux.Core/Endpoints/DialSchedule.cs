using System.Diagnostics;
using System.Runtime.CompilerServices;
using Mux.Timing;

namespace Mux.Endpoints;

/// <summary>
/// When pools dial next, by time: one member of the ticker for all of them. A client may have a thousand servers that are away, and a tick looks at each member
/// of the ticker 100 times a second. Safe for concurrent use; its lock comes after that of a pool.
/// </summary>
internal sealed class DialSchedule : ITicked
{
    private static readonly ConditionalWeakTable<TimeProvider, DialSchedule> s_byProvider = [];

    private readonly Ticker _ticker;
    private readonly Lock _gate = new();
    private readonly PriorityQueue<PausedDials, long> _paused = new(); // each at most once
    private long _nextDue = Clock.Never;

    private DialSchedule(Clock clock) => _ticker = Ticker.For(clock);

    /// <inheritdoc/>
    public long NextDue => Volatile.Read(ref _nextDue);

    /// <summary>Gets the schedule of a clock: one per <see cref="TimeProvider"/>.</summary>
    public static DialSchedule For(Clock clock) => s_byProvider.GetValue(clock.Provider, _ => new DialSchedule(clock));

    /// <summary>Sets when a pool dials next: <see cref="Clock.Never"/> if it has no paused dial. Nothing of it is kept then.</summary>
    public void Set(PausedDials dials, long due)
    {
        lock (_gate)
        {
            int before = _paused.Count;
            _paused.Remove(dials, out _, out _);
            if (due != Clock.Never) _paused.Enqueue(dials, due);
            FindNextLocked();
            if (before == 0 && _paused.Count > 0) _ticker.Add(this);
            else if (before > 0 && _paused.Count == 0) _ticker.Remove(this);
            else if (_paused.Count > 0) _ticker.Request(_nextDue);
        }
    }

    /// <inheritdoc/>
    public void OnTick(long now)
    {
        while (TakeDue(now) is { } dials) dials.OnDue(now);
    }

    private PausedDials? TakeDue(long now)
    {
        lock (_gate)
        {
            if (!_paused.TryPeek(out var dials, out long due) || due > now) return null;
            _paused.Dequeue();
            FindNextLocked();
            if (_paused.Count == 0) _ticker.Remove(this);
            return dials;
        }
    }

    private void FindNextLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        Volatile.Write(ref _nextDue, _paused.TryPeek(out _, out long next) ? next : Clock.Never);
    }
}
