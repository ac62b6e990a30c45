using System.Diagnostics;

namespace Mux.Tool.Workloads;

/// <summary>Does what a profile says in the handlers of a server. Safe for concurrent use.</summary>
internal sealed class HandlerWork : IDisposable
{
    private readonly HandlerProfile _profile;
    private readonly HandlerThreads? _threads;
    private readonly long _costTicks;
    private readonly TimeSpan _slowTime;
    private long _busyTicks;
    private long _calls;

    public HandlerWork(HandlerProfile profile)
    {
        _profile = profile;
        _costTicks = (long)(profile.CostMicroseconds * Stopwatch.Frequency / 1e6);
        _slowTime = TimeSpan.FromMicroseconds(profile.SlowMicroseconds);
        _threads = profile.Workers > 0 ? new HandlerThreads(profile.Workers, Perform) : null;
    }

    public HandlerProfile Profile => _profile;

    /// <summary>Handlers that have done it.</summary>
    public long Calls => Volatile.Read(ref _calls);

    /// <summary>How long they were at it, added up, on a CPU or kept from one: what they really cost.</summary>
    public double BusyMicroseconds => Volatile.Read(ref _busyTicks) * 1e6 / Stopwatch.Frequency;

    /// <summary>Does it for one call, before this returns or on a thread of its own.</summary>
    public ValueTask DoAsync(long number)
    {
        if (_threads is not null) return new ValueTask(_threads.RunAsync(number));
        Perform(number, Stopwatch.GetTimestamp());
        return default;
    }

    public void Dispose() => _threads?.Dispose();

    /// <param name="number">The call's.</param>
    /// <param name="from">When it began.</param>
    /// <returns>When it ended.</returns>
    private long Perform(long number, long from)
    {
        long now = Stopwatch.GetTimestamp();
        while (now - from < _costTicks) now = Stopwatch.GetTimestamp();
        if (_profile.IsSlow(number))
        {
#pragma warning disable RS0030 // a handler that blocks its thread is what --slow is there to measure
            Thread.Sleep(_slowTime);
#pragma warning restore RS0030
            now = Stopwatch.GetTimestamp();
        }

        Interlocked.Add(ref _busyTicks, now - from);
        Interlocked.Increment(ref _calls);
        return now;
    }
}
