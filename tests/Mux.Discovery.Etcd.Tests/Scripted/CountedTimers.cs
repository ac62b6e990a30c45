using Mux.TestSupport.Time;

namespace Mux.Discovery.Etcd.Tests.Scripted;

/// <summary>A clock that stands still until a test moves it, and counts the timers that were made of it.</summary>
internal sealed class CountedTimers : TimeProvider
{
    private readonly ManualTime _time = new();
    private int _created;

    public int Created => Volatile.Read(ref _created);

    public int Armed => _time.ArmedTimers;

    public override long TimestampFrequency => _time.TimestampFrequency;

    public override long GetTimestamp() => _time.GetTimestamp();

    public override DateTimeOffset GetUtcNow() => _time.GetUtcNow();

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = _time.CreateTimer(callback, state, dueTime, period);
        Interlocked.Increment(ref _created);
        return timer;
    }

    public void Advance(TimeSpan by) => _time.Advance(by);
}
