namespace Mux.TestSupport.EndToEnd;

/// <summary>The real time, with a count of the timers that live. Each test has its own, so it has a ticker of its own too.</summary>
public sealed class CountedTime : TimeProvider
{
    private int _timers;

    /// <summary>Timers that were created and not disposed.</summary>
    public int Timers => Volatile.Read(ref _timers);

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        Interlocked.Increment(ref _timers);
        return new CountedTimer(this, base.CreateTimer(callback, state, dueTime, period));
    }

    private sealed class CountedTimer(CountedTime owner, ITimer inner) : ITimer
    {
        private int _disposed;

        public bool Change(TimeSpan dueTime, TimeSpan period) => inner.Change(dueTime, period);

        public void Dispose()
        {
            inner.Dispose();
            if (Interlocked.Exchange(ref _disposed, 1) == 0) Interlocked.Decrement(ref owner._timers);
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
