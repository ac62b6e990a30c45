using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Mux.Buffers;
using Mux.Execution;
using Mux.Framing;
using Mux.Serialization;
using Mux.Wire;

namespace Mux.Connections;

/// <summary>
/// One connection's half that answers calls: knows which slots the peer has open, runs requests, and sends exactly one terminal frame for each.
/// </summary>
/// <remarks>
/// Replies made in the turn go into a block of the turn's own, without a lock; it is handed to the outgoing queue when the turn ends or the block is full.
/// </remarks>
internal sealed class Acceptor(Connection connection, IMethodResolver methods) : IThreadPoolWorkItem
{
    /// <summary>A reply begins in the turn's block if this much is left of it; most replies of the shapes that matter fit, the others are copied once.</summary>
    private const int MinReplySpace = 1024;

    private readonly OutboundQueue _outbound = connection.Outbound;
    private readonly RequestSlots _slots = new(connection.Options.Local.MaxCalls);
    private readonly ParkedRequests _parked = new(connection.Options.ParkedLimit);
    private readonly MessageBuffer _outgrown = new(); // for a reply that does not fit into the turn's block
    private readonly int _maxCalls = connection.Options.Local.MaxCalls;
    private readonly int _maxOrdinals = connection.Options.Local.MaxOrdinals;
    private InboundMethod[] _methods = [];
    private int _methodCount;
    private DeadlineTable? _deadlines;
    private int _maxPayload = ProtocolConstants.MinFramePayload;
    private OutboundBlock? _turnBlock;
    private bool _unparking;
    private int _refusals; // since everything before _refusalsSince was still to be sent; the turn's, as that is
    private long _refusalsSince;

    public Clock Clock => connection.Clock;

    /// <summary>Who runs what must not run in the turn or under the lock.</summary>
    public WorkQueue Work => connection.Options.Work;

    /// <summary>Whether answers go nowhere any more.</summary>
    public bool IsEnded => connection.State > ConnectionState.Open;

    /// <summary>Requests accepted. Written by the turn.</summary>
    public long Started { get; private set; }

    /// <summary>Answers made in the turn.</summary>
    public CallTally TurnTally { get; } = new();

    /// <summary>Answers made elsewhere, under the lock.</summary>
    public CallTally LockedTally { get; } = new();

    /// <summary>Requests not answered yet; may be read from any thread, and is never too low: what is answered is read first.</summary>
    public int OpenCount
    {
        get
        {
            long answered = TurnTally.Total + LockedTally.Total;
            return (int)(Started - answered);
        }
    }

    public long NextDueLocked => _deadlines?.NextDue ?? Clock.Never;

    /// <summary>The peer's limits are known.</summary>
    public void OpenLocked(PeerSettings peer) => _maxPayload = peer.MaxFramePayload;

    public ProtocolViolation? OnDefine(ReadOnlySpan<byte> payload)
    {
        if (!DefineFrame.TryRead(payload, out var define, out var violation)) return violation;
        if (define.Ordinal != _methodCount) return new(ConnectionCode.ProtocolError, $"DEFINE of ordinal {define.Ordinal}; the next is {_methodCount}.");
        if (_methodCount == _maxOrdinals) return new(ConnectionCode.ExcessiveLoad, $"DEFINE number {_methodCount + 1}; at most {_maxOrdinals} are taken.");
        if (_methodCount == _methods.Length) Array.Resize(ref _methods, Math.Min(Math.Max(4, _methods.Length * 2), _maxOrdinals));
        _methods[_methodCount++] = methods.Resolve(define.Name, define.Shape);
        return null;
    }

    public ProtocolViolation? OnRequest(CallId id, ReadOnlySpan<byte> payload)
    {
        if (!RequestHead.TryRead(payload, out var head, out var violation)) return violation;
        if (head.Ordinal >= _methodCount) return new(ConnectionCode.ProtocolError, $"REQUEST {id} of the ordinal {head.Ordinal}; {_methodCount} are defined.");
        if (connection.RefusesRequests) return new(ConnectionCode.ProtocolError, $"REQUEST {id} after the drain was acknowledged.");
        violation = _slots.Open(id);
        if (violation is not null) return violation;

        Started++;
        var method = _methods[head.Ordinal];
        long due = head.HasDeadline ? Clock.After(Clock.Now, head.DeadlineMicroseconds) : Clock.Never;
        var call = new InboundCall(this, method, id, (head.Options & RequestOptions.OneWay) != 0, due, InTurn: true);
        if (!_outbound.HasRoom || _parked.Count > 0) return Park(call, payload[head.Length..]);
        if (head.HasDeadline && head.DeadlineMicroseconds == 0) Fail(call, MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, "The deadline passed before the request arrived.");
        else method.Invoke(call, payload[head.Length..]);
        return null;
    }

    public ProtocolViolation? OnCancel(CallId id, ReadOnlySpan<byte> payload)
    {
        if (!CancelFrame.TryRead(payload, out _, out var violation)) return violation;
        switch (_slots.Find(id))
        {
            case RequestSlots.Relation.Stranger:
                return new(ConnectionCode.ProtocolError, $"CANCEL of call {id}, which is not the last of its slot.");
            case RequestSlots.Relation.Answered:
                connection.Received.DiscardedFrames++; // crossed with the answer
                return null;
            default:
                CancelSlot(id.Slot);
                return null;
        }
    }

    /// <summary>Whether the peer has given the call up. For code that is about to start a handler.</summary>
    public bool IsCancelled(CallId id) => _slots.IsCancelled(id);

    /// <summary>A token for a handler that takes one: fires on CANCEL, deadline and the end of the connection. In the turn, or while the call is parked.</summary>
    public InboundCancellation OpenCancellation(in InboundCall call)
    {
        var cancellation = InboundCancellation.Rent(this, call.Id);
        if (call.Due != Clock.Never || _deadlines is not null) PublishWithDeadline(call, cancellation);
        else _slots.Attach(call.Id, cancellation);
        Interlocked.MemoryBarrier();
        if (IsEnded || IsCancelled(call.Id)) cancellation.Cancel(this, call.Id); // it may have come between opening the slot and this
        return cancellation;
    }

    /// <summary>In the turn: a writer for a reply, whose header is written in front when it is committed.</summary>
    public MessageWriter BeginReply()
    {
        if (_turnBlock is { } full && full.FreeLength < MinReplySpace) FlushTurnBlock();
        var block = _turnBlock ??= OutboundBlock.Rent(OutboundBlock.Size);
        return new MessageWriter(block.Free[FrameHeader.Size..], _outgrown);
    }

    /// <summary>In the turn: sends what was written, or a FAIL if it is too large for the peer.</summary>
    public void CommitReply(in InboundCall call, ref MessageWriter writer)
    {
        Span<byte> body = call.IsOneWay ? [] : writer.Written;
        if (body.Length > _maxPayload) FailTooLarge(call, body.Length);
        else CommitReply(call, body);
        _outgrown.Release();
    }

    /// <summary>In the turn: the reply could not be encoded. Nothing of it stays.</summary>
    public void AbortReply() => _outgrown.Release();

    /// <summary>Sends a reply from any thread.</summary>
    public void Reply(in InboundCall call, ReadOnlySpan<byte> body)
    {
        if (call.IsOneWay) body = [];
        if (body.Length > _maxPayload)
        {
            FailTooLarge(call with { InTurn = false }, body.Length);
            return;
        }

        var aftermath = default(Aftermath);
        lock (connection.Gate)
        {
            if (TryCloseLocked(call, MuxStatus.Ok)) _outbound.CommitLocked(FrameWriter.Response(_outbound.ReserveLocked(FrameHeader.Size + body.Length), call.Id, body));
            if (!connection.DefersLocked()) connection.FinishLocked(ref aftermath);
        }

        connection.Complete(ref aftermath);
    }

    /// <summary>Sends a failure from any thread.</summary>
    public void Fail(in InboundCall call, MuxStatus status, MuxExecution execution, string text)
    {
        var aftermath = default(Aftermath);
        lock (connection.Gate)
        {
            if (TryCloseLocked(call, status)) AppendFailLocked(call.Id, status, execution, text);
            if (!connection.DefersLocked()) connection.FinishLocked(ref aftermath);
        }

        connection.Complete(ref aftermath);
    }

    /// <summary>Hands the turn's replies to the outgoing queue. The caller owns the turn and flushes.</summary>
    public void EndTurnLocked()
    {
        if (_turnBlock is not { } block) return;
        _turnBlock = null;
        if (block.UnsentLength > 0 && connection.State == ConnectionState.Open) _outbound.AppendLocked(block);
        else block.Return();
    }

    /// <summary>Whether a turn holds answers that count as made and are not in the outgoing queue yet.</summary>
    public bool HasTurnOutput => Volatile.Read(ref _turnBlock) is not null;

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

    /// <summary>The grace of a drain ended: fails every request that is not answered, and cancels its token.</summary>
    public void FailAllLocked(string text)
    {
        FailParkedLocked(text);
        for (int slot = 1; slot <= _slots.Highest; slot++)
        {
            if (!_slots.IsOpen(slot, out var id)) continue;
            CancelSlot(slot);
            AppendFailLocked(id, MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, text); // its handler runs, or waits for a thread to start it
            _slots.TryClose(id);
        }
    }

    /// <summary>The connection is over: cancels every token, and answers what is parked, for the counters.</summary>
    public void CloseLocked()
    {
        Interlocked.MemoryBarrier(); // against a turn that opens a request: either it sees the connection's state, or this sees its token
        FailParkedLocked("The connection ended.");
        for (int slot = 1; slot <= _slots.Highest; slot++) CancelSlot(slot);
    }

    /// <summary>Bytes went out: parked requests may run. They run on a worker, because whoever sent may be anybody.</summary>
    public void UnparkLocked()
    {
        if (_parked.Count == 0 || _unparking || !_outbound.HasRoomLocked) return;
        _unparking = true;
        connection.Options.Work.Add(this);
    }

    void IThreadPoolWorkItem.Execute()
    {
        InboundCall call;
        byte[] body;
        int length;
        lock (connection.Gate)
        {
            if (!_outbound.HasRoomLocked || !_parked.TryTake(out call, out body, out length))
            {
                _unparking = false;
                return;
            }
        }

        connection.Options.Work.Add(this); // each handler in a work item of its own, so that one that blocks, or leaves something on the thread, concerns no other
        if (!call.TryFailAbandoned()) call.Method.Invoke(call, body.AsSpan(0, length));
        BufferPool.Return(body);
    }

    /// <summary>Code that a handler registered on its token threw.</summary>
    public void OnCallbackFailed(AggregateException error) => connection.OnUserCodeFailed(error);

    private void CommitReply(in InboundCall call, ReadOnlySpan<byte> body)
    {
        if (_turnBlock is { } block && _slots.TryClose(call.Id)) CommitReply(block, call.Id, body); // else the connection ended meanwhile, perhaps by the handler's own doing
        TurnTally.Add(call.Method.Descriptor, MuxStatus.Ok); // last: a drain that sees the call answered finds the answer in the block
    }

    private void CommitReply(OutboundBlock block, CallId id, ReadOnlySpan<byte> body)
    {
        bool inPlace = Unsafe.AreSame(in MemoryMarshal.GetReference(body), in MemoryMarshal.GetReference(block.Free[FrameHeader.Size..]));
        if (!inPlace)
        {
            if (block.FreeLength < FrameHeader.Size + body.Length) block = ReplaceTurnBlock(FrameHeader.Size + body.Length);
            body.CopyTo(block.Free[FrameHeader.Size..]);
        }

        new FrameHeader(FrameKind.Response, FrameFlags.None, id, body.Length).Write(block.Free);
        block.Commit(FrameHeader.Size + body.Length);
    }

    /// <summary>The peer takes its replies too slowly: keeps the request for later, or refuses it when there is no room for that either.</summary>
    private ProtocolViolation? Park(in InboundCall call, ReadOnlySpan<byte> body)
    {
        lock (connection.Gate)
        {
            if (_parked.TryAdd(call with { InTurn = false }, body))
            {
                UnparkLocked();
                return null;
            }

            if (_outbound.AcceptedLocked >= _refusalsSince) (_refusals, _refusalsSince) = (0, _outbound.PositionLocked);
        }

        Fail(call, MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, "The caller reads its replies too slowly: too many of its requests wait already.");

        // No refusal since then can have been read yet. A peer that waits for its answers has had at most as many as it may have open; so what is unsent is bounded too.
        return ++_refusals <= _maxCalls ? null : new(ConnectionCode.ExcessiveLoad, "Requests go on in slots whose answers were not read.");
    }

    /// <summary>Gives up the requests whose handlers never started. Says so to the peer if it still hears anything.</summary>
    private void FailParkedLocked(string text)
    {
        while (_parked.TryTake(out var call, out var body, out _))
        {
            BufferPool.Return(body);
            if (TryCloseLocked(call, MuxStatus.Unavailable)) AppendFailLocked(call.Id, MuxStatus.Unavailable, MuxExecution.NotExecuted, text);
        }
    }

    /// <summary>Token and deadline in one step, so that an entry in the table is this call's if its slot has a token, and an older call's if it has none.</summary>
    private void PublishWithDeadline(in InboundCall call, InboundCancellation cancellation)
    {
        lock (connection.Gate)
        {
            _deadlines ??= new DeadlineTable();
            _deadlines.Set(call.Id.Slot, call.Due);
            connection.RequestTickLocked(call.Due);
            _slots.Attach(call.Id, cancellation);
        }
    }

    private void CancelSlot(int slot)
    {
        if (!_slots.TryMarkCancelled(slot)) return;
        Interlocked.MemoryBarrier(); // against OpenCancellation on another thread: either it sees the mark, or this sees its object
        CancelToken(slot);
    }

    /// <summary>Cancels the token of the call that is open in a slot, if it has one.</summary>
    private void CancelToken(int slot) => _slots.FindCancellation(slot, out var id)?.Cancel(this, id);

    private void FailTooLarge(in InboundCall call, int length) => Fail(call, MuxStatus.ResourceExhausted, MuxExecution.Executed,
        $"The reply of {call.Method.Descriptor} is {length} bytes; the caller's MaxFramePayload is {_maxPayload}.");

    private bool TryCloseLocked(in InboundCall call, MuxStatus status)
    {
        Debug.Assert(connection.Gate.IsHeldByCurrentThread);
        LockedTally.Add(call.Method.Descriptor, status);
        return connection.State == ConnectionState.Open && _slots.TryClose(call.Id);
    }

    private void AppendFailLocked(CallId id, MuxStatus status, MuxExecution execution, string text) =>
        _outbound.CommitLocked(FrameWriter.Fail(_outbound.ReserveLocked(FrameWriter.MaxFailFrame), id, new FailFrame((byte)status, execution, 0, text)));

    private void FlushTurnBlock()
    {
        OutboundBlock? batch;
        lock (connection.Gate)
        {
            EndTurnLocked();
            batch = _outbound.TryBeginLocked();
        }

        if (batch is not null) connection.Send(batch);
    }

    private OutboundBlock ReplaceTurnBlock(int size)
    {
        if (_turnBlock!.UnsentLength > 0) FlushTurnBlock();
        else _turnBlock.Return();
        return _turnBlock = OutboundBlock.Rent(size);
    }
}
