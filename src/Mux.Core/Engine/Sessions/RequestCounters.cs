using Mux.Contracts;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>Counts the accepted requests of the peer and their answers.</summary>
internal sealed class RequestCounters : ICountsRequests
{
    private long _paused; // since the start, like the next field
    private long _resumed;
    private long[] _startedOf = []; // by row of the tallies; written by the turn

    /// <summary>Requests accepted. Written by the turn.</summary>
    public long Started { get; private set; }

    /// <summary>Answers made in the turn.</summary>
    public CallTally TurnTally { get; } = new();

    /// <summary>Answers made elsewhere, under the connection's lock.</summary>
    public CallTally LockedTally { get; } = new();

    /// <summary>Requests that are answered by subscriptions to topics: they need no place.</summary>
    public OpenSubscriptions Subscriptions { get; } = new();

    /// <summary>Number of requests not answered yet. Any thread; never too low, because the answers are read first.</summary>
    public int OpenCount
    {
        get
        {
            long answered = TurnTally.Total + LockedTally.Total;
            return (int)(Started - answered);
        }
    }

    /// <summary>
    /// Number of requests that need a place of the server's handlers: they are not answered, wait neither for their rest nor until they may run, and are no
    /// subscriptions. Any thread; too low for a moment by subscriptions that end meanwhile.
    /// </summary>
    public int RunningCount
    {
        get
        {
            long paused = Volatile.Read(ref _paused);
            int subscriptions = Subscriptions.RunningCount;
            int open = OpenCount;
            return open - subscriptions - (int)(paused - Volatile.Read(ref _resumed));
        }
    }

    /// <summary>Counts a request that waits for its rest, or until it may run. Any thread.</summary>
    public void CountPaused() => Interlocked.Increment(ref _paused);

    /// <summary>Counts a request that waits no longer: it starts, or is answered next. Any thread.</summary>
    public void CountResumed() => Interlocked.Increment(ref _resumed);

    /// <summary>Counts an accepted request, which is answered exactly once. In the turn, before anything else is done with it.</summary>
    /// <param name="row">Where its method is counted: <see cref="CallTally.RowOf(int)"/>.</param>
    public void CountStarted(int row)
    {
        Started++;
        if ((uint)row >= (uint)_startedOf.Length) Grow(row);
        _startedOf[row]++;
    }

    /// <summary>Gets the number of requests of a method not answered yet. Any thread; never too low, like <see cref="OpenCount"/>.</summary>
    public long OpenCountOf(MethodDescriptor method)
    {
        long answered = TurnTally.CountOf(method) + LockedTally.CountOf(method);
        var started = Volatile.Read(ref _startedOf);
        int row = CallTally.RowOf(method);
        return row < started.Length ? started[row] - answered : 0;
    }

    private void Grow(int row)
    {
        var grown = _startedOf;
        Array.Resize(ref grown, Math.Max(row + 1, grown.Length * 2));
        Volatile.Write(ref _startedOf, grown);
    }
}

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
