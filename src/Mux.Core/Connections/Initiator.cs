using System.Diagnostics;
using Mux.Execution;
using Mux.Framing;
using Mux.Wire;

namespace Mux.Connections;

/// <summary>
/// One connection's half that makes calls: appends their requests, keeps those waiting that cannot be sent yet, matches replies, and gives calls up on cancel,
/// deadline and loss. Members ending in Locked need the connection's lock; OnX(frame) members belong to the turn.
/// </summary>
internal sealed class Initiator(Connection connection)
{
    private const int MaxRequestOverhead = FrameHeader.Size + RequestHead.MaxWrittenLength;

    private readonly OutboundQueue _outbound = connection.Outbound;
    private readonly CallQueue _waiting = new(connection.Options.WaitingLimit);
    private readonly CallSlots _slots = new(connection.Gate);
    private readonly DefinedMethods _defined = new();
    private DeadlineTable? _deadlines; // created by the first call with a deadline
    private int _maxPayload = ProtocolConstants.MinFramePayload;

    private enum Append
    {
        Done,
        Waiting,
        Failed,
    }

    /// <summary>Calls handed to this connection and not withdrawn. Written under the lock.</summary>
    public long Started { get; private set; }

    /// <summary>Outcomes decided by frames of the peer. Written by the turn.</summary>
    public CallTally TurnTally { get; } = new();

    /// <summary>Outcomes decided here. Written under the lock.</summary>
    public CallTally LockedTally { get; } = new();

    /// <summary>Calls open or waiting; may be read from any thread and be off by what is under way. What a channel balances by.</summary>
    public int Load => _slots.Count + _waiting.Count;

    public int OpenCount => _slots.Count;

    public int WaitingCount => _waiting.Count;

    public bool HasCallsLocked => _slots.Count + _waiting.Count > 0;

    public long NextDueLocked => Math.Min(_waiting.NextDue, _deadlines?.NextDue ?? Clock.Never);

    /// <summary>The peer's limits are known.</summary>
    public void OpenLocked(PeerSettings peer)
    {
        _slots.SetLimitLocked(peer.MaxCalls);
        _defined.Limit = peer.MaxOrdinals;
        _maxPayload = peer.MaxFramePayload;
    }

    /// <summary>Takes over a call: appends its request, or keeps a copy of it until that is possible.</summary>
    /// <returns>False if this connection takes no more calls; the call is untouched then.</returns>
    public bool TryStart(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        OutboundBlock? batch = null;
        CallFailure? failure;
        Append result;
        bool isOneWay = call.IsOneWay; // asked now: once the lock is released, the call may be over and its object in use again
        lock (connection.Gate)
        {
            if (!connection.TakesCalls) return false;
            Started++;
            call.Connection = connection;
            if (!_slots.HasFreeLocked) ReclaimInOwnTurnLocked();
            result = _waiting.Count == 0 && CanSendLocked
                ? AppendLocked(call, body, call.StartedAt, out failure)
                : EnqueueLocked(call, body, out failure);
            if (result == Append.Done && !connection.DefersLocked()) batch = _outbound.TryBeginLocked();
        }

        if (batch is not null) connection.Send(batch);
        if (result == Append.Failed) call.OnFailed(failure!, inTurn: false);
        else if (result == Append.Done && isOneWay) call.OnAppended();
        return true;
    }

    /// <summary>The caller gives the call up, wherever it is by now.</summary>
    public static void Cancel(OutgoingCall call)
    {
        call.CancelRequested = true;
        Interlocked.MemoryBarrier(); // against a connection that hands the call to another one: either it sees the request, or this sees the connection
        while (call.Connection is { } connection)
        {
            if (connection.Initiator.TryCancel(call)) return;
        }
    }

    /// <summary>Sends what waits as far as slots and room allow. The caller flushes.</summary>
    public void AdmitLocked(ref CallOutcomes outcomes)
    {
        if (_slots.Limit == 0) FailLocked(_waiting.RemoveAll(), NoCallsTaken, ref outcomes);
        while (_waiting.First is { } call && CanSendLocked)
        {
            _waiting.Remove(call);
            long now = call.Due == Clock.Never ? 0 : connection.Clock.Now;
            if (AppendLocked(call, call.Body.AsSpan(0, call.BodyLength), now, out var failure) == Append.Failed) outcomes.AddFailure(call, failure!);
            else if (call.IsOneWay) outcomes.AddAppended(call);
            else CallQueue.ReleaseBody(call);
        }
    }

    /// <summary>Whether <see cref="AdmitLocked"/> may have something to do.</summary>
    public bool HasWaitingLocked => _waiting.Count > 0;

    /// <summary>Hands back the slots this turn freed. The caller owns the turn.</summary>
    public void ReclaimLocked() => _slots.ReclaimLocked();

    public ProtocolViolation? OnResponse(CallId id, ReadOnlySpan<byte> body)
    {
        switch (_slots.Complete(id, out var call))
        {
            case CallSlots.Terminal.Completed:
                call!.OnResponse(body, TurnTally);
                return null;
            case CallSlots.Terminal.Late:
                connection.Received.LateReplies++;
                return null;
            default:
                return Unknown(FrameKind.Response, id);
        }
    }

    public ProtocolViolation? OnFail(CallId id, ReadOnlySpan<byte> payload)
    {
        if (!FailFrame.TryRead(payload, out var frame, out var violation)) return violation;
        switch (_slots.Complete(id, out var call))
        {
            case CallSlots.Terminal.Completed:
                var status = frame.Status is > 0 and < CallTally.StatusCount ? (MuxStatus)frame.Status : MuxStatus.Internal;
                var text = (int)status == frame.Status ? frame.Text : $"The peer failed the call with the unknown status {frame.Status}: {frame.Text}";
                if (call != OneWayReply.Instance) TurnTally.Add(call!.Method, status);
                var phase = frame.Execution == MuxExecution.NotExecuted ? MuxPhase.Dispatch : MuxPhase.Handler;
                call!.OnFailed(new CallFailure(status, frame.Execution, phase, text), inTurn: true);
                return null;
            case CallSlots.Terminal.Late:
                connection.Received.LateReplies++;
                return null;
            default:
                return Unknown(FrameKind.Fail, id);
        }
    }

    /// <summary>Gives up calls whose deadline has passed.</summary>
    public void ExpireLocked(long now, ref CallOutcomes outcomes)
    {
        if (_waiting.NextDue <= now) FailLocked(_waiting.RemoveExpired(now), WaitingExpired, ref outcomes);
        if (_deadlines is null || _deadlines.NextDue > now) return;
        Span<int> slots = stackalloc int[64];
        int count;
        do
        {
            count = _deadlines.TakeExpired(now, slots);
            foreach (int slot in slots[..count])
            {
                // An entry may be older than the call that is open in its slot now.
                if (_slots.PeekLocked(slot, out ulong open) is not { } call || call.Due > now || !_slots.TryAbandonLocked(slot, open)) continue;
                call.Place = CallPlace.Outside;
                AppendCancelLocked(call.Id, CancelReason.Deadline);
                FailLocked(call, OpenExpired, ref outcomes);
            }
        }
        while (count == slots.Length);
    }

    /// <summary>The connection is over: decides every call.</summary>
    /// <param name="sentUpTo">Calls whose request begins at this position of the byte stream or behind were never sent.</param>
    /// <param name="text">Why.</param>
    /// <param name="error">The error behind it.</param>
    /// <param name="wasOpen">Whether calls ever ran.</param>
    /// <param name="outcomes">Where they go.</param>
    public void CloseLocked(long sentUpTo, string text, Exception? error, bool wasOpen, ref CallOutcomes outcomes)
    {
        const MuxStatus status = MuxStatus.Unavailable;
        var waitingPhase = wasOpen ? MuxPhase.Queue : MuxPhase.Connect;
        FailLocked(_waiting.RemoveAll(), new(status, MuxExecution.NotExecuted, waitingPhase, text, error), ref outcomes);
        _slots.CloseLocked(sentUpTo, out var unsent, out var sent);
        FailLocked(unsent, new(status, MuxExecution.NotExecuted, MuxPhase.Queue, text, error), ref outcomes);
        FailLocked(sent, new(status, MuxExecution.MayHaveExecuted, MuxPhase.Wait, text, error), ref outcomes);
    }

    /// <summary>Takes back the calls that were not sent, in order, linked by <see cref="OutgoingCall.Next"/>, with their bodies.</summary>
    public OutgoingCall? WithdrawLocked()
    {
        var first = _waiting.RemoveAll();
        long now = connection.Clock.Now;
        for (var call = first; call is not null; call = call.Next)
        {
            call.Connection = null;
            call.StartedAt = now; // the next connection says what is left of the deadline by it
            Started--;
        }

        return first;
    }

    private CallFailure WaitingExpired => new(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, WaitingPhase, "The deadline passed before the request could be sent.");

    private static CallFailure OpenExpired { get; } =
        new(MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted, MuxPhase.Wait, "The deadline passed before the reply came.");

    private static CallFailure NoCallsTaken { get; } =
        new(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxPhase.Queue, "The peer takes no calls: it allows none at a time.");

    private static ProtocolViolation Unknown(FrameKind kind, CallId id) => new(ConnectionCode.ProtocolError, $"{kind} for call {id}, which is not open.");

    /// <summary>What a call waits for that has no slot yet.</summary>
    private MuxPhase WaitingPhase => connection.State < ConnectionState.Open ? MuxPhase.Connect : MuxPhase.Queue;

    private bool CanSendLocked => connection.State == ConnectionState.Open && _outbound.HasRoomLocked && _slots.HasFreeLocked;

    private Append AppendLocked(OutgoingCall call, ReadOnlySpan<byte> body, long now, out CallFailure? failure)
    {
        Debug.Assert(connection.Gate.IsHeldByCurrentThread);
        failure = null;
        var head = new RequestHead(0, call.IsOneWay ? RequestOptions.OneWay : RequestOptions.None, 0);
        if (call.Due != Clock.Never && !TryAddDeadline(call.Due - now, ref head)) return FailLocked(call, WaitingExpired, out failure);
        if (head.Length + body.Length > _maxPayload) return FailLocked(call, TooLarge(call, body.Length, head.Length), out failure);
        if (!_defined.TryGet(call.Method, out ushort ordinal) && !TryDefineLocked(call, out ordinal)) return FailLocked(call, TooManyMethods(), out failure);

        // From here on nothing fails: slot, generation and bytes come into being together, so a call that fails leaves no gap (PROTOCOL.md section 2.2).
        _slots.TryOpenLocked(call, call.IsOneWay ? OneWayReply.Instance : call, _outbound.PositionLocked);
        var frame = _outbound.ReserveLocked(MaxRequestOverhead + body.Length);
        _outbound.CommitLocked(FrameWriter.Request(frame, call.Id, head with { Ordinal = ordinal }, body));
        if (call.IsOneWay) LockedTally.Add(call.Method, MuxStatus.Ok);
        else if (call.Due != Clock.Never || _deadlines is not null) SetDeadlineLocked(call);
        return Append.Done;
    }

    private static bool TryAddDeadline(long left, ref RequestHead head)
    {
        if (left <= 0) return false;
        if (left <= uint.MaxValue) head = head with { Options = head.Options | RequestOptions.Deadline, DeadlineMicroseconds = (uint)left };
        return true; // what does not fit is enforced by CANCEL
    }

    private void SetDeadlineLocked(OutgoingCall call)
    {
        _deadlines ??= new DeadlineTable();
        _deadlines.Set(call.Id.Slot, call.Due);
        connection.RequestTickLocked(call.Due);
    }

    private bool TryDefineLocked(OutgoingCall call, out ushort ordinal)
    {
        if (!_defined.TryAdd(call.Method, out ordinal)) return false;
        var define = new DefineFrame(ordinal, call.Method.Shape, call.Method.Utf8Name.Span);
        _outbound.CommitLocked(FrameWriter.Define(_outbound.ReserveLocked(FrameHeader.Size + define.Length), define));
        return true;
    }

    private Append EnqueueLocked(OutgoingCall call, ReadOnlySpan<byte> body, out CallFailure? failure)
    {
        failure = null;
        if (connection.State == ConnectionState.Open && _slots.Limit == 0) return FailLocked(call, NoCallsTaken, out failure);
        if (!_waiting.HasRoomFor(body.Length))
        {
            return FailLocked(call, new(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxPhase.Queue,
                $"{_waiting.Count} calls wait to be sent with {_waiting.Bytes} bytes; MaxQueuedBytes allows {_waiting.ByteLimit}."), out failure);
        }

        _waiting.Enqueue(call, body);
        connection.RequestTickLocked(call.Due);
        return Append.Waiting;
    }

    private bool TryCancel(OutgoingCall call)
    {
        OutboundBlock? batch = null;
        MuxExecution execution;
        MuxPhase phase;
        lock (connection.Gate)
        {
            if (call.Connection != connection) return false;
            switch (call.Place)
            {
                case CallPlace.Waiting:
                    _waiting.Remove(call);
                    execution = MuxExecution.NotExecuted;
                    phase = WaitingPhase;
                    break;
                case CallPlace.Open when !call.IsOneWay && _slots.TryAbandonLocked(call.Id.Slot, call.OpenWord):
                    call.Place = CallPlace.Outside;
                    AppendCancelLocked(call.Id, CancelReason.Unspecified);
                    if (!connection.DefersLocked()) batch = _outbound.TryBeginLocked();
                    execution = MuxExecution.MayHaveExecuted;
                    phase = MuxPhase.Wait;
                    break;
                default:
                    return true; // decided already
            }

            LockedTally.Add(call.Method, MuxStatus.Cancelled);
        }

        if (batch is not null) connection.Send(batch);
        CallQueue.ReleaseBody(call);
        call.OnFailed(new(MuxStatus.Cancelled, execution, phase, "The caller cancelled the call.", IsCallerCancel: true), inTurn: false);
        return true;
    }

    /// <summary>In the connection's own turn: takes back the slots that the turn has freed so far.</summary>
    private void ReclaimInOwnTurnLocked()
    {
        using var turn = Turn.PinOf(connection);
        if (turn.IsOwner) _slots.ReclaimLocked();
    }

    private void AppendCancelLocked(CallId id, CancelReason reason) =>
        _outbound.CommitLocked(FrameWriter.Cancel(_outbound.ReserveLocked(FrameHeader.Size + CancelFrame.Length), id, reason));

    private Append FailLocked(OutgoingCall call, CallFailure reason, out CallFailure? failure)
    {
        failure = reason;
        call.Place = CallPlace.Outside;
        LockedTally.Add(call.Method, reason.Status);
        return Append.Failed;
    }

    private void FailLocked(OutgoingCall? calls, CallFailure failure, ref CallOutcomes outcomes)
    {
        for (var call = calls; call is not null; call = call.Next) LockedTally.Add(call.Method, failure.Status);
        outcomes.AddFailures(calls, failure);
    }

    private CallFailure TooLarge(OutgoingCall call, int bodyLength, int headLength) => new(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxPhase.Encode,
        $"The request of {call.Method} is {bodyLength} bytes; the peer's MaxFramePayload of {_maxPayload} bytes leaves room for {_maxPayload - headLength}.");

    private CallFailure TooManyMethods() => new(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxPhase.Encode,
        $"The peer takes {_defined.Limit} different methods on one connection, and all are in use.");
}
