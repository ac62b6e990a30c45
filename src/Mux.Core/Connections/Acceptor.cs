using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Mux.Connections.Budgets;
using Mux.Execution;
using Mux.Lanes;
using Mux.Serialization;
using Mux.Wire;

namespace Mux.Connections;

/// <summary>
/// One connection's half that answers calls: knows which slots the peer has open, runs requests, and sends exactly one terminal frame for each.
/// </summary>
/// <remarks>
/// Replies made in the turn go into a block of the turn's own, without a lock; it is handed to the outgoing queue when the turn ends or the block is full.
/// </remarks>
internal sealed class Acceptor : ICountsRequests
{
    /// <summary>A reply begins in the turn's block if this much is left of it; most replies of the shapes that matter fit, the others are copied once.</summary>
    private const int MinReplySpace = 1024;

    /// <summary>Requests that take more than this are charged to <see cref="ConnectionOptions.RunningLimit"/>; as many small ones as may be open take 16 MiB.</summary>
    private const int ChargedFrom = 1024;

    private readonly Connection _connection;
    private readonly OutboundQueue _outbound;
    private readonly RequestSlots _slots;
    private readonly TerminalFrames _terminals;
    private readonly MessageBuffer _outgrown = new(); // for a reply that does not fit into the turn's block
    private readonly int _maxCalls;
    private DeadlineTable? _deadlines;
    private int _maxPayload = ProtocolConstants.MinFramePayload;
    private OutboundBlock? _turnBlock;
    private int _refusals; // since nothing behind _refusalsSince can have reached the peer; written under the lock, as that is
    private long _refusalsSince;

    public Acceptor(Connection connection)
    {
        _connection = connection;
        _outbound = connection.Outbound;
        _maxCalls = connection.Options.Local.MaxCalls;
        _slots = new RequestSlots(_maxCalls);
        _terminals = new TerminalFrames(connection);
        Parking = new RequestParking(this);
    }

    public Clock Clock => _connection.Clock;

    /// <summary>Who runs what must not run in the turn or under the lock.</summary>
    public WorkQueue Work => _connection.Options.Work;

    /// <inheritdoc cref="InboundRequests.PeersRequestFingerprintOf"/>
    public uint PeersRequestFingerprintOf(ushort ordinal) => _connection.Requests.PeersRequestFingerprintOf(ordinal);

    /// <summary>Whose requests it answers.</summary>
    public Connection Connection => _connection;

    /// <summary>Whether answers go nowhere any more.</summary>
    public bool IsEnded => _connection.State > ConnectionState.Open;

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

    /// <summary>The requests by slot, for whoever reads their frames.</summary>
    public RequestSlots Slots => _slots;

    /// <summary>Whether requests may run: the peer takes its replies, and those that run do not hold too much. Any thread.</summary>
    public bool HasRoom => _outbound.HasRoom && _slots.Charged < _connection.Options.RunningLimit;

    /// <summary>Where requests wait until there is room.</summary>
    public RequestParking Parking { get; }

    /// <summary>A request was accepted, which is answered exactly once. In the turn, before anything else is done with it.</summary>
    public void CountStarted() => Started++;

    /// <summary>Runs a request that is complete. In the turn.</summary>
    public ProtocolViolation? Start(in InboundCall call, ReadOnlySpan<byte> body)
    {
        if (!HasRoom || Parking.Count > 0) return Parking.Park(call, body);
        if (TryCharge(call, body.Length) is { } lack) return RefuseForMemory(call, body.Length, lack);
        if (call.Due != Clock.Never && call.Due <= Clock.Now) Fail(call, MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, "The deadline passed before the request arrived.");
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
        else if (!HasRoom || Parking.Count > 0)
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
    /// Answers a request of which nothing is kept and for which no handler was started. In the turn. Whatever is refused there is refused here: the refusals that a peer does not
    /// read are all that it is not charged for.
    /// </summary>
    public ProtocolViolation? Refuse(in InboundCall call, MuxStatus status, string text)
    {
        if (!HasRoom)
        {
            lock (_connection.Gate) CountRefusalLocked();
        }

        Fail(call, status, MuxExecution.NotExecuted, text);
        return Flood;
    }

    /// <summary>
    /// What a peer has done that sent requests in slots whose answers it did not read, or null. One that waits for its answers has at most as many refusals that it cannot have read as it may have
    /// calls open; so what is unsent is bounded too.
    /// </summary>
    public ProtocolViolation? Flood => Volatile.Read(ref _refusals) <= _maxCalls ? null : new(ConnectionCode.ExcessiveLoad, "Requests go on in slots whose answers were not read.");

    /// <summary>The peer gave a call up that is answered: what is left of a large reply is not sent. In the turn.</summary>
    public void CutReply(CallId id)
    {
        lock (_connection.Gate)
        {
            if (_slots.FindReplyLocked(id) is not { IsEmpty: false } reply) return;
            _outbound.BulkLocked.Drop(reply);
            _terminals.FailLocked(id, MuxStatus.Cancelled, MuxExecution.Executed, "The caller gave the call up before its reply was sent.");
        }
    }

    /// <summary>A token for a handler that takes one: fires on CANCEL, deadline and the end of the _connection. In the turn, or while the call is parked.</summary>
    public InboundCancellation OpenCancellation(in InboundCall call)
    {
        var cancellation = InboundCancellation.Rent(this, call.Id);
        if (call.Due != Clock.Never || _deadlines is not null) PublishWithDeadline(call, cancellation);
        else _slots.Attach(call.Id, cancellation);
        Interlocked.MemoryBarrier();
        if (IsEnded || _slots.IsCancelled(call.Id)) cancellation.Cancel(this, call.Id); // it may have come between opening the slot and this
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
    /// <returns>How the call ended.</returns>
    public MuxStatus CommitReply(in InboundCall call, ref MessageWriter writer)
    {
        var status = MuxStatus.Ok;
        Span<byte> body = call.IsOneWay ? [] : writer.Written;
        if (body.Length > ProtocolConstants.MaxWholeBody) status = ReplyLarge(call, BulkMessage.Take(_outgrown, body), null);
        else CommitReply(call, body);
        _outgrown.Release();
        return status;
    }

    /// <summary>In the turn: the reply could not be encoded. Nothing of it stays.</summary>
    public void AbortReply() => _outgrown.Release();

    /// <summary>Sends a reply from any thread.</summary>
    /// <param name="call">What it answers.</param>
    /// <param name="body">The reply; empty at the end of a stream.</param>
    /// <param name="from">Where the body stands, if it was written into a buffer: one that is large is sent from there.</param>
    /// <returns>How the call ended, which may be otherwise: its stream was cut, or the peer does not take so much.</returns>
    public MuxStatus Reply(in InboundCall call, ReadOnlySpan<byte> body, MessageBuffer? from)
    {
        if (call.IsOneWay) body = [];
        var metadata = call.CopyResponseMetadata();
        if (body.Length > ProtocolConstants.MaxWholeBody)
            return ReplyLarge(call, from is null ? BulkMessage.Copy(body) : BulkMessage.Take(from, body), metadata);
        if (!TryMeasure(call, metadata, 0, out int metadataLength)) return MuxStatus.ResourceExhausted;
        if (metadataLength + body.Length > _maxPayload) return ReplyLarge(call, BulkMessage.Copy(body), metadata);
        var status = MuxStatus.Ok;
        var aftermath = default(Aftermath);
        lock (_connection.Gate)
        {
            if (_slots.FindStream(call.Id)?.Responses is { IsCut: true }) status = call.AbandonedStatus;
            if (TryCloseLocked(call, status, out var stream))
            {
                // Behind a stream that was cut an end would make what arrived look like all there is.
                if (status == MuxStatus.Ok) _terminals.ReplyLocked(call, metadata, metadataLength, body, stream?.Responses);
                else _terminals.FailLocked(call.Id, status, MuxExecution.Executed, "The call ended before its stream was sent.");
                stream?.EndLocked(drops: false);
            }

            if (!_connection.DefersLocked()) _connection.FinishLocked(ref aftermath);
        }

        _connection.Complete(ref aftermath);
        return status;
    }

    /// <inheritdoc cref="Fail(in InboundCall, FailFrame, int, ReadOnlySpan{byte})"/>
    public string? Fail(in InboundCall call, MuxStatus status, MuxExecution execution, string text) => Fail(call, new FailFrame((byte)status, execution, 0, text), 0, []);

    /// <summary>Sends a failure with all that may come with it, from any thread.</summary>
    /// <returns>What does not fit and is left out, and why; null if nothing is.</returns>
    public string? Fail(in InboundCall call, FailFrame frame, int detailNumber, ReadOnlySpan<byte> detail)
    {
        var extras = new FailExtras { Metadata = call.CopyResponseMetadata(), MaxMetadata = _connection.Peer.MaxMetadata, DetailNumber = (ushort)detailNumber, Detail = detail };
        var omitted = FailOmissions.None;
        var aftermath = default(Aftermath);
        lock (_connection.Gate)
        {
            if (TryCloseLocked(call, (MuxStatus)frame.Status, out var stream))
            {
                omitted = _terminals.FailLocked(call.Id, frame, extras, stream?.Responses);
                stream?.EndLocked(drops: false);
            }

            if (!_connection.DefersLocked()) _connection.FinishLocked(ref aftermath);
        }

        _connection.Complete(ref aftermath);
        return omitted == FailOmissions.None ? null : extras.Describe(omitted);
    }

    /// <summary>Sends a failure of a call whose handler was not started.</summary>
    public void FailLocked(in InboundCall call, MuxStatus status, string text)
    {
        if (!HasRoom) CountRefusalLocked();
        if (TryCloseLocked(call, status, out _)) _terminals.FailLocked(call.Id, status, MuxExecution.NotExecuted, text);
    }

    /// <summary>Hands the turn's replies to the outgoing queue. The caller owns the turn and flushes.</summary>
    public void EndTurnLocked()
    {
        if (_turnBlock is not { } block) return;
        _turnBlock = null;
        if (block.UnsentLength > 0 && _connection.State == ConnectionState.Open) _outbound.AppendLocked(block);
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
        Parking.FailLocked(text);
        for (int slot = 1; slot <= _slots.Highest; slot++)
        {
            if (!_slots.IsOpen(slot, out var id)) continue;
            Cancel(slot);
            var stream = _slots.FindStream(id);
            stream?.EndLocked(drops: true);
            _terminals.FailLocked(id, MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, text); // its handler runs, or waits for a thread to start it
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
            Cancel(slot);
        }
    }

    /// <summary>Code that a handler registered on its token threw.</summary>
    public void OnCallbackFailed(AggregateException error) => _connection.OnUserCodeFailed(error);

    private void CountRefusalLocked()
    {
        if (_outbound.OfferedLocked >= _refusalsSince) (_refusals, _refusalsSince) = (0, _outbound.PositionLocked);
        _refusals++;
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
        _connection.Options.Shared!.OnRefused(lack);
        return Refuse(call, MuxStatus.ResourceExhausted, _slots.Memory!.Describe("request", length, lack));
    }

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

    /// <summary>Token and deadline in one step, so that an entry in the table is this call's if its slot has a token, and an older call's if it has none.</summary>
    private void PublishWithDeadline(in InboundCall call, InboundCancellation cancellation)
    {
        lock (_connection.Gate)
        {
            _deadlines ??= new DeadlineTable();
            _deadlines.Set(call.Id.Slot, call.Due);
            _connection.RequestTickLocked(call.Due);
            _slots.Attach(call.Id, cancellation);
        }
    }

    /// <summary>The peer gave the call up that is open in a slot, in the turn; or this side does, under the lock.</summary>
    public void Cancel(int slot)
    {
        if (!_slots.TryMarkCancelled(slot)) return;
        Interlocked.MemoryBarrier(); // against OpenCancellation on another thread: either it sees the mark, or this sees its object
        CancelToken(slot);
    }

    /// <summary>Cancels the token of the call that is open in a slot, if it has one.</summary>
    private void CancelToken(int slot) => _slots.FindCancellation(slot, out var id)?.Cancel(this, id);

    /// <summary>Sends a reply of more than one frame.</summary>
    /// <returns>How the call ended.</returns>
    private MuxStatus ReplyLarge(in InboundCall call, BulkMessage message, MuxMetadata? metadata)
    {
        int length = message.Left;
        int limit = _connection.Peer.MaxMessage;
        if (length > limit)
        {
            message.LetGo();
            Fail(call, MuxStatus.ResourceExhausted, MuxExecution.Executed, $"The reply of {call.Method.Descriptor} is {length} bytes; the caller's MaxMessageBytes is {limit}.");
            return MuxStatus.ResourceExhausted;
        }

        if (!TryMeasure(call, metadata, FragmentHead.Length, out int metadataLength))
        {
            message.LetGo();
            return MuxStatus.ResourceExhausted;
        }

        var flow = new OutboundFlow(call.Priority);
        var aftermath = default(Aftermath);
        lock (_connection.Gate)
        {
            if (TryCloseLocked(call, MuxStatus.Ok, out var stream, flow))
            {
                _terminals.ReplyLargeLocked(call, metadata, metadataLength, message, flow);
                stream?.EndLocked(drops: false);
            }
            else
            {
                message.LetGo();
            }

            if (!_connection.DefersLocked()) _connection.FinishLocked(ref aftermath);
        }

        _connection.Complete(ref aftermath);
        return MuxStatus.Ok;
    }

    /// <returns>False if the metadata cannot be sent; then the call is failed.</returns>
    private bool TryMeasure(in InboundCall call, MuxMetadata? metadata, int others, out int length)
    {
        if (!MetadataBlock.TryMeasure(metadata, _connection.Peer.MaxMetadata, out length, out var tooMuch))
        {
            Fail(call.WithOptions(null), MuxStatus.ResourceExhausted, MuxExecution.Executed, tooMuch!);
            return false;
        }

        if (length + others <= _maxPayload) return true;
        Fail(call.WithOptions(null), MuxStatus.ResourceExhausted, MuxExecution.Executed, $"The metadata of the reply is {length} bytes; the caller's frames take {_maxPayload}.");
        return false;
    }

    /// <param name="call">The call.</param>
    /// <param name="status">What it ends with.</param>
    /// <param name="stream">Its streams, if it had any.</param>
    /// <param name="reply">What sends the answer, if that is not one frame; otherwise the rest of its response stream does, if one is left.</param>
    private bool TryCloseLocked(in InboundCall call, MuxStatus status, out AcceptedStream? stream, OutboundFlow? reply = null)
    {
        Debug.Assert(_connection.Gate.IsHeldByCurrentThread);
        LockedTally.Add(call.Method.Descriptor, status);
        stream = _slots.FindStream(call.Id);
        if (stream?.Responses is { IsEmpty: false } rest) reply ??= rest;
        return _connection.State == ConnectionState.Open && _slots.TryClose(call.Id, reply);
    }

    private void FlushTurnBlock()
    {
        OutboundBlock? batch;
        lock (_connection.Gate)
        {
            EndTurnLocked();
            batch = _outbound.TryBeginLocked();
        }

        if (batch is not null) _connection.Send(batch);
    }

    private OutboundBlock ReplaceTurnBlock(int size)
    {
        if (_turnBlock!.UnsentLength > 0) FlushTurnBlock();
        else _turnBlock.Return();
        return _turnBlock = OutboundBlock.Rent(size);
    }
}
