namespace Mux.Runtime;

/// <summary>
/// A timer with its own thread, which ends with the timer. .NET timers run on the thread pool: if that is full of blocked user code, no deadline would end a
/// call, and no keep-alive would be sent. Fires once per <see cref="Change"/>. Thread-safe.
/// </summary>
internal sealed class ThreadTimer : ITimer
{
    private readonly Action _fire;
    private readonly object _gate = new(); // not a Lock, which has no Wait
    private long _due; // milliseconds; long.MaxValue for never
    private bool _isDisposed;

    private ThreadTimer(Action fire, TimeSpan wait)
    {
        _fire = fire;
        _due = DueIn(wait);
    }

    /// <returns>Null if the provider is not the system's, or the system has no more threads.</returns>
    public static ITimer? TryStart(TimeProvider provider, Action fire, TimeSpan wait)
    {
        if (provider != TimeProvider.System) return null;
        var timer = new ThreadTimer(fire, wait);
        return EngineThread.TryStart(timer.Run, "Mux timer") ? timer : null;
    }

    /// <param name="dueTime">Whole milliseconds, or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <param name="period">Must be <see cref="Timeout.InfiniteTimeSpan"/>: periods are not supported.</param>
    public bool Change(TimeSpan dueTime, TimeSpan period)
    {
        if (period != Timeout.InfiniteTimeSpan) throw new NotSupportedException("The timer fires once: a period is not supported.");
        lock (_gate)
        {
            if (_isDisposed) return false;
            _due = DueIn(dueTime);
            Monitor.Pulse(_gate);
            return true;
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            Monitor.Pulse(_gate);
        }
    }

    public ValueTask DisposeAsync()
    {
        Dispose();
        return default;
    }

    // TickCount64 is rounded down, and a timer must not fire early: add 1.
    private static long DueIn(TimeSpan wait) => wait == Timeout.InfiniteTimeSpan ? long.MaxValue : Environment.TickCount64 + (long)wait.TotalMilliseconds + 1;

    private void Run()
    {
        while (AwaitDue()) _fire();
    }

    /// <returns>False once the timer is disposed.</returns>
    private bool AwaitDue()
    {
        lock (_gate)
        {
            while (!_isDisposed)
            {
                long left = _due == long.MaxValue ? Timeout.Infinite : Math.Max(0, _due - Environment.TickCount64);
                if (left == 0)
                {
                    _due = long.MaxValue;
                    return true;
                }

                EngineThread.AwaitPulse(_gate, (int)Math.Min(left, int.MaxValue));
            }

            return false;
        }
    }
}
