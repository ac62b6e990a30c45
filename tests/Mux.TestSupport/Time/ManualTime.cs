namespace Mux.TestSupport.Time;

/// <summary>A clock that stands still until a test moves it; timers fire on the thread that does, in order of their due time.</summary>
public sealed class ManualTime : TimeProvider
{
    private readonly Lock _gate = new();
    private readonly List<ManualTimer> _timers = [];
    private TimeSpan _now = TimeSpan.FromDays(1);

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    /// <summary>Timers that are armed.</summary>
    public int ArmedTimers
    {
        get
        {
            lock (_gate) return _timers.Count(timer => timer.Due is not null);
        }
    }

    public override long GetTimestamp()
    {
        lock (_gate) return _now.Ticks;
    }

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch.AddTicks(GetTimestamp());

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new ManualTimer(this, callback, state);
        lock (_gate) _timers.Add(timer);
        timer.Change(dueTime, period);
        return timer;
    }

    /// <summary>Moves the clock and fires what becomes due on the way.</summary>
    public void Advance(TimeSpan by)
    {
        TimeSpan end;
        lock (_gate) end = _now + by;
        while (TakeDue(end) is { } due) due.Fire();
        lock (_gate) _now = end;
    }

    /// <summary>Moves the clock and fires nothing, like a machine that stood still: what is due fires late, with the next <see cref="Advance"/>.</summary>
    public void Jump(TimeSpan by)
    {
        lock (_gate) _now += by;
    }

    private ManualTimer? TakeDue(TimeSpan end)
    {
        lock (_gate)
        {
            var next = _timers.Where(timer => timer.Due <= end).MinBy(timer => timer.Due);
            if (next is null) return null;
            if (next.Due > _now) _now = next.Due.Value;
            next.Due = next.Period == Timeout.InfiniteTimeSpan ? null : _now + next.Period;
            return next;
        }
    }

    private sealed class ManualTimer(ManualTime owner, TimerCallback callback, object? state) : ITimer
    {
        public TimeSpan? Due { get; set; }

        public TimeSpan Period { get; private set; } = Timeout.InfiniteTimeSpan;

        public void Fire() => callback(state);

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            lock (owner._gate)
            {
                if (!owner._timers.Contains(this)) return false;
                Due = dueTime == Timeout.InfiniteTimeSpan ? null : owner._now + dueTime;
                Period = period;
                return true;
            }
        }

        public void Dispose()
        {
            lock (owner._gate) owner._timers.Remove(this);
        }

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
