using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Starts calls in the connection's own turn, as the code after a call does that makes the next one: without the lock, in a slot that the turn has freed, into
/// the block of the turn. The lock is taken once for all of them, when the block is appended.
/// </summary>
/// <remarks>
/// Owned by the turn, except where stated. Meanwhile a call may be cancelled, and the connection may end. The request of such a call has no place in the byte
/// stream yet (<see cref="CallSlots.IsUnplacedLocked"/>), so its CANCEL waits until the block is appended.
/// </remarks>
internal sealed class TurnRequests(
    Session session, CallHolder holder, CallSlots slots, DefinedMethods defined, OutgoingDeadlines deadlines, OutgoingCancels cancels) : ITurnRequests
{
    private readonly TurnOutput _output = session.TurnOutput;
    private long _started;
    private long _withdrawn;

    /// <summary>Number of calls started here and not withdrawn. Any thread.</summary>
    public long Started => Volatile.Read(ref _started) - Volatile.Read(ref _withdrawn);

    /// <summary>Starts a call, if this thread still has the turn and nothing is special about the call.</summary>
    /// <param name="turn">The turn of this thread, which is or was one of the connection.</param>
    /// <param name="call">The call.</param>
    /// <param name="body">The request.</param>
    /// <returns>False if the call must be started under the lock; it is then untouched.</returns>
    public bool TryStart(Turn turn, OutgoingCall call, ReadOnlySpan<byte> body)
    {
        if (call.Due != Clock.Never && !session.CanHandOver) return false; // without a successor, code that blocks would keep the deadline from being watched
        // The next call of this thread may find that the turn is lost, and would overtake what is in its block.
        if (call.NeedsFullAppend || call.WantsAppended | call.Called.KeepsOrder || body.Length > ProtocolConstants.MaxWholeBody) return false;
        if (call.Key != 0 && session.Peer.ReadsKeys) return false;
        using var pin = turn.Pin();
        if (!pin.IsOwner || !slots.HasTurnFree || !session.TakesCalls || session.Waiting.Claims > 0 || !session.Outbound.HasRoom) return false;
        var head = new RequestHead(0, call.Options, 0);
        if (!defined.TryGet(call.Called.Index, out ushort ordinal) || !call.TryAddDeadline(call.StartedAt, ref head)) return false;
        int length = head.Length + body.Length;
        if (length > session.Peer.MaxFramePayload || _output.TryGet(FrameHeader.Size + length) is not { } block) return false;
        call.Holder = holder;
        slots.OpenInTurn(call, block.UnsentLength);
        block.Commit(FrameWriter.Request(block.Free, call.Id, head with { Ordinal = ordinal }, body));
        _output.OnRequest(this);
        Volatile.Write(ref _started, _started + 1);
        return true;
    }

    /// <inheritdoc/>
    public void OnAppendedLocked(long position)
    {
        session.AssertLocked();
        for (int slot = slots.TakeTurnOpenedLocked(); slot != CallSlots.NoSlot;)
        {
            slot = slots.PlaceLocked(slot, position, out var open);
            if (open is not null) deadlines.SetLocked(open);
        }

        cancels.OnPlacedLocked();
    }

    /// <inheritdoc/>
    public void WithdrawLocked(OutboundBlock block, ref Aftermath aftermath)
    {
        session.AssertLocked();
        long now = session.Clock.Now;
        for (int slot = slots.TakeTurnOpenedLocked(); slot != CallSlots.NoSlot;)
        {
            slot = slots.WithdrawLocked(slot, out var open, out int offset);
            if (open is null) continue; // cancelled meanwhile
            var frame = block.Unsent[offset..];
            RequestHead.TryRead(frame[FrameHeader.Size..], out var head, out _);
            var body = frame.Slice(FrameHeader.Size + head.Length, FrameHeader.Read(frame).Length - head.Length);
            open.Place = CallPlace.Outside;
            open.Holder = null;
            open.StartedAt = now; // the next connection computes the rest of the deadline from it
            CallQueue.HoldBody(open, body);
            open.Next = aftermath.Withdrawn;
            aftermath.Withdrawn = open;
            _withdrawn++;
        }
    }
}
