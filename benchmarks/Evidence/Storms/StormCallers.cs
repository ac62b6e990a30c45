namespace Evidence.Storms;

/// <summary>Callers that call on and on, with a short pause after each call, whatever becomes of it.</summary>
internal sealed class StormCallers(Func<int, bool, ValueTask<int>> call, int callers)
{
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(5);

    private int _next;
    private long _failed;

    /// <summary>Calls made; they have the numbers from 1 to this.</summary>
    public int Calls => Volatile.Read(ref _next);

    public long Failed => Volatile.Read(ref _failed);

    /// <summary>Calls for so long.</summary>
    /// <param name="fails">What the servers are told to do with the calls.</param>
    /// <param name="time">How long.</param>
    public async Task RunAsync(bool fails, TimeSpan time)
    {
        using var stop = new CancellationTokenSource(time);
        await Task.WhenAll(Enumerable.Range(0, callers).Select(_ => Task.Run(async () =>
        {
            while (!stop.IsCancellationRequested)
            {
                await CallAsync(fails);
                await Task.Delay(s_pause);
            }
        })));
    }

    public async Task CallAsync(bool fails)
    {
        try
        {
            await call(Interlocked.Increment(ref _next), fails);
        }
        catch (MuxException)
        {
            Interlocked.Increment(ref _failed);
        }
    }
}
