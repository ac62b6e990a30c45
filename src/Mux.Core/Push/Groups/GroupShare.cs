using Mux.Runtime;

namespace Mux.Push;

/// <summary>
/// What of the queue of one member is that of one kind of groups, and how long callers still wait for it. Guarded by the lock of the queue.
/// </summary>
/// <remarks>
/// The patience is a budget: the time that callers wait is taken from it, and each time that the queue has been full and falls to its half, half of
/// <see cref="GroupKind.WaitTimeout"/> comes back. So a member that takes just enough does not hold callers for ever, and one that is as fast as it should be
/// sets their pace for as long as they call.
/// </remarks>
internal sealed class GroupShare(GroupKind kind)
{
    private long _patience = kind.WaitTimeout; // microseconds, at _waitsSince while callers wait
    private long _waitsSince;
    private bool _wasFull; // since it was at its half

    public GroupKind Kind => kind;

    /// <summary>Calls in the queue, without those that callers wait for.</summary>
    public int Calls { get; set; }

    /// <summary>Their bytes, with <see cref="GroupQueue.CallCharge"/> for each.</summary>
    public long Bytes { get; set; }

    /// <summary>Calls behind the queue, whose callers wait for room.</summary>
    public int WaitingCalls { get; private set; }

    public long WaitingBytes { get; private set; }

    /// <summary>The first call that a caller waits for; null if there is none.</summary>
    public GroupEntry? FirstWaiting { get; set; }

    public bool IsDownToHalf => Calls == 0 || Bytes <= kind.QueuedBytes / 2;

    /// <summary>True if a call of this size has no room in the queue. One of any size fits in an empty one, unless there is none at all.</summary>
    public bool IsFullFor(long bytes) => WaitingCalls > 0 || !Fits(bytes);

    /// <summary>True if a call of this size has room, though others wait before it.</summary>
    public bool Fits(long bytes) => Calls == 0 ? kind.QueuedBytes > 0 : Bytes + bytes <= kind.QueuedBytes;

    /// <summary>True if the caller of a call may wait.</summary>
    public bool MayWait(long bytes, long now) =>
        kind.QueuedBytes > 0 && PatienceAt(now) > 0 && WaitingBytes + bytes <= Math.Max(kind.QueuedBytes, bytes);

    /// <summary>Gets for how many microseconds callers still wait, in total.</summary>
    public long PatienceAt(long now) => WaitingCalls == 0 ? _patience : Math.Max(0, _patience - (now - _waitsSince));

    /// <summary>Gets when the first of the callers that wait does so no longer: no call waits for more than the timeout, whatever room is made.</summary>
    public long FirstEnd(long now) =>
        FirstWaiting is { } first ? Math.Min(now + PatienceAt(now), first.WaitsSince + kind.WaitTimeout) : Clock.Never;

    /// <summary>The queue has no room.</summary>
    public void OnFull() => _wasFull = true;

    /// <summary>The queue is down to its half.</summary>
    /// <param name="now">The time.</param>
    /// <param name="isTaken">True if the member has taken a call, false if calls have expired, which is no progress of the member.</param>
    public void OnHalf(long now, bool isTaken)
    {
        if (isTaken && _wasFull) (_patience, _waitsSince) = (Math.Min(kind.WaitTimeout, PatienceAt(now) + (kind.WaitTimeout / 2)), now);
        _wasFull = false;
    }

    /// <summary>One more caller waits.</summary>
    public void OnWaits(GroupEntry entry, long now)
    {
        FirstWaiting ??= entry;
        if (WaitingCalls == 0) _waitsSince = now;
        WaitingCalls++;
        WaitingBytes += entry.Charge;
        entry.WaitsSince = now;
    }

    /// <summary>One caller waits no longer.</summary>
    public void OnWaited(GroupEntry entry, long now)
    {
        long left = PatienceAt(now);
        WaitingBytes -= entry.Charge;
        if (--WaitingCalls == 0) _patience = left;
    }
}
