using System.Collections.Concurrent;
using System.Diagnostics;
using Evidence.Fleets;

namespace Evidence.Stalls;

/// <summary>Calls that start at an even rate, whether or not earlier ones have their replies: those that a server keeps take no caller away from the others.</summary>
internal sealed class SteadyCalls(IFleet fleet, double perSecond)
{
    private readonly ConcurrentQueue<ServedCall> _served = [];
    private readonly long _begin = Stopwatch.GetTimestamp();
    private long _started;
    private long _open;
    private long _failed;

    public double Now => Stopwatch.GetElapsedTime(_begin).TotalMilliseconds;

    public IReadOnlyCollection<ServedCall> Served => _served;

    public long Failed => Volatile.Read(ref _failed);

    public long Open => Volatile.Read(ref _open);

    /// <summary>Starts calls until a time, in milliseconds since the begin. Blocks its thread.</summary>
    public void Run(double until)
    {
        for (; Now is var now && now < until; Thread.Sleep(1))
        {
            for (; _started * 1_000 / perSecond <= now; _started++) _ = CallAsync(_started * 1_000 / perSecond);
        }
    }

    public async Task EndAsync()
    {
        while (Open > 0) await Task.Delay(10);
    }

    private async Task CallAsync(double due)
    {
        Interlocked.Increment(ref _open);
        try
        {
            int server = await fleet.Who();
            _served.Enqueue(new ServedCall(due, Now - due, server));
        }
        catch (MuxException)
        {
            Interlocked.Increment(ref _failed);
        }
        finally
        {
            Interlocked.Decrement(ref _open);
        }
    }
}
