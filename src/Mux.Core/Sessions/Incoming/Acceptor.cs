using Mux.Sessions.Budgets;
using Mux.Sessions.Messages;
using Mux.Sessions.Setup;
using Mux.Wire;

namespace Mux.Sessions.Incoming;

/// <summary>
/// One connection's half that takes the calls of the peer: runs their requests, has them wait, or refuses them. They are answered by <see cref="ReplyPort"/>.
/// </summary>
internal sealed class Acceptor
{
    /// <summary>
    /// Requests that take more than this are charged to <see cref="ConnectionOptions.RunningLimit"/>; as many small ones as may be open take 16 MiB.
    /// </summary>
    private const int ChargedFrom = 1024;

    /// <summary>
    /// Milliseconds after which a request is worth sending again that found no memory, or no place for its handler. When either comes free is not known. Long
    /// enough that 5,000 callers that are refused and come again make 50,000 requests a second, a few percent of what a core refuses.
    /// </summary>
    public const uint RetryAfterLack = 100;

    private readonly Session _session;
    private readonly ReplyPort _replies;
    private readonly RequestSlots _slots;
    private readonly RequestRoom _room;
    private readonly int _maxCalls;
    private int _refusals; // since nothing behind _refusalsSince can have reached the peer; written under the lock, as that is
    private long _refusalsSince;

    public Acceptor(Session session, ReplyPort replies)
    {
        (_session, _replies, _slots, _room) = (session, replies, replies.Slots, replies.Room);
        _maxCalls = session.Options.Local.MaxCalls;
        Parking = new RequestParking(session, this, _room);
    }

    /// <summary>Where requests wait until there is room.</summary>
    public RequestParking Parking { get; }

    private bool MustWait => !_room.IsFree || _session.ParkedRequests > 0;

    /// <summary>Runs a request that is complete. In the turn.</summary>
    public ProtocolViolation? Start(in InboundCall call, ReadOnlySpan<byte> body)
    {
        if (MustWait) return Parking.Park(call, body);
        if (TryCharge(call, body.Length) is { } lack) return RefuseForMemory(call, body.Length, lack);
        if (call.IsExpired) _replies.Fail(call, MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, "The deadline passed before the request arrived.");
        else call.Method.Invoke(call, body);
        return null;
    }

    /// <summary>Runs a request that came in fragments: elsewhere if it is large, because decoding it should not keep the turn. In the turn.</summary>
    /// <param name="call">The call.</param>
    /// <param name="message">The request, and this member's to return.</param>
    public ProtocolViolation? StartFragmented(in InboundCall call, PartialMessage message)
    {
        ProtocolViolation? violation = null;
        if (message.Length <= ProtocolConstants.MaxWholeBody)
        {
            violation = Start(call, message.Body); // as if it had come in one frame
        }
        else if (MustWait)
        {
            violation = Parking.Park(call, message.Body);
        }
        else if (TryCharge(call, message.Length) is { } lack)
        {
            violation = RefuseForMemory(call, message.Length, lack);
        }
        else if (call.Method.TryQueue(call, new LargeRequest(call with { InTurn = false }, message), message.Length))
        {
            return null;
        }

        message.Return();
        return violation;
    }

    /// <summary>
    /// Answers a request of which nothing is kept and for which no handler was started. In the turn. Whatever is refused there is refused here: the refusals
    /// that a peer does not read are all that it is not charged for. The answer names the milliseconds after which it makes sense to call again; 0 is no hint.
    /// </summary>
    public ProtocolViolation? Refuse(in InboundCall call, MuxStatus status, string text, uint retryAfter = 0)
    {
        if (!_room.IsFree)
        {
            lock (_session.Gate) CountRefusalLocked();
        }

        _replies.Fail(call, new FailFrame((byte)status, MuxExecution.NotExecuted, retryAfter, text), 0, []);
        return Flood;
    }

    /// <summary>
    /// What a peer has done that sent requests in slots whose answers it did not read, or null. One that waits for its answers has at most as many refusals
    /// that it cannot have read as it may have calls open; so what is unsent is bounded too.
    /// </summary>
    public ProtocolViolation? Flood => Volatile.Read(ref _refusals) <= _maxCalls ? null
        : new(ConnectionCode.ExcessiveLoad, "Requests go on in slots whose answers were not read.");

    /// <summary>The peer gave a call up that is answered: what is left of a large reply is not sent. In the turn.</summary>
    public void CutReply(CallId id)
    {
        lock (_session.Gate)
        {
            if (_slots.FindReplyLocked(id) is not { IsEmpty: false } reply) return;
            _session.Outbound.BulkLocked.Drop(reply);
            _replies.FailLocked(id, MuxStatus.Cancelled, MuxExecution.Executed, "The caller gave the call up before its reply was sent.");
        }
    }

    /// <summary>Sends a failure of a call whose handler was not started.</summary>
    public void FailLocked(in InboundCall call, MuxStatus status, string text)
    {
        if (!_room.IsFree) CountRefusalLocked();
        _replies.FailLocked(call, status, MuxExecution.NotExecuted, text);
    }

    /// <summary>The grace of a drain ended: fails every request that is not answered, and cancels its token.</summary>
    public void FailAllLocked(string text)
    {
        Parking.FailLocked(text);
        for (int slot = 1; slot <= _slots.Highest; slot++)
        {
            if (!_slots.IsOpen(slot, out var id)) continue;
            _replies.Tokens.Cancel(slot);
            var stream = _slots.FindStream(id);
            stream?.EndLocked(drops: true);
            _replies.FailLocked(id, MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, text); // its handler runs, or waits for a thread to start it
            _slots.TryClose(id);
        }
    }

    /// <summary>The connection is over: cancels every token, and answers what is parked, for the counters.</summary>
    public void CloseLocked()
    {
        Interlocked.MemoryBarrier(); // against a turn that opens a request: either it sees the connection's state, or this sees its token
        Parking.FailLocked("The connection ended.");
        for (int slot = 1; slot <= _slots.Highest; slot++)
        {
            if (_slots.IsOpen(slot, out var id)) _slots.FindStream(id)?.EndLocked(drops: true);
            _replies.Tokens.Cancel(slot);
        }
    }

    /// <summary>Charges a request that is about to run, until it is answered.</summary>
    /// <returns>Why it cannot be; null if it is.</returns>
    public MemoryVerdict? TryCharge(in InboundCall call, int length)
    {
        long held = (long)length + call.HeldBeside;
        return held > ChargedFrom && _slots.TryCharge(call.Id, held) is not MemoryVerdict.Granted and var lack ? lack : null;
    }

    /// <summary>Answers a request for which there is no memory. In the turn, or where parked requests go.</summary>
    public ProtocolViolation? RefuseForMemory(in InboundCall call, int length, MemoryVerdict lack)
    {
        _session.Options.Shared!.OnRefused(lack);
        return Refuse(call, MuxStatus.ResourceExhausted, _slots.Memory!.Describe("request", length, lack), RetryAfterLack);
    }

    private void CountRefusalLocked()
    {
        if (_session.Outbound.OfferedLocked >= _refusalsSince) (_refusals, _refusalsSince) = (0, _session.Outbound.PositionLocked);
        _refusals++;
    }
}
