using System.Diagnostics;

namespace Mux.Tool.Workloads;

/// <summary>Runs a profile in the handlers of a server. Thread-safe.</summary>
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

    /// <summary>Number of handlers that have run it.</summary>
    public long Calls => Volatile.Read(ref _calls);

    /// <summary>Their total time, on a CPU or waiting for one: their real cost.</summary>
    public double BusyMicroseconds => Volatile.Read(ref _busyTicks) * 1e6 / Stopwatch.Frequency;

    /// <summary>Runs it for one call, before this returns or on its own thread.</summary>
    public ValueTask DoAsync(long number)
    {
        if (_threads is not null) return new ValueTask(_threads.RunAsync(number));
        Perform(number, Stopwatch.GetTimestamp());
        return default;
    }

    public void Dispose() => _threads?.Dispose();

    /// <param name="number">Number of the call.</param>
    /// <param name="from">Start time.</param>
    /// <returns>End time.</returns>
    private long Perform(long number, long from)
    {
        long now = Stopwatch.GetTimestamp();
        while (now - from < _costTicks) now = Stopwatch.GetTimestamp();
        if (_profile.IsSlow(number))
        {
#pragma warning disable RS0030 // --slow measures handlers that block their thread
            Thread.Sleep(_slowTime);
#pragma warning restore RS0030
            now = Stopwatch.GetTimestamp();
        }

        Interlocked.Add(ref _busyTicks, now - from);
        Interlocked.Increment(ref _calls);
        return now;
    }
}
