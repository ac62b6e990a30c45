using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Topics;

/// <summary>A subscription that reads when the test says so.</summary>
internal sealed class Watch : IAsyncDisposable
{
    private readonly CancellationTokenSource _cancellation = new();
    private readonly IAsyncEnumerator<Tick> _items;
    private Task<bool> _next;

    private Watch(Func<CancellationToken, IAsyncEnumerable<Tick>> call)
    {
        _items = call(_cancellation.Token).GetAsyncEnumerator(_cancellation.Token);
        _next = _items.MoveNextAsync().AsTask();
    }

    public List<Tick> Got { get; } = [];

    /// <summary>Subscribes. If a ticker is given, returns when it has the subscriber.</summary>
    public static async Task<Watch> BeginAsync(Ticker? ticker, Func<CancellationToken, IAsyncEnumerable<Tick>> call)
    {
        int before = ticker?.Ticks.GetStatistics().Subscribers ?? 0;
        var watch = new Watch(call);
        if (ticker is not null) await Eventually.Holds(() => ticker.Ticks.GetStatistics().Subscribers > before, "the subscriber");
        return watch;
    }

    public async Task<List<Tick>> TakeAsync(int count)
    {
        while (Got.Count < count && await TakeOneAsync())
        {
        }

        return Got;
    }

    public async Task TakeUntilAsync(Func<Tick, bool> isLast)
    {
        while (await TakeOneAsync() && !isLast(Got[^1]))
        {
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _cancellation.CancelAsync();
        try
        {
            await _next.Within("the end of the call");
        }
        catch (Exception error) when (error is OperationCanceledException or MuxException)
        {
            // As it is to be.
        }

        await _items.DisposeAsync();
        _cancellation.Dispose();
    }

    private async Task<bool> TakeOneAsync()
    {
        if (!await _next.Within($"item {Got.Count}")) return false;
        Got.Add(_items.Current);
        _next = _items.MoveNextAsync().AsTask();
        return true;
    }
}
