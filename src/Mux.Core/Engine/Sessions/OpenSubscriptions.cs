using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Counts the calls of one connection that hand out a subscription to a topic. They run no code of the service, so they need no place of the server's handlers,
/// and have a limit of their own. One above that limit counts as a running handler. So does any other stream: a producer that waits may wait for its own
/// work. Safe for concurrent use.
/// </summary>
internal sealed class OpenSubscriptions : ICountsRequests
{
    private HandlerLimit? _limit; // null if there is none; set before the first call, like the next two
    private string _host = string.Empty;
    private Clock? _clock;
    private HandlerShare? _share; // made by the first subscription: most connections have none
    private int _count;

    /// <inheritdoc/>
    public int RunningCount => Volatile.Read(ref _count);

    /// <summary>Sets the limit of the server.</summary>
    public void Limit(HandlerLimit limit, string host, Clock clock) => (_limit, _host, _clock) = (limit, host, clock);

    /// <summary>Counts a subscription until it ends. Without room for it, it counts as a running handler.</summary>
    public async Task<bool> CountAsync(Task<bool> subscription)
    {
        bool isCounted = TryBegin();
        try
        {
            return await subscription.ConfigureAwait(false);
        }
        finally
        {
            if (isCounted) Interlocked.Decrement(ref _count);
        }
    }

    /// <summary>Returns all grants. The connection is gone, and its calls are over.</summary>
    public void Leave() => Volatile.Read(ref _share)?.Leave();

    private bool TryBegin()
    {
        int count = Interlocked.Increment(ref _count);
        if (_limit is not { } limit) return true;
        if ((Volatile.Read(ref _share) ?? Join(limit)) is not { } share || count <= share.Granted || share.TryResume(count, _clock!.Now)) return true;
        Interlocked.Decrement(ref _count);
        return false;
    }

    private HandlerShare? Join(HandlerLimit limit)
    {
        if (limit.Join(this, _host) is not { } made) return null;
        if (Interlocked.CompareExchange(ref _share, made, null) is not { } known) return made;
        made.Leave(); // another thread was faster
        return known;
    }
}
