using Mux.TestSupport.EndToEnd;

namespace Mux.Discovery.Etcd.Tests;

/// <summary>A watch of a source that a test reads. Ends with the test.</summary>
internal sealed class ObservedSets : IAsyncDisposable
{
    private readonly CancellationTokenSource _end = new();
    private readonly Lock _gate = new();
    private readonly List<EndpointSet> _sets = [];
    private readonly Task _run;

    private ObservedSets(IEndpointSource source, TimeProvider time)
    {
        Refresh = new EndpointRefresh(time);
        _run = RunAsync(source);
    }

    public EndpointRefresh Refresh { get; }

    /// <summary>Why the watch has ended; null while it has not, or if it was told to.</summary>
    public Exception? Failure { get; private set; }

    public bool HasEnded => _run.IsCompleted;

    public int Count
    {
        get
        {
            lock (_gate) return _sets.Count;
        }
    }

    public EndpointSet? Last
    {
        get
        {
            lock (_gate) return _sets.LastOrDefault();
        }
    }

    public static ObservedSets Watch(IEndpointSource source, TimeProvider? time = null) => new(source, time ?? TimeProvider.System);

    /// <summary>Waits for a set with these addresses.</summary>
    public async Task<EndpointSet> ReachAsync(params string[] addresses)
    {
        var expected = addresses.Order(StringComparer.Ordinal).ToArray();
        await Eventually.Holds(() => HasEnded || Matches(), () => $"the endpoints {string.Join(", ", expected)}; there are {Last?.ToString() ?? "none yet"}");
        if (Failure is not null) throw new InvalidOperationException("The watch has ended.", Failure);
        return Last!;

        bool Matches() => Last is { } set && set.Select(endpoint => endpoint.Address.ToString()).Order(StringComparer.Ordinal).SequenceEqual(expected);
    }

    /// <summary>Waits for the failure of the watch.</summary>
    public async Task<Exception> FailAsync()
    {
        await Eventually.Holds(() => HasEnded, "the end of the watch");
        return Failure ?? throw new InvalidOperationException("The watch has ended without a failure.");
    }

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        await _run;
        _end.Dispose();
    }

    private async Task RunAsync(IEndpointSource source)
    {
        try
        {
            await foreach (var set in source.WatchAsync(Refresh, _end.Token))
            {
                lock (_gate) _sets.Add(set);
            }
        }
        catch (Exception e) when (!_end.IsCancellationRequested)
        {
            Failure = e;
        }
        catch (OperationCanceledException)
        {
            // The test has ended.
        }
    }
}
