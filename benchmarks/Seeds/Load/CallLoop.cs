using System.Diagnostics;

namespace Seeds.Load;

/// <summary>Callers that each make their next call when the last one has its reply.</summary>
internal sealed class CallLoop<T>
{
    // One count per cache line, each written by its caller alone.
    private const int Stride = 16;

    private readonly long[] _counts;
    private readonly Task _running;
    private volatile bool _stopped;

    public CallLoop(int callers, Func<int, ValueTask<T>> call)
    {
        _counts = new long[callers * Stride];
        _running = Task.WhenAll(Enumerable.Range(0, callers).Select(caller => Task.Run(() => RunAsync(caller, call))));
    }

    /// <summary>Calls that have their replies.</summary>
    public long Count
    {
        get
        {
            long count = 0;
            for (int i = 0; i < _counts.Length; i += Stride) count += Volatile.Read(ref _counts[i]);
            return count;
        }
    }

    /// <summary>Calls per second from now on.</summary>
    public async Task<double> MeasureAsync(TimeSpan duration)
    {
        long before = Count;
        long start = Stopwatch.GetTimestamp();
        await Task.WhenAny(_running, Task.Delay(duration));
        if (_running.IsCompleted) await _running; // a call has failed
        return (Count - before) / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    /// <summary>Lets the calls that are open have their replies.</summary>
    public Task StopAsync()
    {
        _stopped = true;
        return _running;
    }

    private async Task RunAsync(int caller, Func<int, ValueTask<T>> call)
    {
        while (!_stopped)
        {
            await call(caller);
            Volatile.Write(ref _counts[caller * Stride], _counts[caller * Stride] + 1);
        }
    }
}
