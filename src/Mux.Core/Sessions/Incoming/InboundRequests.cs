using Mux.Connections.Budgets;
using Mux.Contracts;
using Mux.Execution;
using Mux.Wire;

namespace Mux.Connections;

/// <summary>Reads what the peer sends for the calls that it makes: definitions, requests, items, credit and cancels. Turn only, but for what time brings (members ending in Locked).</summary>
internal sealed class InboundRequests(Connection connection, IMethodResolver methods, ReassemblyBudget budget)
{
    /// <summary>What a request may say that is a head and a body of one frame, and whose call has no streams.</summary>
    private const RequestOptions PlainOptions = RequestOptions.Deadline | RequestOptions.OneWay | RequestOptions.Idempotent;

    private readonly Acceptor _acceptor = connection.Acceptor;
    private readonly RequestSlots _slots = connection.Acceptor.Slots;
    private readonly PartialMessages _partial = new(budget);
    private readonly Predicate<CallId> _isOver = id => connection.Acceptor.Slots.Find(id) != RequestSlots.Relation.Open || connection.Acceptor.Slots.IsCancelled(id);
    private readonly int _maxOrdinals = connection.Options.Local.MaxOrdinals;
    private readonly int _maxMetadata = connection.Options.Local.MaxMetadata;
    private readonly long _maxDeadline = connection.Options.MaxDeadline;
    private ArrivingRequests? _arriving; // created by the first request in fragments that has a deadline
    private bool _hasRefused; // a request before it was whole: until then no slot is asked for the rest of one
    private DefinedMethod[] _methods = [];
    private int _methodCount;

    /// <summary>Whether no message is unfinished that somebody wants; for tests.</summary>
    public bool IsEmpty => _partial.IsEmpty;

    public long NextDueLocked => _arriving?.NextDue ?? Clock.Never;

    public ProtocolViolation? OnDefine(ReadOnlySpan<byte> payload)
    {
        if (!DefineFrame.TryRead(payload, out var define, out var violation)) return violation;
        if (define.Ordinal != _methodCount) return new(ConnectionCode.ProtocolError, $"DEFINE of ordinal {define.Ordinal}; the next is {_methodCount}.");
        if (_methodCount == _maxOrdinals) return new(ConnectionCode.ExcessiveLoad, $"DEFINE number {_methodCount + 1}; at most {_maxOrdinals} are taken.");
        if (_methodCount == _methods.Length) Array.Resize(ref _methods, Math.Min(Math.Max(4, _methods.Length * 2), _maxOrdinals));
        var method = methods.Resolve(define.Name, define.Shape);
        _methods[_methodCount] = new DefinedMethod(method, connection.Options.MaxMessageOf(method.Descriptor), define.Fingerprint);
        if (connection.Admission is not null) _methods[_methodCount].Guard();
        _methodCount++;
        if (define.Fingerprint.IsKnown && method.Descriptor is { } here && here.Shape == define.Shape && DefinedMethods.FingerprintOf(here) is var own && own != define.Fingerprint)
            connection.AnswerDefine(new DefineAnswer(define.Ordinal, own));
        return null;
    }

    /// <summary>
    /// The shape of a method's requests at the peer, as a fingerprint; 0 if it does not say. Any thread that has a call of it: what was defined stays where it is, also when the table grows.
    /// </summary>
    public uint PeersRequestFingerprintOf(ushort ordinal) => Volatile.Read(ref _methods)[ordinal].Fingerprint.Request;

    public ProtocolViolation? OnRequest(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        var id = header.Id;
        if (!_partial.IsEmpty && _partial.Find(FrameKind.Request, id) is { } partial) return Continue(header, payload, partial);
        if (_hasRefused && _slots.FindUnwanted(id) is { } rest) return DiscardRest(header, payload, rest);
        if (!RequestHead.TryRead(payload, out var head, out var violation)) return violation;
        if (head.Ordinal >= _methodCount) return new(ConnectionCode.ProtocolError, $"REQUEST {id} of the ordinal {head.Ordinal}; {_methodCount} are defined.");
        if (connection.HasNewsForRequests && TakeNews(id) is { } late) return late;
        if (header.Flags != FrameFlags.None || (head.Options & ~PlainOptions) != 0 || _methods[head.Ordinal].TakesTime) return OnFullRequest(header, payload, head);
        violation = OpenSlot(id);
        if (violation is not null) return violation;

        ref var method = ref _methods[head.Ordinal];
        var call = new InboundCall(_acceptor, method.Method, id, (head.Options & RequestOptions.OneWay) != 0, DueOf(id, head), InTurn: true, Ordinal: head.Ordinal);
        var body = payload[head.Length..];
        _acceptor.CountStarted();
        if (!connection.Budgets.MayRun()) return RefuseForServer(call);
        return method.IsPlain && body.Length <= method.MaxMessage ? _acceptor.Start(call, body) : StartCounted(call, head.Options, body, method);
    }

    public ProtocolViolation? OnItem(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (!IsOfOpenCall(header, out var violation)) return violation;
        if (_slots.FindStream(header.Id) is not { Items: { } items, Window: { } window } stream) return NoStream(header);
        if (_slots.IsCancelled(header.Id)) return Discard(header);
        if (stream.IsEnded) return NoStream(header);
        if (stream.IsRefused) return Discard(header); // what was begun may be finished, whatever it costs
        var partial = _partial.Find(FrameKind.RequestItem, header.Id);
        violation = window.OnFrame(payload.Length, isFirst: partial is null);
        if (violation is not null) return violation;
        if (partial is not null) return _partial.AddOfItem(header, payload, partial, items, window, connection.Deliveries);

        int cost = CreditFrame.CostOfItem(payload.Length);
        if ((header.Flags & FrameFlags.More) != 0) return BeginItem(header, payload, stream, cost);
        if (payload.Length > stream.MaxItem)
        {
            RefuseItems(stream, TooLarge("An item", payload.Length, stream.MaxItem));
            return null;
        }

        if (items.OnItem(payload, cost)) connection.Deliveries.Add(items);
        return null;
    }

    public ProtocolViolation? OnEnd(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (!payload.IsEmpty) return new(ConnectionCode.ProtocolError, $"{header.Kind} {header.Id} carries {payload.Length} bytes; it must be empty.");
        if (!IsOfOpenCall(header, out var violation)) return violation;
        if (_slots.FindStream(header.Id) is not { Items: { } items } stream) return NoStream(header);
        if (_slots.IsCancelled(header.Id)) return Discard(header);
        if (stream.IsEnded) return NoStream(header);
        if (_partial.Find(FrameKind.RequestItem, header.Id) is not null) return new(ConnectionCode.ProtocolError, $"{header.Kind} {header.Id} inside an item.");
        stream.IsEnded = true;
        if (!stream.IsRefused) items.OnEnd(null, Turn.Current);
        return null;
    }

    public ProtocolViolation? OnCredit(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        if (!CreditFrame.TryRead(payload, header.Kind, out int bytes, out var violation)) return violation;
        if (!IsOfOpenCall(header, out violation)) return violation;
        if (_slots.FindStream(header.Id) is not { Responses: { } responses }) return NoStream(header);
        lock (connection.Gate) return responses.AddCreditLocked(bytes);
    }

    public ProtocolViolation? OnCancel(CallId id, ReadOnlySpan<byte> payload)
    {
        if (!CancelFrame.TryRead(payload, out var reason, out var violation)) return violation;
        switch (_slots.Find(id))
        {
            case RequestSlots.Relation.Stranger:
                return new(ConnectionCode.ProtocolError, $"CANCEL of call {id}, which is not the last of its slot.");
            case RequestSlots.Relation.Answered:
                _partial.Drop(FrameKind.Request, id);
                if (_slots.FindUnwanted(id) is not null) _slots.SetUnwanted(id, null);
                connection.Received.DiscardedFrames++; // crossed with the answer, of which less may be sent
                _acceptor.CutReply(id);
                return null;
        }

        _partial.Drop(FrameKind.RequestItem, id);
        if (_partial.Find(FrameKind.Request, id) is { } partial)
        {
            _partial.Drop(FrameKind.Request, id);
            if (!TryTake(partial)) return null;
            violation = _acceptor.Refuse(CallOf(partial), MuxStatus.Cancelled, "The caller gave the call up before its request was complete.");
            return violation ?? (connection.Budgets.IsPremature(id) ? connection.Budgets.OnMisuse() : null);
        }

        _acceptor.Cancel(id.Slot);
        return connection.Budgets.OnCancelled(id, reason);
    }

    /// <summary>Answers the requests that are not whole though their deadline has passed: nobody waits for the rest, which may still be a great deal.</summary>
    public void ExpireLocked(long now)
    {
        while (_arriving?.Expire(now) is { } partial) _acceptor.FailLocked(CallOf(partial), MuxStatus.DeadlineExceeded, "The deadline passed before the request had arrived.");
    }

    /// <summary>Gives back what came of requests that <see cref="ExpireLocked"/> has answered. The caller owns the turn.</summary>
    public void ForgetExpiredLocked()
    {
        if (_arriving is null) return;
        while (_arriving.TryTakeExpired(out var partial))
        {
            if (_partial.Find(FrameKind.Request, partial.Id) != partial) continue; // it is whole, or given up, meanwhile
            _partial.Drop(FrameKind.Request, partial.Id);
            KeepUnwanted(partial);
        }
    }

    /// <summary>Gives up items of calls that were answered meanwhile: their ends do not come. When room is short, because the answers come from other threads.</summary>
    public void DropStale() => _partial.DropStale(_isOver);

    /// <summary>Refuses the requests, and ends the streams, of whose messages nothing came for too long.</summary>
    /// <param name="turn">This one; it may be lost behind.</param>
    /// <param name="oldest">As <see cref="PartialMessages.FindStalled"/> lowers it.</param>
    /// <returns>The rule that the peer breaks by it, or null.</returns>
    public ProtocolViolation? RefuseStalled(Turn turn, ref long oldest)
    {
        ProtocolViolation? violation = null;
        foreach (var partial in _partial.FindStalled(ref oldest))
        {
            if (turn.IsLost) break; // the one that goes on in its place looks again
            if (partial.Kind == FrameKind.Request)
            {
                if (!TryTake(partial)) continue; // its deadline was faster
                var call = CallOf(partial);
                _partial.Drop(FrameKind.Request, partial.Id);
                violation ??= _acceptor.Refuse(call, MuxStatus.ResourceExhausted, budget.DescribeStall("request", partial));
                KeepUnwanted(partial);
                continue;
            }

            _partial.Drop(FrameKind.RequestItem, partial.Id);
            if (!_isOver(partial.Id) && _slots.FindStream(partial.Id) is { IsRefused: false } stream) RefuseItems(stream, budget.DescribeStall("item", partial));
        }

        return violation;
    }

    /// <summary>The connection is over: what has not arrived never will.</summary>
    public void Close()
    {
        foreach (var partial in _partial.Begun)
        {
            if (partial.Start is not null && TryTake(partial)) CallOf(partial).Fail(MuxStatus.Unavailable, MuxExecution.NotExecuted, "The connection ended before the request had arrived."); // for the counters: nobody hears it
        }

        _partial.Clear();
    }

    /// <summary>A request with metadata, a trace, a priority, streams or more than one frame.</summary>
    private ProtocolViolation? OnFullRequest(FrameHeader header, ReadOnlySpan<byte> payload, RequestHead head)
    {
        var id = header.Id;
        int at = head.Length;
        int total = 0;
        bool isFirst = (header.Flags & FrameFlags.More) != 0;
        if (isFirst)
        {
            if (!FragmentHead.TryRead(payload[at..], out total, out var tooShort)) return tooShort;
            at += FragmentHead.Length;
        }

        bool isOverLimit = false;
        MuxMetadata? metadata = null;
        if ((header.Flags & FrameFlags.Meta) != 0)
        {
            if (!MetadataBlock.TryRead(payload[at..], _maxMetadata, out int length, out isOverLimit, out var malformed)) return malformed;
            if (!isOverLimit && _methods[head.Ordinal].ShowsOptions) metadata = MetadataBlock.Decode(payload.Slice(at, length)); // nobody else sees it, and it would be kept until the answer
            at += length;
        }

        if (isFirst && at < payload.Length) return FragmentHead.BodyTooEarly(header, payload.Length - at);
        var violation = (isFirst ? _acceptor.Flood : null) ?? OpenSlot(id); // of requests in fragments a tick refuses those that expire, which can end no connection
        if (violation is not null) return violation;

        var method = _methods[head.Ordinal];
        long due = DueOf(id, head);
        TraceContext? trace = head.HasTrace ? head.ReadTrace(payload) : null;
        var extras = new InboundExtras(head.Options, trace, metadata);
        var call = new InboundCall(_acceptor, method.Method, id, (head.Options & RequestOptions.OneWay) != 0, due, InTurn: true, Extras: extras, Ordinal: head.Ordinal);
        _acceptor.CountStarted();
        if (TryRefuse(call, method, out violation))
        {
            if (isFirst) KeepUnwanted(new PartialMessage(FrameKind.Request, id, total, isUnwanted: true));
            return violation;
        }

        if (!isFirst && !isOverLimit) return StartCounted(call, head.Options, payload[at..], method);

        var refusal = isOverLimit ? $"The request came with more metadata than MaxMetadataBytes allows, which is {_maxMetadata}." : Begin(id, total, new RequestStart(method, head, due, extras));
        if (refusal is null) return null;
        violation = _acceptor.Refuse(call, MuxStatus.ResourceExhausted, refusal);
        if (isFirst) KeepUnwanted(new PartialMessage(FrameKind.Request, id, total, isUnwanted: true));
        return violation ?? (isOverLimit ? connection.Budgets.OnMetadataMisuse() : total > method.MaxMessage ? Misuse(head.Ordinal) : null);
    }

    /// <summary>Refuses a request whatever it carries, if there is a reason.</summary>
    private bool TryRefuse(in InboundCall call, in DefinedMethod method, out ProtocolViolation? violation)
    {
        violation = null;
        var access = method.IsGuarded ? JudgeAccess(call.Ordinal) : MuxStatus.Ok;
        if (access != MuxStatus.Ok)
            violation = _acceptor.Refuse(call, access, access == MuxStatus.Unauthenticated ? "The caller is not authenticated." : "The caller may not call this method.") ?? Misuse(call.Ordinal);
        else if (!connection.Budgets.MayRun())
            violation = RefuseForServer(call);
        else if (method.IsSuspect && !MayDecode(call.Ordinal))
            violation = _acceptor.Refuse(call, MuxStatus.ResourceExhausted, "Too many requests of the connection could not be decoded (Limits.MisusedRequests): for a second none of this method is.");
        else
            return false;
        return true;
    }

    /// <summary>Asks whether the peer may call a method; once, if it may.</summary>
    private MuxStatus JudgeAccess(ushort ordinal)
    {
        ref var method = ref _methods[ordinal];
        var status = connection.Admission!.Judge(method.Method.Descriptor!);
        if (status == MuxStatus.Ok) method.Unguard();
        return status;
    }

    /// <summary>Whether a request of a method may be decoded of which others could not be.</summary>
    private bool MayDecode(ushort ordinal)
    {
        if (connection.Budgets.IsSuspicionOver) _methods[ordinal].Unsuspect();
        return connection.Budgets.MayDecode;
    }

    /// <summary>The drain was acknowledged, somebody else may be at the other end, or a request could not be decoded.</summary>
    /// <returns>The rule that the request breaks, or null.</returns>
    private ProtocolViolation? TakeNews(CallId id)
    {
        if (connection.RefusesRequests) return new(ConnectionCode.ProtocolError, $"REQUEST {id} after the drain was acknowledged.");
        connection.TakeAccessNews();
        lock (connection.Gate)
        {
            while (connection.Budgets.TryTakeUndecodableLocked(out ushort ordinal)) _methods[ordinal].Suspect();
        }

        if (connection.Admission is null) return null;
        foreach (ref var method in _methods.AsSpan(0, _methodCount)) method.Guard();
        return null;
    }

    /// <returns>The rule that its id breaks, or null.</returns>
    private ProtocolViolation? OpenSlot(CallId id)
    {
        var violation = _slots.Open(id);
        if (violation is null && !_partial.IsEmpty) _partial.DropSlot(id.Slot); // else it would be continued when the generations have wrapped
        return violation;
    }

    /// <returns>Why the message is not taken; null if it is.</returns>
    private string? Begin(CallId id, int total, RequestStart start)
    {
        if (total > start.Method.MaxMessage) return TooLarge("The request", total, start.Method.MaxMessage);
        if (TryBegin(FrameKind.Request, id, total, start.Extras?.Held ?? 0) is not { } partial) return budget.DescribeLack("request", total);
        partial.Start = start;
        if (start.Due == Clock.Never) return null;
        lock (connection.Gate)
        {
            (_arriving ??= new()).Add(partial);
            connection.RequestTickLocked(start.Due);
        }

        return null;
    }

    /// <summary>The call of a request that is not whole is answered; its fragments may still come, and are charged and counted.</summary>
    private void KeepUnwanted(PartialMessage rest)
    {
        if (_slots.Find(rest.Id) != RequestSlots.Relation.Answered) return; // the connection is over
        connection.Reassembly.Begun++;
        rest.Start = null;
        rest.Forget();
        _slots.SetUnwanted(rest.Id, rest);
        _hasRefused = true;
    }

    private ProtocolViolation? DiscardRest(FrameHeader header, ReadOnlySpan<byte> payload, PartialMessage rest)
    {
        connection.Budgets.NoteDiscarded();
        var violation = connection.BulkWindow.OnFrame(payload.Length) ?? PartialMessages.Discard(header, payload, rest);
        if (rest.Left == 0) _slots.SetUnwanted(rest.Id, null);
        return violation;
    }

    /// <summary>Whether the turn is the one to answer a request that is not whole, or was not until now: if not, its deadline was faster.</summary>
    private bool TryTake(PartialMessage partial)
    {
        if (partial.Start!.Due == Clock.Never) return true;
        lock (connection.Gate) return _arriving!.TryTake(partial);
    }

    private ProtocolViolation? Continue(FrameHeader header, ReadOnlySpan<byte> payload, PartialMessage partial)
    {
        var violation = connection.BulkWindow.OnFrame(payload.Length);
        if (violation is not null) return violation;
        if (!_partial.Add(header, payload, partial, out violation)) return violation;
        if (!TryTake(partial))
        {
            partial.Return();
            return null;
        }

        var call = CallOf(partial);
        var method = partial.Start!.Method;
        var options = partial.Start.Head.Options;
        if (!HasShape(options, method)) violation = RefuseShape(call, options);
        else if (TryOpenStreams(call, method, out violation)) return _acceptor.StartFragmented(call, partial);
        partial.Return();
        return violation;
    }

    private InboundCall CallOf(PartialMessage partial)
    {
        var start = partial.Start!;
        return new InboundCall(_acceptor, start.Method.Method, partial.Id, (start.Head.Options & RequestOptions.OneWay) != 0, start.Due, InTurn: true, Extras: start.Extras, Ordinal: start.Head.Ordinal);
    }

    /// <summary>When a request expires whose slot is open: as it says, and no later than this side allows.</summary>
    private long DueOf(CallId id, RequestHead head)
    {
        if (!head.HasDeadline && _maxDeadline == Clock.Never) return Clock.Never;
        long left = Math.Min(head.HasDeadline ? head.DeadlineMicroseconds : Clock.Never, _maxDeadline);
        if (left < SlotAge.ShortDeadline) _slots.SetAge(id.Slot, left);
        return Clock.After(connection.Clock.Now, left);
    }

    private ProtocolViolation? StartCounted(in InboundCall call, RequestOptions options, ReadOnlySpan<byte> body, in DefinedMethod method)
    {
        if (!method.IsServed) return _acceptor.Start(call, body) ?? Misuse(call.Ordinal);
        if (!HasShape(options, method)) return RefuseShape(call, options);
        if (body.Length > method.MaxMessage) return _acceptor.Refuse(call, MuxStatus.ResourceExhausted, TooLarge("The request", body.Length, method.MaxMessage)) ?? Misuse(call.Ordinal);
        return TryOpenStreams(call, method, out var violation) ? _acceptor.Start(call, body) : violation;
    }

    /// <summary>Whether a request says of its stream what the method does.</summary>
    private static bool HasShape(RequestOptions options, in DefinedMethod method) => SaysStream(options) == ((method.Streams & MethodShape.RequestStream) != 0);

    private static bool SaysStream(RequestOptions options) => (options & RequestOptions.Stream) != 0;

    private ProtocolViolation? RefuseShape(in InboundCall call, RequestOptions options) =>
        _acceptor.Refuse(call, MuxStatus.Unimplemented, $"The request says that it is {(SaysStream(options) ? "a" : "no")} stream, and its method has another shape.") ?? Misuse(call.Ordinal);

    /// <summary>
    /// A request is refused for what its method is to this peer, or for its length: once for each definition. A peer with another version of the contract makes the same mistake with each call, and is refused each time for less than
    /// a call costs that runs; nothing of it is decoded.
    /// </summary>
    private BudgetBreach? Misuse(ushort ordinal) => _methods[ordinal].TryCharge() ? connection.Budgets.OnMisuse() : null;

    /// <summary>Not the peer's doing, and so no misuse: others may hold all there is.</summary>
    private ProtocolViolation? RefuseForServer(in InboundCall call) =>
        _acceptor.Refuse(call, MuxStatus.ResourceExhausted, $"The connection, or its address, has its share of the {connection.Options.Shared!.Handlers.Limit} requests that the server answers at a time (Limits.MaxHandlers, Limits.MaxHandlersPerAddress).");

    /// <returns>False if there is no room for them: then the call is refused.</returns>
    private bool TryOpenStreams(in InboundCall call, in DefinedMethod method, out ProtocolViolation? violation)
    {
        violation = null;
        var shape = method.Streams;
        if (shape == MethodShape.Unary) return true;
        InboundWindow? window = null;
        IInboundItems? items = null;
        if ((shape & MethodShape.RequestStream) != 0)
        {
            int size = connection.Options.Local.StreamCredit;
            if (connection.ReserveWindow(size) is { } lack)
            {
                violation = _acceptor.Refuse(call, MuxStatus.ResourceExhausted, lack);
                return false;
            }

            window = new InboundWindow(connection, call.Id, FrameKind.RequestCredit, size);
            items = call.Method.OpenItems(call);
            items!.Begin(window);
        }

        var responses = (shape & MethodShape.ResponseStream) != 0 ? new OutboundStream(connection, call.Id, FrameKind.ResponseItem, connection.Peer.StreamCredit, call.Priority) : null;
        _slots.Attach(call.Id, new AcceptedStream(items, window, responses, method.MaxMessage));
        return true;
    }

    private ProtocolViolation? BeginItem(FrameHeader header, ReadOnlySpan<byte> payload, AcceptedStream stream, int cost)
    {
        if (!FragmentHead.TryReadAlone(header, payload, out int total, out var violation)) return violation;
        var refusal = total > stream.MaxItem ? TooLarge("An item", total, stream.MaxItem) : null;
        if (refusal is null && TryBegin(FrameKind.RequestItem, header.Id, total) is { } partial) partial.Cost = cost;
        else refusal ??= budget.DescribeLack("item", total);
        if (refusal is not null) RefuseItems(stream, refusal);
        return null;
    }

    private static string TooLarge(string what, int length, int limit) => $"{what} is {length} bytes; MaxMessageBytes allows {limit}.";

    private static void RefuseItems(AcceptedStream stream, string why)
    {
        stream.IsRefused = true;
        stream.Items!.OnEnd(new CallFailure(MuxStatus.ResourceExhausted, MuxExecution.Executed, MuxPhase.Decode, why), Turn.Current);
    }

    private PartialMessage? TryBegin(FrameKind kind, CallId id, int total, int beside = 0)
    {
        if (!budget.HasRoomFor(total, beside)) connection.DropStaleMessages();
        var partial = _partial.TryBegin(kind, id, total, beside);
        if (partial is null && budget.Verdict != MemoryVerdict.Granted) connection.Options.Shared!.OnRefused(budget.Verdict);
        return partial;
    }

    /// <summary>Whether a frame belongs to a call that is open.</summary>
    /// <param name="header">Of the frame, which is dealt with if it does not.</param>
    /// <param name="violation">The rule that it breaks then, or null.</param>
    private bool IsOfOpenCall(FrameHeader header, out ProtocolViolation? violation)
    {
        var relation = _slots.Find(header.Id);
        violation = relation switch
        {
            RequestSlots.Relation.Stranger => Stranger(header),
            RequestSlots.Relation.Answered => Discard(header),
            _ => null,
        };
        return relation == RequestSlots.Relation.Open;
    }

    /// <summary>What crossed with the answer.</summary>
    private ProtocolViolation? Discard(FrameHeader header)
    {
        _partial.Drop(FrameKind.RequestItem, header.Id);
        connection.Received.DiscardedFrames++;
        if (header.Kind != FrameKind.ResponseCredit) connection.Budgets.NoteDiscarded(); // which is no message in any case
        return null;
    }

    /// <summary>A frame of a stream for a call that was open a moment ago and has no such stream, unless another thread answers it right now.</summary>
    private ProtocolViolation? NoStream(FrameHeader header)
    {
        bool isAnswered;
        lock (connection.Gate) isAnswered = _slots.Find(header.Id) == RequestSlots.Relation.Answered;
        return isAnswered ? Discard(header) : new(ConnectionCode.ProtocolError, $"{header.Kind} for call {header.Id}, which has no such stream, whose request is not complete, or whose stream has ended.");
    }

    private static ProtocolViolation Stranger(FrameHeader header) => new(ConnectionCode.ProtocolError, $"{header.Kind} for call {header.Id}, which is not the last of its slot.");
}
