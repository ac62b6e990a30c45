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
