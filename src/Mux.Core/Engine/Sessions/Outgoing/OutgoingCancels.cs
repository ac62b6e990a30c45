using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>Tells the peer which calls this side has abandoned, at the pace that the peer allows. Guarded by the connection's lock.</summary>
internal sealed class OutgoingCancels(Session session, CallSlots slots)
{
    private readonly OutboundQueue _outbound = session.Outbound;
    private List<(CallId Id, CancelReason Reason)>? _unplaced; // their requests are not in the byte stream yet
    private CancelPace? _pace; // created by the first cancel, where the peer announces a budget

    public long NextDueLocked => _pace?.NextDue ?? Clock.Never;

    /// <summary>Appends the CANCEL of a call that was just abandoned, now or when the peer allows it.</summary>
    public void AddLocked(CallId id, CancelReason reason)
    {
        session.AssertLocked();
        if (slots.IsUnplacedLocked(id.Slot))
        {
            (_unplaced ??= []).Add((id, reason));
            return;
        }

        if (session.Peer.PrematureCancels > 0)
        {
            _pace ??= new CancelPace(session.Peer.PrematureCancels);
            if (!_pace.TrySend(id, reason, session.Clock.Now))
            {
                session.RequestTickLocked(_pace.NextDue);
                return;
            }
        }

        AppendLocked(id, reason);
    }

    /// <summary>The requests of the turn are in the byte stream: appends the CANCELs of those that were abandoned before.</summary>
    public void OnPlacedLocked()
    {
        session.AssertLocked();
        if (_unplaced is not { Count: > 0 } abandoned) return;
        foreach (var (id, reason) in abandoned)
        {
            // Another thread may have abandoned the call before in the slot, whose reply then freed it for a call of the turn.
            if (slots.IsAbandonedLocked(id)) AddLocked(id, reason);
        }

        abandoned.Clear();
    }

    /// <summary>Appends the CANCELs whose time has come, of calls that the peer has not answered.</summary>
    public void ExpireLocked(long now)
    {
        session.AssertLocked();
        while (_pace is not null && _pace.TryTake(now, out var held, out var reason))
        {
            if (slots.IsAbandonedLocked(held)) AppendLocked(held, reason);
        }
    }

    private void AppendLocked(CallId id, CancelReason reason)
    {
        session.AssertLocked();
        _outbound.CommitLocked(FrameWriter.Cancel(_outbound.ReserveLocked(FrameHeader.Size + CancelFrame.Length), id, reason));
    }
}

/// <summary>
/// Keeps the cancels of this side within what the peer has announced (setting 19). Cancels beyond it are sent when their calls are no longer young. A delayed
/// cancel only lets the handler run longer: the caller's call fails at once. Guarded by the connection's lock.
/// </summary>
/// <param name="announced">Number of calls within ten seconds from which the peer counts how many are cancelled.</param>
internal sealed class CancelPace(long announced)
{
    /// <summary>
    /// A bucket gives twice its capacity within one window of the peer, and a link may deliver what it delayed in a shorter time. A quarter stays below nine
    /// tenths.
    /// </summary>
    private const int Part = 4;

    /// <summary>Microseconds after which a call is no longer young at the peer, with some margin for clocks.</summary>
    private const long Delay = 1_200_000;

    private readonly TokenBucket _bucket = new(Math.Max(1, announced / Part));
    private readonly Queue<(CallId Id, CancelReason Reason, long Due)> _held = new();

    public long NextDue => _held.TryPeek(out var first) ? first.Due : Clock.Never;

    /// <summary>True if a cancel may be sent now; otherwise it is kept for <see cref="TryTake"/>.</summary>
    public bool TrySend(CallId id, CancelReason reason, long now)
    {
        if (_bucket.TryTake(now)) return true;
        _held.Enqueue((id, reason, now + Delay));
        return false;
    }

    /// <summary>Takes the next cancel after its delay. Its call may be answered by now.</summary>
    public bool TryTake(long now, out CallId id, out CancelReason reason)
    {
        (id, reason) = (default, default);
        if (!_held.TryPeek(out var first) || first.Due > now) return false;
        (id, reason, _) = _held.Dequeue();
        return true;
    }
}
