using System.Diagnostics;
using Mux.Timing;

namespace Mux.Groups;

/// <summary>
/// A timer of what a lock guards. When it fires is decided under the lock, and it is set without: a clock may be code of users. It may fire early or for
/// nothing, so what it runs looks at the time. Safe for concurrent use.
/// </summary>
/// <param name="clock">The clock.</param>
/// <param name="gate">The lock.</param>
/// <param name="fired">Runs without locks; calls <see cref="OnFiredLocked"/> first.</param>
internal sealed class LooseTimer(Clock clock, Lock gate, Action fired)
{
    private ITimer? _timer; // guarded by the lock, as are the fields below
    private long _due = Clock.Never; // it fires by then, or a thread is about to see to that
    private bool _hasEnded;

    /// <summary>Has it fire at some time, or before.</summary>
    /// <returns>True if this thread has to call <see cref="Set"/> without the lock.</returns>
    public bool IsSetForLocked(long due)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        if (due >= _due || _hasEnded) return false;
        _due = due;
        return true;
    }

    public void OnFiredLocked()
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        _due = Clock.Never;
    }

    /// <summary>Sets it for the time that was decided last.</summary>
    public void Set()
    {
        if (Find() is not { } timer) return;
        long due, set = Clock.Never;
        while (true)
        {
            lock (gate) due = _due;
            if (due == set || due == Clock.Never) return; // else another thread has decided, and may have set it before this one
            timer.Change(TimeSpan.FromMilliseconds(Math.Ceiling(Math.Max(0, due - clock.Now) / 1000.0)), Timeout.InfiniteTimeSpan);
            set = due;
        }
    }

    /// <summary>It fires no more. Called without the lock.</summary>
    public void End()
    {
        ITimer? timer;
        lock (gate)
        {
            _hasEnded = true;
            (timer, _timer) = (_timer, null);
        }

        timer?.Dispose();
    }

    /// <summary>Gets the timer; creates it at first, so that it keeps nothing of the caller alive. Null after the end.</summary>
    private ITimer? Find()
    {
        lock (gate)
        {
            if (_hasEnded || _timer is not null) return _timer;
        }

        var flow = ExecutionContext.IsFlowSuppressed() ? default : ExecutionContext.SuppressFlow();
        var made = clock.Provider.CreateTimer(static fired => ((Action)fired!)(), fired, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        flow.Dispose();
        ITimer? timer;
        lock (gate)
        {
            if (!_hasEnded) _timer ??= made;
            timer = _timer;
        }

        if (timer != made) made.Dispose();
        return timer;
    }
}
