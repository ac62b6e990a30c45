namespace Mux.Runtime;

/// <summary>
/// Watches sends that were left to the .NET thread pool. If all of its threads are blocked, by code that may wait for these very bytes, another thread sends
/// them: after one to two ticks of the monitor, as with turns. Thread-safe.
/// </summary>
internal sealed class PostponedSends(WorkQueue others)
{
    private readonly Lock _gate = new();
    private List<IPostponedSend> _seen = []; // at the last tick; owned by the monitor
    private List<IPostponedSend> _new = []; // guarded by the lock

    public static PostponedSends OfProcess { get; } = new(WorkQueue.OfProcess);

    /// <summary>Adds a send that was left to the pool. Each is in here at most once: see <see cref="IPostponedSend.IsWatched"/>.</summary>
    public void Watch(IPostponedSend send)
    {
        lock (_gate) _new.Add(send);
        MonitorSignals.WakeIfAsleep();
    }

    /// <summary>True if sends are watched.</summary>
    public bool IsWatching
    {
        get
        {
            lock (_gate) return _new.Count > 0 || _seen.Count > 0;
        }
    }

    /// <summary>Called by the monitor: lets other threads do what the pool has not done since the last tick.</summary>
    /// <returns>True if sends are watched.</returns>
    public bool OnTick()
    {
        foreach (var send in _seen) send.IsWatched = false; // first: from now on it is added again
        if (_seen.Count > 0) Interlocked.MemoryBarrierProcessWide(); // a thread that leaves a send now is seen here, or sees that it must add it
        foreach (var send in _seen)
        {
            if (send.IsOwed) others.Add(send);
        }

        lock (_gate)
        {
            _seen.Clear();
            (_seen, _new) = (_new, _seen);
            return _seen.Count > 0;
        }
    }
}

/// <summary>Batches sends of a thread outside a turn: collects the hosts it appended to until the batch ends. Thread-local.</summary>
internal static class SendBatch
{
    [ThreadStatic]
    private static List<ITurnHost>? t_hosts;

    [ThreadStatic]
    private static int t_depth;

    public static void Begin() => t_depth++;

    /// <summary>Ends a batch begun by <see cref="Begin"/>; the outermost end flushes.</summary>
    public static void End()
    {
        if (--t_depth > 0 || t_hosts is not { Count: > 0 } hosts) return;
        t_hosts = null; // a flush may run code that begins another batch
        foreach (var host in hosts) host.Flush();
        hosts.Clear();
        t_hosts ??= hosts;
    }

    /// <summary>True if the bytes this thread appended to the host are sent at the end of its batch.</summary>
    public static bool Defers(ITurnHost host)
    {
        if (t_depth == 0) return false;
        var hosts = t_hosts ??= [];
        if (hosts.Count == 0 || (hosts[^1] != host && !hosts.Contains(host))) hosts.Add(host); // a handful: the connections of a channel or two
        return true;
    }
}

/// <summary>Sends what a connection has left to a thread of the .NET pool. Any thread may run it.</summary>
internal interface IPostponedSend : IThreadPoolWorkItem
{
    /// <summary>True if nothing was sent since it was left.</summary>
    bool IsOwed { get; }

    /// <summary>True while <see cref="PostponedSends"/> knows it. Set by the code that adds it, cleared by the monitor.</summary>
    bool IsWatched { get; set; }
}
