using System.Collections.Concurrent;
using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Redis.Tests.Processes;

/// <summary>A subscriber that keeps what it gets.</summary>
internal sealed class Follower : IAsyncDisposable
{
    private readonly CancellationTokenSource _cancellation = new();
    private readonly ConcurrentQueue<SharedTick> _got = new();
    private readonly Task _following;

    public Follower(Func<CancellationToken, IAsyncEnumerable<SharedTick>> subscribe) => _following = FollowAsync(subscribe);

    public IReadOnlyList<SharedTick> Got => [.. _got];

    /// <summary>Waits until it has got an item.</summary>
    public Task GotAsync(int publisher, int index) =>
        Eventually.Holds(() => _got.Any(item => item.Publisher == publisher && item.Index == index), () => $"item {index} of {publisher}; there is {Describe()}");

    public void AssertInOrderAndOnce()
    {
        foreach (var publisher in _got.GroupBy(item => item.Publisher))
        {
            int last = 0;
            foreach (var item in publisher)
            {
                Assert.True(item.Index > last, $"Item {item.Index} of {item.Publisher} came after {last}.");
                last = item.Index;
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _cancellation.CancelAsync();
        await _following.Within("the end of a follower");
        _cancellation.Dispose();
    }

    private string Describe() => string.Join(' ', _got.TakeLast(10).Select(item => $"{item.Publisher}/{item.Index}#{item.Sequence}"));

    private async Task FollowAsync(Func<CancellationToken, IAsyncEnumerable<SharedTick>> subscribe)
    {
        try
        {
            await foreach (var item in subscribe(_cancellation.Token).WithCancellation(_cancellation.Token)) _got.Enqueue(item);
        }
        catch (Exception error) when (error is OperationCanceledException or MuxException)
        {
            // As it is to be; what is missing shows.
        }
    }
}
