using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Serialization;

namespace Mux.Engine;

/// <summary>
/// Answers the requests of the peer, each with exactly one terminal frame, and knows the peer's open slots. The only part of a connection that a handler sees.
/// </summary>
/// <remarks>
/// Replies made in the turn are written into the block of the turn, without a lock (<see cref="TurnOutput"/>).
/// </remarks>
internal sealed class ReplyPort
{
    /// <summary>A reply begins in the turn's block if at least this much of it is free. Most replies of common shapes fit; others are copied once.</summary>
    private const int MinReplySpace = 1024;

    private readonly Session _session;
    private readonly TurnOutput _output;
    private readonly RequestSlots _slots;
    private readonly CallTally _turnTally;
    private readonly CallTally _lockedTally;
    private readonly TerminalFrames _terminals;
    private readonly MessageBuffer _outgrown = new(); // for a reply that does not fit into the turn's block
    private int _maxPayload = ProtocolConstants.MinFramePayload;

    public ReplyPort(Session session)
    {
        _session = session;
        _output = session.TurnOutput;
        (_turnTally, _lockedTally) = (session.RequestCounts.TurnTally, session.RequestCounts.LockedTally);
        _slots = new RequestSlots(session.Options.Local.MaxCalls);
        _terminals = new TerminalFrames(session);
        Tokens = new HandlerTokens(session, _slots);
        Room = new RequestRoom(session, _slots);
    }

    /// <summary>The session of the connection.</summary>
    public Session Session => _session;

    public Clock Clock => _session.Clock;

    /// <summary>The requests by slot, for the reader of their frames.</summary>
    public RequestSlots Slots => _slots;

    /// <summary>Tokens of the handlers that take one.</summary>
    public HandlerTokens Tokens { get; }

    /// <summary>Decides whether requests may run.</summary>
    public RequestRoom Room { get; }

    /// <summary>The order of the peer's requests; null if none of them needed one yet.</summary>
    public ConnectionOrder? Order { get; private set; }

    /// <summary>Fingerprints of the peer's requests.</summary>
    public RequestFingerprints Fingerprints { get; } = new();

    /// <summary>True if answers are no longer sent.</summary>
    public bool IsEnded => _session.State > ConnectionState.Open;

    /// <summary>Gets the order of the peer's requests. In the turn, or after the turn has asked for it.</summary>
    public ConnectionOrder OpenOrder() => Order ??= new ConnectionOrder(_session, _slots);

    /// <summary>Applies the peer's limits.</summary>
    public void OpenLocked(PeerSettings peer)
    {
        _session.AssertLocked();
        _maxPayload = peer.MaxFramePayload;
    }

    /// <summary>In the turn: gets a writer for a reply. Its header is written when it is committed.</summary>
    public MessageWriter BeginReply()
    {
        return new MessageWriter(_output.Get(MinReplySpace).Free[FrameHeader.Size..], _outgrown);
    }

    /// <summary>In the turn: sends the written reply, or a FAIL if it is too large for the peer.</summary>
    public ReplyEnd CommitReply(in InboundCall call, ref MessageWriter writer)
    {
        ReplyEnd end = MuxStatus.Ok;
        Span<byte> body = call.IsOneWay ? [] : writer.Written;
        if (body.Length > ProtocolConstants.MaxWholeBody) end = ReplyLarge(call, BulkMessage.Take(_outgrown, body), null);
        else CommitReply(call, body);
        _outgrown.Release();
        return end;
    }

    /// <summary>In the turn: drops a reply that could not be encoded.</summary>
    public void AbortReply() => _outgrown.Release();

    /// <summary>Sends a reply from any thread.</summary>
    /// <param name="call">The call that is answered.</param>
    /// <param name="body">The reply; empty at the end of a stream.</param>
    /// <param name="from">The buffer that holds the body, if there is one: a large body is sent from there.</param>
    /// <returns>Not Ok if the caller cancelled the call, its stream was cut, or the reply is too large for the peer.</returns>
    public ReplyEnd Reply(in InboundCall call, ReadOnlySpan<byte> body, MessageBuffer? from)
    {
        if (call.IsOneWay) body = [];
        var metadata = call.CopyResponseMetadata();
        if (body.Length > ProtocolConstants.MaxWholeBody)
        {
            return ReplyLarge(call, from is null ? BulkMessage.Copy(body) : BulkMessage.Take(from, body), metadata);
        }

        if (FailUnlessMeasured(call, metadata, 0, out int metadataLength) is { } unsent) return unsent;
        if (metadataLength + body.Length > _maxPayload) return ReplyLarge(call, BulkMessage.Copy(body), metadata);
        var status = MuxStatus.Ok;
        var aftermath = default(Aftermath);
        using (EngineThread.Enter(_session.Gate))
        {
            bool isCut = _slots.FindStream(call.Id)?.Responses is { IsCut: true };
            if (isCut || IsGivenUp(call)) status = call.AbandonedStatus;
            if (TryCloseLocked(call, status, out var stream))
            {
                // After a stream that was cut, a regular end would make the items that arrived look complete.
                if (!isCut) _terminals.ReplyLocked(call.Id, metadata, metadataLength, body, stream?.Responses);
                else _terminals.FailLocked(call.Id, status, MuxExecution.Executed, "The call ended before its stream was sent.");
                stream?.Close(drops: false);
            }

            if (!_session.Sending.DefersLocked()) _session.FinishLocked(ref aftermath);
        }

        _session.Complete(ref aftermath);
        return status;
    }

    /// <summary>
    /// Sends a reply of at most <see cref="ProtocolConstants.MaxWholeBody"/> bytes for a call without streams and metadata, from any thread: a short way for
    /// what a gateway does with most replies.
    /// </summary>
    /// <param name="id">Id of the call.</param>
    /// <param name="row">Where it is counted: <see cref="InboundMethod.TallyRow"/>.</param>
    /// <param name="body">The reply; empty for a one-way call.</param>
    /// <returns>False if nothing was done and the call needs <see cref="Reply"/>: it is abandoned, its connection is over, or the reply is too large.</returns>
    public bool TryReplyWhole(CallId id, int row, ReadOnlySpan<byte> body)
    {
        if (body.Length > _maxPayload) return false;
        bool isDeferred;
        using (EngineThread.Enter(_session.Gate))
        {
            if (_session.State != ConnectionState.Open || _slots.IsCancelled(id) || !_slots.TryClose(id)) return false;
            _lockedTally.Add(row, MuxStatus.Ok);
            _terminals.ReplyLocked(id, metadata: null, metadataLength: 0, body, stream: null);
            isDeferred = _session.Sending.DefersLocked();
        }

        if (!isDeferred) _session.Flush();
        return true;
    }

    /// <inheritdoc cref="Fail(in InboundCall, FailFrame, int, ReadOnlySpan{byte})"/>
    public string? Fail(in InboundCall call, MuxStatus status, MuxExecution execution, string text) =>
        Fail(call, new FailFrame((byte)status, execution, 0, text), 0, []);

    /// <summary>Sends a failure with its metadata and detail, from any thread.</summary>
    /// <returns>What did not fit and was left out, and why; null if nothing was.</returns>
    public string? Fail(in InboundCall call, FailFrame frame, int detailNumber, ReadOnlySpan<byte> detail)
    {
        var extras = new FailExtras
        {
            Metadata = frame.Mark ?? call.CopyResponseMetadata(),
            MaxMetadata = _session.Peer.MaxMetadata,
            DetailNumber = (ushort)detailNumber,
            Detail = detail
        };
        var omitted = FailOmissions.None;
        var aftermath = default(Aftermath);
        using (EngineThread.Enter(_session.Gate))
        {
            if (TryCloseLocked(call, (MuxStatus)frame.Status, out var stream))
            {
                omitted = _terminals.FailLocked(call.Id, frame, extras, stream?.Responses);
                stream?.Close(drops: false);
            }

            if (!_session.Sending.DefersLocked()) _session.FinishLocked(ref aftermath);
        }

        _session.Complete(ref aftermath);
        return omitted == FailOmissions.None ? null : extras.Describe(omitted);
    }

    /// <summary>Fails a call of which nothing was sent, and ends its streams.</summary>
    /// <returns>False if it was answered before.</returns>
    public bool FailLocked(in InboundCall call, MuxStatus status, MuxExecution execution, string text)
    {
        _session.AssertLocked();
        bool isOpen = TryCloseLocked(call, status, out var stream);
        if (!isOpen) return false;
        _terminals.FailLocked(call.Id, status, execution, text);
        stream?.Close(drops: true);
        return true;
    }

    /// <summary>Fails a call of which only the id is known. The caller counts it.</summary>
    public void FailLocked(CallId id, MuxStatus status, MuxExecution execution, string text)
    {
        _session.AssertLocked();
        _terminals.FailLocked(id, status, execution, text);
    }

    private void CommitReply(in InboundCall call, ReadOnlySpan<byte> body)
    {
        if (_output.Block is { } block && _slots.TryClose(call.Id)) CommitReply(block, call.Id, body);
        else _slots.ReleaseCharge(call.Id); // the connection ended meanwhile, perhaps through the handler
        _turnTally.Add(call.Method.TallyRow, MuxStatus.Ok); // last: a drain that sees the call answered finds the answer in the block
    }

    private void CommitReply(OutboundBlock block, CallId id, ReadOnlySpan<byte> body)
    {
        bool inPlace = Unsafe.AreSame(in MemoryMarshal.GetReference(body), in MemoryMarshal.GetReference(block.Free[FrameHeader.Size..]));
        if (!inPlace)
        {
            if (block.FreeLength < FrameHeader.Size + body.Length) block = _output.Replace(FrameHeader.Size + body.Length);
            body.CopyTo(block.Free[FrameHeader.Size..]);
        }

        new FrameHeader(FrameKind.Response, FrameFlags.None, id, body.Length).Write(block.Free);
        block.Commit(FrameHeader.Size + body.Length);
    }

    /// <summary>Sends a reply of more than one frame.</summary>
    private ReplyEnd ReplyLarge(in InboundCall call, BulkMessage message, MuxMetadata? metadata)
    {
        int length = message.Left;
        if (length > _session.Peer.MaxMessage)
        {
            message.LetGo();
            return FailTooLarge(call, UnsentPart.Reply,
                $"The reply is {length} bytes; {_session.Peer.DescribeMaxMessage(_session.IsAccepting)}. " +
                $"Return a stream, or {PeerSettings.NameOptionsFor(length)}.");
        }

        if (FailUnlessMeasured(call, metadata, FragmentHead.Length, out int metadataLength) is { } unsent)
        {
            message.LetGo();
            return unsent;
        }

        var flow = new OutboundFlow(call.Priority);
        var status = MuxStatus.Ok;
        var aftermath = default(Aftermath);
        using (EngineThread.Enter(_session.Gate))
        {
            if (IsGivenUp(call)) status = call.AbandonedStatus;
            if (TryCloseLocked(call, status, out var stream, flow))
            {
                _terminals.ReplyLargeLocked(call.Id, metadata, metadataLength, message, flow);
                stream?.Close(drops: false);
            }
            else
            {
                message.LetGo();
            }

            if (!_session.Sending.DefersLocked()) _session.FinishLocked(ref aftermath);
        }

        _session.Complete(ref aftermath);
        return status;
    }

    /// <summary>
    /// True if the peer cancelled the call before it is answered: its caller sees a cancelled call instead of the reply, and the counters do too.
    /// </summary>
    private bool IsGivenUp(in InboundCall call) => !call.IsOneWay && _slots.IsCancelled(call.Id) && _session.State == ConnectionState.Open;

    private ReplyEnd FailTooLarge(in InboundCall call, string part, string reason)
    {
        const MuxStatus Status = MuxStatus.ResourceExhausted;
        var begin = FailFrame.BeginText(call.Method.Descriptor?.FullName ?? string.Empty, Status);
        Fail(call, Status, MuxExecution.Executed, begin + reason);
        return new ReplyEnd(Status, new UnsentPart(part, reason));
    }

    /// <returns>How the call ended if its metadata cannot be sent; null otherwise, and then it is open.</returns>
    private ReplyEnd? FailUnlessMeasured(in InboundCall call, MuxMetadata? metadata, int others, out int length)
    {
        string text;
        if (!MetadataBlock.TryMeasure(metadata, _session.Peer.MaxMetadata, out length))
        {
            text = _session.Peer.DescribeExcess(metadata!, "reply", _session.IsAccepting);
        }
        else if (length + others > _maxPayload)
        {
            text = $"The metadata of the reply is {length} bytes; the caller accepts frames of at most {_maxPayload} " +
                "bytes. Send less metadata, or raise MaxFramePayload of the channel.";
        }
        else
        {
            return null;
        }

        return FailTooLarge(call.WithOptions(null), UnsentPart.Metadata, text);
    }

    /// <param name="call">The call.</param>
    /// <param name="status">The status that it ends with.</param>
    /// <param name="stream">Its streams, if it had any.</param>
    /// <param name="reply">Sends the answer, if that is more than one frame. Otherwise the rest of the response stream is used, if one is left.</param>
    private bool TryCloseLocked(in InboundCall call, MuxStatus status, out AcceptedStream? stream, OutboundFlow? reply = null)
    {
        _session.AssertLocked();
        _lockedTally.Add(call.Method.TallyRow, status);
        stream = _slots.FindStream(call.Id);
        if (stream?.Responses is { IsEmpty: false } rest) reply ??= rest;
        if (_session.State == ConnectionState.Open) return _slots.TryClose(call.Id, reply);
        _slots.ReleaseCharge(call.Id);
        return false;
    }
}

/// <summary>How the answer of a call ended.</summary>
/// <param name="Status">The status that the call ended with.</param>
/// <param name="Unsent">What the peer does not accept; null if all was sent, or the call ended for another reason.</param>
internal readonly record struct ReplyEnd(MuxStatus Status, UnsentPart? Unsent = null)
{
    public static implicit operator ReplyEnd(MuxStatus status) => new(status);
}

/// <summary>A part of an answer that is larger than the peer accepts, so that the call failed.</summary>
/// <param name="Part">One of the names below.</param>
/// <param name="Reason">Its length, the limit of the peer, and what to change: whole sentences.</param>
internal sealed record UnsentPart(string Part, string Reason)
{
    public const string Reply = "reply";
    public const string Metadata = "metadata";
    public const string Item = "item";
}

/// <summary>Writes RESPONSE frames with measured metadata into memory that is large enough.</summary>
internal static class ResponseFrames
{
    public static void Write(Span<byte> frame, CallId id, MuxMetadata? metadata, int metadataLength, ReadOnlySpan<byte> body)
    {
        new FrameHeader(FrameKind.Response, metadataLength > 0 ? FrameFlags.Meta : FrameFlags.None, id, metadataLength + body.Length).Write(frame);
        if (metadataLength > 0) MetadataBlock.Write(frame[FrameHeader.Size..], metadata!);
        body.CopyTo(frame[(FrameHeader.Size + metadataLength)..]);
    }

    /// <summary>Gets the length of the first frame of a reply in fragments.</summary>
    public static int LengthOfFirst(int metadataLength) => FrameHeader.Size + FragmentHead.Length + metadataLength;

    /// <summary>Writes the first frame of a reply in fragments, which carries no body.</summary>
    /// <returns>Its length.</returns>
    public static int WriteFirst(Span<byte> to, CallId id, MuxMetadata? metadata, int metadataLength, int bodyLength)
    {
        int at = FrameWriter.FirstFragment(to, FrameKind.Response, id, metadataLength, bodyLength);
        if (metadataLength > 0) MetadataBlock.Write(to[at..], metadata!);
        return at + metadataLength;
    }
}

/// <summary>Fingerprints that the peer gives to the requests of its methods, by ordinal. Written by the turn.</summary>
internal sealed class RequestFingerprints
{
    private uint[] _byOrdinal = [];

    /// <summary>Adds the fingerprint of a method that the peer has defined; 0 if the peer does not say.</summary>
    /// <param name="ordinal">The next ordinal.</param>
    /// <param name="fingerprint">Fingerprint of its requests.</param>
    /// <param name="last">The highest ordinal ever used.</param>
    public void Add(int ordinal, uint fingerprint, int last)
    {
        if (fingerprint == 0) return;
        if (ordinal >= _byOrdinal.Length)
        {
            var grown = new uint[Math.Min(Math.Max(ordinal + 1, _byOrdinal.Length * 2), last + 1)];
            _byOrdinal.CopyTo(grown, 0);
            Volatile.Write(ref _byOrdinal, grown);
        }

        _byOrdinal[ordinal] = fingerprint;
    }

    /// <summary>
    /// Gets the fingerprint of a method; 0 if the peer does not say. Any thread that has a call of it: entries keep their values when the table grows.
    /// </summary>
    public uint Of(ushort ordinal)
    {
        var known = Volatile.Read(ref _byOrdinal);
        return ordinal < known.Length ? known[ordinal] : 0;
    }
}

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

/// <summary>Appends the frames that end the peer's calls, each after everything that its call has sent.</summary>
internal sealed class TerminalFrames(Session session)
{
    private readonly OutboundQueue _outbound = session.Outbound;

    /// <summary>Ends a call with a reply of one frame.</summary>
    /// <param name="id">Id of the call.</param>
    /// <param name="metadata">Metadata sent before the body.</param>
    /// <param name="metadataLength">Length of the metadata in bytes.</param>
    /// <param name="body">The reply; empty at the end of a stream.</param>
    /// <param name="stream">The response stream, which was not cut; null if the call has none.</param>
    public void ReplyLocked(CallId id, MuxMetadata? metadata, int metadataLength, ReadOnlySpan<byte> body, OutboundStream? stream)
    {
        session.AssertLocked();
        int length = FrameHeader.Size + metadataLength + body.Length;
        ResponseFrames.Write(ReserveLocked(length, stream, out var block), id, metadata, metadataLength, body);
        CommitLocked(length, stream, block);
    }

    /// <summary>
    /// Ends a call with a reply of more than one frame: the first announces its length, and fragments of the body follow from the message's own memory.
    /// </summary>
    /// <param name="id">Id of the call.</param>
    /// <param name="metadata">Metadata sent before the body.</param>
    /// <param name="metadataLength">Length of the metadata in bytes.</param>
    /// <param name="message">The reply.</param>
    /// <param name="flow">Sends the reply.</param>
    public void ReplyLargeLocked(CallId id, MuxMetadata? metadata, int metadataLength, BulkMessage message, OutboundFlow flow)
    {
        session.AssertLocked();
        int length = ResponseFrames.LengthOfFirst(metadataLength);
        bool isHeld = !_outbound.BulkLocked.MayAnnounce(message.Left);
        var block = isHeld ? OutboundBlock.Rent(length) : null;
        int written = ResponseFrames.WriteFirst(block is null ? _outbound.ReserveLocked(length) : block.Free, id, metadata, metadataLength, message.Left);
        message.Begin(FrameKind.Response, id, session.MaxFragment, isCharged: true);
        if (block is null)
        {
            _outbound.CommitLocked(written);
            _outbound.BulkLocked.Add(flow, message);
        }
        else
        {
            block.Commit(written);
            _outbound.BulkLocked.AddHeld(flow, block, message);
        }
    }

    /// <summary>Fails a call of which nothing is left to send.</summary>
    public void FailLocked(CallId id, MuxStatus status, MuxExecution execution, string text)
    {
        session.AssertLocked();
        _outbound.CommitLocked(FrameWriter.Fail(_outbound.ReserveLocked(FrameWriter.MaxFailFrame), id, new FailFrame((byte)status, execution, 0, text)));
    }

    /// <summary>Ends a call with a failure, its metadata and its detail.</summary>
    /// <returns>The parts that did not fit and were left out.</returns>
    public FailOmissions FailLocked(CallId id, FailFrame frame, FailExtras extras, OutboundStream? stream)
    {
        session.AssertLocked();
        var to = ReserveLocked(extras.IsEmpty ? FrameWriter.MaxFailFrame : FrameWriter.MaxFullFailFrame, stream, out var block);
        CommitLocked(FrameWriter.Fail(to, id, frame, extras, out var omitted), stream, block);
        return omitted;
    }

    /// <summary>Gets memory for a frame: in a separate block if frames of its call must be sent before it.</summary>
    private Span<byte> ReserveLocked(int size, OutboundStream? stream, out OutboundBlock? block)
    {
        session.AssertLocked();
        block = stream is { IsEmpty: false } ? OutboundBlock.Rent(size) : null;
        return block is null ? _outbound.ReserveLocked(size) : block.Free;
    }

    private void CommitLocked(int length, OutboundStream? stream, OutboundBlock? block)
    {
        session.AssertLocked();
        if (block is null)
        {
            _outbound.CommitLocked(length);
            return;
        }

        block.Commit(length);
        _outbound.BulkLocked.Add(stream!, block);
    }
}
