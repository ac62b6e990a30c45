using System.Diagnostics;

namespace Mux.Runtime;

/// <summary>
/// Collects the links on which other threads have bytes to send while the loop is busy; the loop ends a batch for each when it is done. A send costs 3 us, many
/// times the rest of a small reply, so replies that workers finish within one batch leave together.
/// </summary>
/// <remarks>
/// A loop that waits or polls accepts no link. Nor does a loop that has worked longer than a batch of cheap work since it last ended batches: it may be stuck
/// in user code, or have no core. The thread with bytes to send then sends them itself, including those that joined on that link before. <see cref="TryAdd"/>
/// is thread-safe; only the leader calls the rest.
/// </remarks>
internal sealed class JoinedBatch
{
    // Sending on this many links keeps the loop from receiving for 50 us; beyond it, other threads send in parallel.
    private const int MostLinks = 16;

    // Twice the time of a batch of cheap work; see EventLoop.
    private static readonly long s_longestWait = Stopwatch.Frequency / 5_000;

    private readonly Lock _gate = new();
    private List<BatchReceiver> _joined = [];
    private List<BatchReceiver> _ending = []; // owned by the leader
    private long _openSince; // 0 while closed

    /// <summary>Called when the loop starts to work.</summary>
    public void Open(long now) => Volatile.Write(ref _openSince, now);

    /// <summary>Adds a link.</summary>
    /// <returns>True if it was accepted.</returns>
    public bool TryAdd(BatchReceiver receiver)
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
    /// Called before the loop waits: ends the joined batches, then once more those that joined meanwhile. Later threads send by themselves, so that the loop
    /// can continue.
    /// </summary>
    public void Close()
    {
        if (!TryTake(isLast: false)) return;
        End();
        TryTake(isLast: true);
        End();
    }

    /// <summary>Ends the joined batches and starts over.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="delivering">The receiver that is delivering, which ends its own batch; null between deliveries.</param>
    public void EndAll(long now, BatchReceiver? delivering)
    {
        lock (_gate) TakeLocked();
        _ = delivering is not null && _ending.Remove(delivering);
        End();
        Open(now);
    }

    /// <returns>False if there was nothing to take; the batch is closed then.</returns>
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
        Debug.Assert(_gate.IsHeldByCurrentThread);
        (_joined, _ending) = (_ending, _joined);
        foreach (var receiver in _ending) receiver.HasJoined = false;
    }

    private void End()
    {
        foreach (var receiver in _ending) receiver.EndBatch();
        _ending.Clear();
    }
}
