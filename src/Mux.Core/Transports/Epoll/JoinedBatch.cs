using System.Diagnostics;

namespace Mux.Transports.Epoll;

/// <summary>
/// Links that other threads have something to send on while the loop is at work anyway: it ends a batch for each when it is done. A send costs 3 us, many times
/// what a small reply costs besides, so replies of workers that come within one batch leave together.
/// </summary>
/// <remarks>
/// A loop that waits or polls takes nothing, nor one that has been at it for longer than cheap work takes since it last ended batches: it may be stuck in user
/// code, or have no core. Then whoever has something to send sends it, with what has joined on that link before. <see cref="TryAdd"/> is for any thread, the
/// rest for the leader.
/// </remarks>
internal sealed class JoinedBatch
{
    // Sends of so many links keep the loop from receiving for 50 us; beyond that others send at the same time.
    private const int MostLinks = 16;

    // Twice what a batch of cheap work takes: see EventLoop.
    private static readonly long s_longestWait = Stopwatch.Frequency / 5_000;

    private readonly Lock _gate = new();
    private List<EpollReceiver> _joined = [];
    private List<EpollReceiver> _ending = []; // the leader's
    private long _openSince; // 0 while closed

    /// <summary>The loop begins to work.</summary>
    public void Open(long now) => Volatile.Write(ref _openSince, now);

    /// <summary>Adds a link.</summary>
    /// <returns>Whether it was taken.</returns>
    public bool TryAdd(EpollReceiver receiver)
    {
        long since = Volatile.Read(ref _openSince);
        if (since == 0 || Stopwatch.GetTimestamp() - since > s_longestWait) return false;
        lock (_gate)
        {
            if (_openSince == 0) return false;
            if (receiver.HasJoined) return true;
            if (_joined.Count == MostLinks) return false;
            receiver.HasJoined = true;
            _joined.Add(receiver);
            return true;
        }
    }

    /// <summary>
    /// The loop is about to wait: ends what has joined, and once more what joined meanwhile. Who comes later sends by itself, so that the loop gets on.
    /// </summary>
    public void Close()
    {
        if (!TryTake(isLast: false)) return;
        End();
        TryTake(isLast: true);
        End();
    }

    /// <summary>Ends what has joined, and begins anew.</summary>
    /// <param name="now">The time.</param>
    /// <param name="delivering">Whose delivery this is in, and which sees to itself; null between deliveries.</param>
    public void EndAll(long now, EpollReceiver? delivering)
    {
        lock (_gate) TakeLocked();
        _ = delivering is not null && _ending.Remove(delivering);
        End();
        Open(now);
    }

    /// <returns>False if there was nothing to take, and it is closed.</returns>
    private bool TryTake(bool isLast)
    {
        lock (_gate)
        {
            if (isLast || _joined.Count == 0) _openSince = 0;
            TakeLocked();
            return _ending.Count > 0;
        }
    }

    private void TakeLocked()
    {
        (_joined, _ending) = (_ending, _joined);
        foreach (var receiver in _ending) receiver.HasJoined = false;
    }

    private void End()
    {
        foreach (var receiver in _ending) receiver.EndBatch();
        _ending.Clear();
    }
}
