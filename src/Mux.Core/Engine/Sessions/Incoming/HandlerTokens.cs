using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Tokens of the handlers that take one, and the deadlines of their requests. They fire on CANCEL, deadline and the end of the connection. Members ending in
/// Locked need the connection's lock.
/// </summary>
internal sealed class HandlerTokens(Session session, RequestSlots slots)
{
    private DeadlineTable? _deadlines;

    public long NextDueLocked => _deadlines?.NextDue ?? Clock.Never;

    /// <summary>Opens a token for the handler of a call, which releases it when it has returned. In the turn, or while the call is parked.</summary>
    /// <param name="id">Id of the call.</param>
    /// <param name="due">Time at which the call expires.</param>
    public InboundCancellation Open(CallId id, long due)
    {
        var cancellation = InboundCancellation.Rent(session, id);
        Attach(id, due, cancellation);
        return cancellation;
    }

    /// <summary>Has an object learn that a call is abandoned or expires. In the turn, or while the call is parked.</summary>
    /// <param name="id">Id of the call.</param>
    /// <param name="due">Time at which the call expires.</param>
    /// <param name="cancellation">The object.</param>
    public void Attach(CallId id, long due, IInboundCancellation cancellation)
    {
        if (due != Clock.Never || _deadlines is not null) PublishWithDeadline(id, due, cancellation);
        else slots.Attach(id, cancellation);
        CancelIfAbandoned(id, cancellation);
    }

    /// <summary>
    /// Has an object learn that a call is abandoned, without the lock. Something else ends the call at its deadline: the object may be told of the deadline of
    /// an older call, which it must ignore. <see cref="CancelIfAbandoned"/> follows.
    /// </summary>
    public void AttachWithoutDeadline(CallId id, IInboundCancellation cancellation) => slots.Attach(id, cancellation);

    /// <summary>Cancels the call that is open in a slot: for the peer, in the turn; or for this side, under the lock.</summary>
    public void Cancel(int slot, CancelReason reason = CancelReason.Unspecified)
    {
        if (!slots.TryMarkCancelled(slot)) return;
        Interlocked.MemoryBarrier(); // against Open on another thread: it sees the mark, or this thread sees its token
        slots.FindCancellation(slot, out var id)?.Cancel(session, id, reason);
    }

    /// <summary>Cancels tokens of expired requests. Their handlers still answer.</summary>
    /// <returns>True if there may be more: others that wait for the lock go first.</returns>
    public bool ExpireLocked(long now)
    {
        session.AssertLocked();
        if (_deadlines is null || _deadlines.NextDue > now) return false;
        Span<int> expired = stackalloc int[512]; // some 50 microseconds
        foreach (int slot in expired[.._deadlines.TakeExpired(now, expired)])
        {
            slots.FindCancellation(slot, out var id)?.Expire(session, id);
        }

        return _deadlines.NextDue <= now;
    }

    /// <summary>
    /// Publishes token and deadline in one step. So an entry of the table belongs to this call if its slot has a token, and to an older one if not.
    /// </summary>
    private void PublishWithDeadline(CallId id, long due, IInboundCancellation cancellation)
    {
        lock (session.Gate)
        {
            _deadlines ??= new DeadlineTable();
            _deadlines.Set(id.Slot, due);
            session.RequestTickLocked(due);
            slots.Attach(id, cancellation);
        }
    }

    /// <summary>Tells an object that was attached of a cancel that came after the slot was opened and before that. A full barrier is before the look.</summary>
    public void CancelIfAbandoned(CallId id, IInboundCancellation cancellation)
    {
        Interlocked.MemoryBarrier();
        if (session.State > ConnectionState.Open || slots.IsCancelled(id)) cancellation.Cancel(session, id, CancelReason.Unspecified);
    }
}
