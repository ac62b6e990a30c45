namespace Mux.Execution;

/// <summary>
/// A timer with a thread of its own, which ends with it. Timers of .NET run on the thread pool: in a process whose pool is full of blocked code no deadline
/// would end a call, and no keep-alive would be sent. Fires once for each <see cref="Change"/>; safe for concurrent use.
/// </summary>
internal sealed class ThreadTimer : ITimer
{
    private readonly Action _fire;
    private readonly object _gate = new(); // no Lock, which cannot be waited on
    private long _due; // milliseconds; long.MaxValue for never
    private bool _isDisposed;

    private ThreadTimer(Action fire, TimeSpan wait)
    {
        _fire = fire;
        _due = DueIn(wait);
    }

    /// <returns>Null where the time is not the system's, or the system gives no more threads.</returns>
    public static ITimer? TryStart(TimeProvider provider, Action fire, TimeSpan wait)
    {
        if (provider != TimeProvider.System) return null;
        var timer = new ThreadTimer(fire, wait);
        return EngineThread.TryStart(timer.Run, "Mux timer") ? timer : null;
    }

    /// <param name="dueTime">In whole milliseconds; or <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    /// <param name="period">Not supported: <see cref="Timeout.InfiniteTimeSpan"/>.</param>
    public bool Change(TimeSpan dueTime, TimeSpan period)
    {
        if (period != Timeout.InfiniteTimeSpan) throw new NotSupportedException("It fires once.");
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

    // the count of now is rounded down, and a timer must not fire early
    private static long DueIn(TimeSpan wait) => wait == Timeout.InfiniteTimeSpan ? long.MaxValue : Environment.TickCount64 + (long)wait.TotalMilliseconds + 1;

    private void Run()
    {
        while (AwaitDue()) _fire();
    }

    /// <returns>False when the timer is disposed.</returns>
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

                Monitor.Wait(_gate, (int)Math.Min(left, int.MaxValue));
            }

            return false;
        }
    }
}
