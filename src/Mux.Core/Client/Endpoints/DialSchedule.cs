using System.Collections.Concurrent;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using Mux.Engine;
using Mux.Runtime;

namespace Mux.Client;

/// <summary>
/// When pools dial next, by time: one member of the ticker for all of them. A client may have a thousand servers that are away, and a tick looks at each member
/// of the ticker 100 times a second. Safe for concurrent use; its lock comes after that of a pool.
/// </summary>
/// <remarks>
/// Dials that are due together begin on one thread, one after the other: to wake a thread for each costs more than a
/// dial in vain. Where one blocks, in a transport or a log of the user, the next tick has another thread begin the rest.
/// </remarks>
internal sealed class DialSchedule : ITicked, IThreadPoolWorkItem
{
    /// <summary>Microseconds until another thread looks for dials that one has not begun.</summary>
    private const long LookInterval = 100_000;

    private static readonly ConditionalWeakTable<TimeProvider, DialSchedule> s_byProvider = [];

    private readonly Ticker _ticker;
    private readonly Lock _gate = new();
    private readonly PriorityQueue<PausedDials, long> _paused = new(); // each at most once
    private readonly ConcurrentQueue<Connection> _starting = new(); // due, and not begun
    private long _nextLook = Clock.Never; // at those that are not begun
    private long _nextDue = Clock.Never; // the ticker has this while there is one

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
            _paused.Remove(dials, out _, out _);
            if (due != Clock.Never) _paused.Enqueue(dials, due);
            FindNextLocked();
        }
    }

    /// <summary>Begins dials that are due: on the clock of a test at once, and otherwise at the end of the tick.</summary>
    public void Start(List<Connection> due)
    {
        if (Ticker.MayNotBlock) due.ForEach(_starting.Enqueue);
        else PausedDials.Start(due);
    }

    /// <inheritdoc/>
    public void OnTick(long now)
    {
        while (TakeDue(now) is { } dials) dials.OnDue(now);
        if (!_starting.IsEmpty) WorkQueue.OfProcess.Add(this);
        lock (_gate)
        {
            _nextLook = _starting.IsEmpty ? Clock.Never : now + LookInterval;
            FindNextLocked();
        }
    }

    /// <summary>Begins what is due, on a thread that may block.</summary>
    void IThreadPoolWorkItem.Execute()
    {
        var traces = ThreadTraces.OfCurrent();
        while (_starting.TryDequeue(out var connection))
        {
            FollowingWork.RunAfter(connection.LinkOfStart, static started => started.Start(), connection);
            traces.Remove(); // the next dial must not see what a transport or a log of the user left on the thread,
            EngineThread.AbsorbInterrupt(); // nor be lost to an interrupt
        }
    }

    private PausedDials? TakeDue(long now)
    {
        lock (_gate)
        {
            if (!_paused.TryPeek(out var dials, out long due) || due > now) return null;
            _paused.Dequeue();
            return dials;
        }
    }

    private void FindNextLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        long next = Math.Min(_nextLook, _paused.TryPeek(out _, out long due) ? due : Clock.Never);
        bool wasTicked = _nextDue != Clock.Never, isTicked = next != Clock.Never;
        Volatile.Write(ref _nextDue, next);
        if (isTicked == wasTicked) _ticker.Request(next);
        else if (isTicked) _ticker.Add(this);
        else _ticker.Remove(this);
    }
}
