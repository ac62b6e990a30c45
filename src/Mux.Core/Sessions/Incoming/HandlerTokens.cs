using Mux.Sessions.Calls;
using Mux.Sessions.Lifecycle;
using Mux.Timing;
using Mux.Wire;

namespace Mux.Sessions.Incoming;

/// <summary>
/// The tokens of the handlers that take one, and until when their requests are wanted: they fire on CANCEL, deadline and the end of the connection. Members
/// ending in Locked need the connection's lock.
/// </summary>
internal sealed class HandlerTokens(Session session, RequestSlots slots)
{
    private DeadlineTable? _deadlines;

    public long NextDueLocked => _deadlines?.NextDue ?? Clock.Never;

    /// <summary>A token for the handler of a call, to be released when it has returned. In the turn, or while the call is parked.</summary>
    /// <param name="id">Of the call.</param>
    /// <param name="due">When it expires.</param>
    public InboundCancellation Open(CallId id, long due)
    {
        var cancellation = InboundCancellation.Rent(session, id);
        if (due != Clock.Never || _deadlines is not null) PublishWithDeadline(id, due, cancellation);
        else slots.Attach(id, cancellation);
        Interlocked.MemoryBarrier();
        // it may have come between opening the slot and this
        if (session.State > ConnectionState.Open || slots.IsCancelled(id)) cancellation.Cancel(session, id);
        return cancellation;
    }

    /// <summary>The peer gave the call up that is open in a slot, in the turn; or this side does, under the lock.</summary>
    public void Cancel(int slot)
    {
        if (!slots.TryMarkCancelled(slot)) return;
        Interlocked.MemoryBarrier(); // against Open on another thread: either it sees the mark, or this sees its object
        CancelToken(slot);
    }

    /// <summary>Cancels the tokens of requests whose deadline has passed. Their handlers still answer.</summary>
    public void ExpireLocked(long now)
    {
        if (_deadlines is null || _deadlines.NextDue > now) return;
        Span<int> expired = stackalloc int[64];
        int count;
        do
        {
            count = _deadlines.TakeExpired(now, expired);
            foreach (int slot in expired[..count]) CancelToken(slot);
        }
        while (count == expired.Length);
    }

    /// <summary>
    /// Token and deadline in one step, so that an entry in the table is this call's if its slot has a token, and an older call's if it has none.
    /// </summary>
    private void PublishWithDeadline(CallId id, long due, InboundCancellation cancellation)
    {
        lock (session.Gate)
        {
            _deadlines ??= new DeadlineTable();
            _deadlines.Set(id.Slot, due);
            session.RequestTickLocked(due);
            slots.Attach(id, cancellation);
        }
    }

    /// <summary>Cancels the token of the call that is open in a slot, if it has one.</summary>
    private void CancelToken(int slot) => slots.FindCancellation(slot, out var id)?.Cancel(session, id);
}
