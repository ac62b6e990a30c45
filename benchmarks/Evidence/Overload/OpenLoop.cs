using System.Diagnostics;

namespace Evidence.Overload;

/// <summary>Callers that come at a rate, whether or not earlier ones have been served, as users do. Each waits for as long as the channel allows.</summary>
internal sealed class OpenLoop(IBurner server)
{
    private const int MostSeconds = 120;

    private readonly long[] _served = new long[MostSeconds]; // by the second of the start
    private readonly long[] _refused = new long[MostSeconds];
    private readonly long[] _expired = new long[MostSeconds];
    private readonly long _begin = Stopwatch.GetTimestamp();
    private long _open;
    private long _lastFailure; // milliseconds since the begin at which the last call started that was not served

    public double Now => Stopwatch.GetElapsedTime(_begin).TotalMilliseconds;

    public double LastFailure => Volatile.Read(ref _lastFailure);

    public long ServedIn(int second) => _served[second];

    public long RefusedIn(int second) => _refused[second];

    public long ExpiredIn(int second) => _expired[second];

    /// <summary>Starts calls evenly until a time, in milliseconds since the begin.</summary>
    public void Run(double perSecond, double until)
    {
        double from = Now;
        for (long started = 0; Now is var now && now < until; Thread.Sleep(1))
        {
            for (long due = (long)((now - from) / 1_000 * perSecond); started < due; started++)
            {
                Interlocked.Increment(ref _open);
                _ = CallAsync((int)started);
            }
        }
    }

    public async Task EndAsync()
    {
        while (Volatile.Read(ref _open) > 0) await Task.Delay(10);
    }

    private async Task CallAsync(int number)
    {
        double start = Now;
        int second = Math.Min((int)(start / 1_000), MostSeconds - 1);
        try
        {
            await server.Burn(number);
            Interlocked.Increment(ref _served[second]);
        }
        catch (MuxException error)
        {
            Interlocked.Increment(ref (error.Status == MuxStatus.ResourceExhausted ? _refused : _expired)[second]);
            long at = (long)start;
            for (long last = Volatile.Read(ref _lastFailure); last < at;)
            {
                long seen = Interlocked.CompareExchange(ref _lastFailure, at, last);
                if (seen == last) break;
                last = seen;
            }
        }
        finally
        {
            Interlocked.Decrement(ref _open);
        }
    }
}
