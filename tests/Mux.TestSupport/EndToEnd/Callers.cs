namespace Mux.TestSupport.EndToEnd;

/// <summary>Callers that make one call after another, until they are told to end, and keep what fails.</summary>
public sealed class Callers : IAsyncDisposable
{
    private readonly Lock _gate = new();
    private readonly List<MuxException> _failures = []; // under the lock
    private readonly Task[] _running;
    private long _answered;
    private volatile bool _isEnding;

    /// <param name="count">Number of callers.</param>
    /// <param name="call">Makes a call.</param>
    public Callers(int count, Func<ValueTask> call) => _running = [.. Enumerable.Range(0, count).Select(_ => Task.Run(() => RunAsync(call)))];

    /// <summary>Number of calls that were answered.</summary>
    public long Answered => Interlocked.Read(ref _answered);

    /// <summary>The calls that failed.</summary>
    public MuxException[] Failures
    {
        get
        {
            lock (_gate) return [.. _failures];
        }
    }

    /// <summary>Waits until so many more calls are answered.</summary>
    public Task PassAsync(int calls)
    {
        long until = Answered + calls;
        return Eventually.Holds(() => Answered >= until, () => $"{calls} more answers; {Failures.Length} calls failed, the last: {Failures.LastOrDefault()?.Message ?? "none"}");
    }

    /// <summary>Waits for the last call of each.</summary>
    public Task EndAsync()
    {
        _isEnding = true;
        return Task.WhenAll(_running);
    }

    public async ValueTask DisposeAsync() => await EndAsync();

    private async Task RunAsync(Func<ValueTask> call)
    {
        while (!_isEnding)
        {
            try
            {
                await call();
                Interlocked.Increment(ref _answered);
            }
            catch (MuxException error)
            {
                lock (_gate) _failures.Add(error);
                await Task.Yield(); // what fails at once must not take the processor from the others
            }
        }
    }
}
