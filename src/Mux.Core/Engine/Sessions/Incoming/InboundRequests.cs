using Mux.Contracts;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Reads the frames that the peer sends for its calls: definitions, requests and cancels. Turn only, except members ending in Locked, which ticks call.
/// </summary>
internal sealed class InboundRequests : IMessageHolder
{
    /// <summary>Options that a request may have if it is a head and a body of one frame, and its call has no streams. No handler sees them.</summary>
    private const RequestOptions PlainOptions = RequestOptions.Deadline | RequestOptions.OneWay;

    /// <summary>Incomplete requests that are answered while the lock is held, when many expire at once: some 20 microseconds.</summary>
    private const int ExpiredPerLock = 64;

    private readonly Session _session;
    private readonly IMethodResolver _resolver;
    private readonly bool _isGuarded; // the peer may call only what it is allowed to
    private readonly Acceptor _acceptor;
    private readonly ReplyPort _replies;
    private readonly RequestSlots _slots;
    private readonly RequestNews _news;
    private readonly PeerBudgets _budgets;
    private readonly RequestMisuse _misuse;
    private readonly RequestShedding _shedding;
    private readonly BulkWindow _bulk;
    private readonly PartialMessages _partial;
    private readonly UnwantedRequests _unwanted;
    private readonly int _maxOrdinals;
    private readonly int _maxMetadata;
    private readonly long _maxDeadline;
    private ArrivingRequests? _arriving; // created by the first request in fragments that has a deadline
    private DefinedMethod[] _methods = [];
    private int _methodCount;

    public InboundRequests(Session session, IMethodResolver resolver, Acceptor acceptor, ReplyPort replies, PeerBudgets budgets, Intake intake)
    {
        (_session, _resolver, _isGuarded, _acceptor, _replies, _budgets) = (session, resolver, session.GuardsMethods, acceptor, replies, budgets);
        (_slots, _news, _bulk) = (replies.Slots, session.News, intake.Bulk);
        _misuse = new RequestMisuse(session, budgets);
        _shedding = new RequestShedding(session, acceptor, budgets);
        _partial = new PartialMessages(session.Reassembly);
        _unwanted = new UnwantedRequests(session, _slots, budgets, _bulk);
        Streams = new RequestStreams(session, _slots, _partial, budgets, intake.Deliveries);
        _maxOrdinals = session.Options.Local.MaxOrdinals;
        _maxMetadata = session.Options.Local.MaxMetadata;
        _maxDeadline = session.Options.MaxDeadline;
    }

    /// <summary>Reads the frames for the streams of the requests.</summary>
    public RequestStreams Streams { get; }

    /// <summary>True if no wanted message is incomplete; for tests.</summary>
    public bool IsEmpty => _partial.IsEmpty;

    public long NextDueLocked => _arriving?.NextDue ?? Clock.Never;

    private RequestPlaces Places => new(_acceptor, _replies.Room, _budgets);

    public ProtocolViolation? OnDefine(ReadOnlySpan<byte> payload)
    {
        if (!DefineFrame.TryRead(payload, out var define, out var violation)) return violation;
        if (define.Ordinal != _methodCount) return new(ConnectionCode.ProtocolError, $"DEFINE of ordinal {define.Ordinal}; the next is {_methodCount}.");
        if (_methodCount == _maxOrdinals) return new(ConnectionCode.ExcessiveLoad, $"DEFINE number {_methodCount + 1}; at most {_maxOrdinals} are accepted.");
        if (_methodCount == _methods.Length) Array.Resize(ref _methods, Math.Min(Math.Max(4, _methods.Length * 2), _maxOrdinals));
        var method = _resolver.Resolve(define.Name, define.Shape);
        _methods[_methodCount] = new DefinedMethod(method, _session.Options.MaxMessageOf(method.Descriptor));
        if (method.HeldBytes is > 0 and var held) _slots.ChargeConnection(held);
        _replies.Fingerprints.Add(_methodCount, define.Fingerprint.Request, _maxOrdinals - 1);
        if (_isGuarded) _methods[_methodCount].Guard();
        _methodCount++;
        if (define.Fingerprint.IsKnown && method.Descriptor is { } here && here.Shape == define.Shape
            && new MethodFingerprint(here.RequestFingerprint, here.ResponseFingerprint) is var own && own != define.Fingerprint)
        {
            _session.AnswerDefine(new DefineAnswer(define.Ordinal, own));
            if (own.DifferenceFrom(define.Fingerprint) is { } messages) _session.OnContractDiffers(here, messages);
        }

        return null;
    }

    public ProtocolViolation? OnRequest(FrameHeader header, ReadOnlySpan<byte> payload)
    {
        var id = header.Id;
        if (!_partial.IsEmpty && _partial.Find(FrameKind.Request, id) is PartialRequest partial) return Continue(header, payload, partial);
        if (_unwanted.Find(id) is { } rest) return _unwanted.OnFragment(header, payload, rest);
        if (!RequestHead.TryRead(payload, out var head, out var violation)) return violation;
        if (head.Ordinal >= _methodCount) return new(ConnectionCode.ProtocolError, $"REQUEST {id} of the ordinal {head.Ordinal}; {_methodCount} are defined.");
        if (_news.HasAny && TakeNews(id) is { } late) return late;
        ref var method = ref _methods[head.Ordinal];
        if (header.Flags != FrameFlags.None || method.TakesTime || ((head.Options & ~PlainOptions) is var special && special != 0 && method.Reads(special)))
        {
            return OnFullRequest(header, payload, head);
        }

        violation = OpenSlot(id);
        if (violation is not null) return violation;

        var call = new InboundCall(
            _replies, method.Method, id, (head.Options & RequestOptions.OneWay) != 0, DueOf(id, head), InTurn: true, Ordinal: head.Ordinal,
            IsForwarded: head.IsForwarded);
        var body = payload[head.Length..];
        _session.RequestCounts.CountStarted(method.Method.TallyRow);
        if (_shedding.IsActive && _shedding.TryRefuse(call, out violation)) return violation;
        bool mustWait = _acceptor.MustWait;
        if ((mustWait || !_budgets.HasPlace) && !Places.TryWait(method, isKept: false, ref mustWait)) return Places.Refuse(call, isKept: false);
        if (!method.IsPlain || body.Length > method.MaxMessage) return StartCounted(call, head.Options, body, method, mustWait);
        return mustWait ? _acceptor.Parking.Park(call, body, null) : _acceptor.Run(call, body);
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
                _unwanted.Forget(id);
                _session.Received.DiscardedFrames++; // crossed with the answer, whose unsent rest is dropped
                _acceptor.CutReply(id);
                return null;
        }

        _partial.Drop(FrameKind.RequestItem, id);
        if (_partial.Find(FrameKind.Request, id) is PartialRequest partial)
        {
            _partial.Drop(FrameKind.Request, id);
            if (!TryTake(partial)) return null;
            violation = _acceptor.Refuse(CallOf(partial), MuxStatus.Cancelled, "The caller cancelled the call before its request was complete.");
            return violation ?? _budgets.OnCancelled(_slots.StampOf(id.Slot), reason);
        }

        _replies.Tokens.Cancel(id.Slot, reason);
        _acceptor.Parking.OnCancelled();
        return _budgets.OnCancelled(_slots.StampOf(id.Slot), reason);
    }

    /// <summary>Answers incomplete requests that have expired: no caller waits for the rest, which may be large.</summary>
    /// <returns>True if there may be more: others that wait for the lock go first.</returns>
    public bool ExpireLocked(long now)
    {
        _session.AssertLocked();
        int count = 0;
        while (count < ExpiredPerLock && _arriving?.Expire(now) is { } partial)
        {
            _session.RequestCounts.CountResumed();
            _acceptor.FailLocked(CallOf(partial), MuxStatus.DeadlineExceeded, "The deadline passed before the request had arrived.");
            count++;
        }

        return count == ExpiredPerLock;
    }

    /// <summary>Drops the fragments of requests that <see cref="ExpireLocked"/> has answered. The caller owns the turn.</summary>
    public void ForgetExpiredLocked()
    {
        _session.AssertLocked();
        if (_arriving is null) return;
        while (_arriving.TryTakeExpired(out var partial))
        {
            if (_partial.Find(FrameKind.Request, partial.Id) != partial) continue; // it became whole, or was cancelled, meanwhile
            _partial.Drop(FrameKind.Request, partial.Id);
            _unwanted.Keep(partial);
        }
    }

    /// <summary>Refuses requests and ends streams with a stalled message.</summary>
    /// <param name="turn">The current turn, which user code may lose.</param>
    /// <param name="oldest">As lowered by <see cref="PartialMessages.FindStalled"/>.</param>
    /// <returns>The rule that the peer breaks by it, or null.</returns>
    public ProtocolViolation? RefuseStalled(Turn turn, ref long oldest)
    {
        ProtocolViolation? violation = null;
        foreach (var partial in _partial.FindStalled(ref oldest))
        {
            if (turn.IsLost) break; // the turn that continues checks again
            if (partial is PartialRequest request)
            {
                if (!TryTake(request)) continue; // its deadline passed first
                var call = CallOf(request);
                _partial.Drop(FrameKind.Request, partial.Id);
                violation ??= _acceptor.Refuse(call, MuxStatus.ResourceExhausted, _session.Reassembly.DescribeStall("request", partial));
                _unwanted.Keep(request);
                continue;
            }

            _partial.Drop(FrameKind.RequestItem, partial.Id);
            if (!IsOver(partial.Id) && _slots.FindStream(partial.Id) is { IsRefused: false } stream)
            {
                RequestStreams.Refuse(stream, _session.Reassembly.DescribeStall("item", partial));
            }
        }

        return violation;
    }

    /// <inheritdoc/>
    public void DropStale() => _partial.DropStale(IsOver);

    /// <summary>Answers what has not arrived when the connection is over.</summary>
    public void Close()
    {
        foreach (var partial in _partial.Begun)
        {
            if (partial is PartialRequest request && TryTake(request))
            {
                // For the counters: the answer is not sent.
                CallOf(request).Fail(MuxStatus.Unavailable, MuxExecution.NotExecuted, "The connection ended before the request had arrived.");
            }
        }

        _partial.Clear();
        _slots.ReleaseSlots();
    }

    /// <summary>True if items of the call are no longer wanted: it was answered meanwhile, and their ends do not come.</summary>
    private bool IsOver(CallId id) => _slots.Find(id) != RequestSlots.Relation.Open || _slots.IsCancelled(id);

    /// <summary>Handles a request with metadata, a trace, a priority, streams or more than one frame.</summary>
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
        ReadOnlySpan<byte> metadata = default;
        ForwardedCaller? caller = null;
        if ((header.Flags & FrameFlags.Meta) != 0)
        {
            if (!MetadataBlock.TryRead(payload[at..], _maxMetadata, out int length, out isOverLimit, out var malformed)) return malformed;
            if (!isOverLimit)
            {
                if (_isGuarded && head.IsForwarded) caller = _session.Access?.FindCaller(payload.Slice(at, length));
                // No other code reads it, and it would be kept until the answer.
                if (_methods[head.Ordinal].ShowsOptions) metadata = payload.Slice(at, length);
            }

            at += length;
        }

        if (isFirst && at < payload.Length) return FragmentHead.BodyTooEarly(header, payload.Length - at);
        // A tick refuses requests in fragments that expire, and cannot end the connection: so the flood is checked here.
        var violation = (isFirst ? _acceptor.Flood : null) ?? OpenSlot(id);
        if (violation is not null) return violation;

        var method = _methods[head.Ordinal];
        long due = DueOf(id, head);
        TraceContext? trace = head.HasTrace ? head.ReadTrace(payload) : null;
        ulong key = head.HasKey && method.Method.ReadsKeys ? head.ReadKey(payload) : 0;
        var extras = InboundExtras.Of(head.Options, trace, metadata, method.ShowsOptions ? caller : null, key);
        var call = new InboundCall(
            _replies, method.Method, id, (head.Options & RequestOptions.OneWay) != 0, due, InTurn: true, Extras: extras, Ordinal: head.Ordinal,
            IsForwarded: head.IsForwarded);
        _session.RequestCounts.CountStarted(method.Method.TallyRow);
        if (TryRefuse(ref call, ref method, caller, isFirst, out bool isAbsent, out bool mustWait, out violation))
        {
            if (isFirst) _unwanted.Begin(id, total);
            if (isAbsent && violation is null) method.Method.OnRefused(call); // last: user code may lose the turn, and a violation would be lost with it
            return violation;
        }

        if (!isFirst && !isOverLimit) return StartCounted(call, head.Options, payload[at..], method, mustWait);

        var refusal = isOverLimit
            ? $"The metadata of the request exceeds {_maxMetadata} bytes, MaxMetadataBytes of the server."
            : Begin(id, total, new RequestStart(method, head, due, extras));
        if (refusal is null) return null;
        bool isHopeless = isOverLimit || total > method.MaxMessage;
        violation = isHopeless ? _acceptor.Refuse(call, MuxStatus.ResourceExhausted, refusal) : _acceptor.RefuseForNow(call, refusal);
        if (isFirst) _unwanted.Begin(id, total);
        if (violation is not null || !isHopeless) return violation;
        return isOverLimit ? _misuse.CountMetadata() : Misuse(call);
    }

    /// <summary>
    /// Refuses a request whatever it carries, if there is a reason. A request in fragments for a method that is not here is refused at its first fragment:
    /// nothing is kept until it is whole.
    /// </summary>
    private bool TryRefuse(
        ref InboundCall call, ref DefinedMethod method, ForwardedCaller? caller, bool isFirst, out bool isAbsent, out bool mustWait,
        out ProtocolViolation? violation)
    {
        (isAbsent, mustWait, violation) = (false, false, null);
        if (_shedding.IsActive && _shedding.TryRefuse(call, out violation)) return true;
        if (RequestAccess.Judge(ref call, ref _methods[call.Ordinal], ref method, caller) is not MuxStatus.Ok and var access)
        {
            violation = _acceptor.Refuse(call, access, RequestAccess.TextOf(call, access)) ?? Misuse(call);
        }
        else if (isFirst && !method.IsServed)
        {
            isAbsent = true;
            violation = _acceptor.Refuse(call, MuxStatus.Unimplemented, method.Method.Absence) ?? Misuse(call);
        }
        else if (method.IsSuspect && !MayDecode(call.Ordinal))
        {
            violation = _acceptor.Refuse(call, MuxStatus.ResourceExhausted, RequestMisuse.TooManyUndecodable);
        }
        else if (Places.TryPlace(method, isKept: isFirst, out mustWait))
        {
            return false;
        }
        else
        {
            violation = Places.Refuse(call, isKept: isFirst);
        }

        return true;
    }

    /// <summary>True if a request may be decoded although others of its method could not.</summary>
    private bool MayDecode(ushort ordinal)
    {
        if (_budgets.IsSuspicionOver) _methods[ordinal].Unsuspect();
        return _budgets.MayDecode;
    }

    /// <summary>Applies news: the drain was acknowledged, the access of the peer changed, or earlier requests were misuse.</summary>
    /// <returns>The rule that the request breaks, or null.</returns>
    private ProtocolViolation? TakeNews(CallId id)
    {
        if (_session.RefusesRequests) return new(ConnectionCode.ProtocolError, $"REQUEST {id} after the drain was acknowledged.");
        BudgetBreach? breach;
        lock (_session.Gate)
        {
            _news.Clear(again: _session.RefusesRequests);
            breach = _misuse.TakeNewsLocked(_methods);
        }

        if (!_isGuarded || breach is not null) return breach;
        foreach (ref var method in _methods.AsSpan(0, _methodCount)) method.Guard();
        return null;
    }

    /// <returns>The rule that the id breaks, or null.</returns>
    private ProtocolViolation? OpenSlot(CallId id)
    {
        var violation = _slots.Open(id);
        if (violation is null && !_partial.IsEmpty) _partial.DropSlot(id.Slot); // otherwise a new message would continue it once generations wrap
        return violation;
    }

    /// <returns>The message of the refusal; null if the message is accepted.</returns>
    private string? Begin(CallId id, int total, RequestStart start)
    {
        if (total > start.Method.MaxMessage) return RequestStreams.TooLarge("The request", total, start.Method.MaxMessage);
        var partial = new PartialRequest(id, total, start);
        if (!Streams.TryBegin(partial)) return _session.Reassembly.DescribeLack("request", total);
        if (start.Method.Method.OrderScopeOf(start.CallOf(_replies, id)) is not 0 and var scope) _replies.OpenOrder().Expect(scope, id);
        _session.RequestCounts.CountPaused(); // until it is whole it needs no place
        if (start.Due == Clock.Never) return null;
        lock (_session.Gate)
        {
            (_arriving ??= new()).Add(partial);
            _session.RequestTickLocked(start.Due);
        }

        return null;
    }

    /// <summary>Refuses a request for whose last fragment the server had no memory.</summary>
    private ProtocolViolation? RefuseStarved(PartialRequest partial)
    {
        // Otherwise its deadline passed first.
        var violation = TryTake(partial)
            ? _acceptor.RefuseForMemory(CallOf(partial), _session.Reassembly.DescribeLack("request", partial.Length), _session.Reassembly.Verdict)
            : null;
        if (partial.Left > 0) _unwanted.Keep(partial);
        return violation;
    }

    /// <summary>Takes an incomplete request, or one that was incomplete until now, for the turn. False if its deadline passed first.</summary>
    private bool TryTake(PartialRequest partial)
    {
        if (partial.Start!.Due != Clock.Never)
        {
            lock (_session.Gate)
            {
                if (!_arriving!.TryTake(partial)) return false;
            }
        }

        _session.RequestCounts.CountResumed();
        return true;
    }

    private ProtocolViolation? Continue(FrameHeader header, ReadOnlySpan<byte> payload, PartialRequest partial)
    {
        var violation = _bulk.OnFrame(payload.Length);
        if (violation is not null) return violation;
        if (!_partial.Add(header, payload, partial, out violation)) return partial.IsStarved ? RefuseStarved(partial) : violation;
        if (!TryTake(partial))
        {
            partial.Return();
            return null;
        }

        var call = CallOf(partial);
        var method = partial.Start!.Method;
        var options = partial.Start.Head.Options;
        if (!method.Agrees(options)) violation = RefuseShape(call, options);
        else if (!Places.TryPlace(method, isKept: true, out _)) violation = Places.Refuse(call, isKept: true);
        else if (TryOpenStreams(call, method, out violation)) return _acceptor.StartFragmented(call, partial);
        partial.Return();
        return violation;
    }

    private InboundCall CallOf(PartialRequest partial) => partial.Start!.CallOf(_replies, partial.Id);

    /// <summary>Gets when a request of an open slot expires: as it says, less what it has waited to be read, and no later than this side allows.</summary>
    private long DueOf(CallId id, RequestHead head)
    {
        if (!head.HasDeadline && _maxDeadline == Clock.Never) return Clock.Never;
        long left = Math.Min(head.HasDeadline ? Math.Max(0, head.DeadlineMicroseconds - _shedding.Delay) : Clock.Never, _maxDeadline);
        if (left < SlotAge.ShortDeadline) _slots.SetAge(id.Slot, left);
        return Clock.After(_session.Clock.Now, left);
    }

    private ProtocolViolation? StartCounted(
        in InboundCall call, RequestOptions options, ReadOnlySpan<byte> body, in DefinedMethod method, bool waits)
    {
        if (!method.IsServed)
        {
            // Observers of the refusal are user code, which may lose the turn and the violation with it: a request that breaks a rule gets none.
            return Misuse(call) is { } misuse
                ? _acceptor.Refuse(call, MuxStatus.Unimplemented, method.Method.Absence) ?? misuse
                : _acceptor.Run(call, body);
        }

        if (!method.Agrees(options)) return RefuseShape(call, options);
        if (body.Length > method.MaxMessage)
        {
            return _acceptor.Refuse(call, MuxStatus.ResourceExhausted, RequestStreams.TooLarge("The request", body.Length, method.MaxMessage))
                ?? Misuse(call);
        }

        if (!TryOpenStreams(call, method, out var violation)) return violation;
        return waits ? _acceptor.Parking.Park(call, body) : _acceptor.Run(call, body);
    }

    private ProtocolViolation? RefuseShape(in InboundCall call, RequestOptions options) =>
        _acceptor.Refuse(call, MuxStatus.Unimplemented,
            $"The request says that it is {(DefinedMethod.SaysStream(options) ? "a" : "no")} stream, but its method has another shape.") ?? Misuse(call);

    private BudgetBreach? Misuse(in InboundCall call) => _misuse.Count(ref _methods[call.Ordinal], call.IsForwarded);

    /// <returns>False if there is no room for the streams: then the call is refused.</returns>
    private bool TryOpenStreams(in InboundCall call, in DefinedMethod method, out ProtocolViolation? violation)
    {
        violation = null;
        var shape = method.Streams;
        if (shape == MethodShape.Unary) return true;
        InboundWindow? window = null;
        IInboundItems? items = null;
        if ((shape & MethodShape.RequestStream) != 0)
        {
            int size = _session.Options.Local.StreamCredit;
            if (_session.ReserveWindow(size, call.Method.SideOf(_session)) is { } lack)
            {
                violation = _acceptor.Refuse(call, MuxStatus.ResourceExhausted, lack, Acceptor.RetryAfterLack);
                return false;
            }

            window = new InboundWindow(_session, call.Id, FrameKind.RequestCredit, size);
            items = call.Method.OpenItems(call);
            items!.Begin(window);
        }

        var responses = (shape & MethodShape.ResponseStream) != 0
            ? new OutboundStream(_session, call.Id, FrameKind.ResponseItem, _session.Peer.StreamCredit, call.Priority)
            : null;
        _slots.Attach(call.Id, new AcceptedStream(items, window, responses, method.MaxMessage));
        return true;
    }
}

/// <summary>
/// Counts what is wrong with the requests of a peer, and says when it is too much. Turn only.
/// </summary>
/// <remarks>
/// What a gateway forwards does not count here: it comes from its clients, and an end of its connection would fail the calls of all of them. The gateway
/// counts it against the client that has sent it. A peer that only says that it is a gateway gains nothing: each such refusal costs less than a call that
/// runs, nothing is decoded for it, and the peer may make as many calls as it likes anyway.
/// </remarks>
internal sealed class RequestMisuse(Session session, PeerBudgets budgets)
{
    /// <summary>Message for the caller of a method that is refused for a while.</summary>
    public const string TooManyUndecodable =
        "Too many requests on the connection on which this one came to the server could not be decoded (Limits.MisusedRequests): requests of this method are " +
        "refused for a second.";

    /// <summary>
    /// Counts a request that is refused for its method or its length, once per definition. A peer with another version of the contract makes the same mistake
    /// in each call. Refusing it costs less than a call that runs, and nothing is decoded.
    /// </summary>
    public BudgetBreach? Count(ref DefinedMethod method, bool isForwarded) => method.TryCharge() && !isForwarded ? budgets.OnMisuse() : null;

    /// <summary>Counts a request with more metadata than this side accepts. No gateway forwards one: it knows what is accepted.</summary>
    public BudgetBreach? CountMetadata() => budgets.OnMetadataMisuse();

    /// <summary>
    /// Counts what was found after its request had started: some could not be decoded, and methods are absent at the service behind this gateway, which counts
    /// as if they were absent here.
    /// </summary>
    /// <param name="methods">The methods of the peer, by ordinal.</param>
    public BudgetBreach? TakeNewsLocked(Span<DefinedMethod> methods)
    {
        session.AssertLocked();
        while (budgets.TryTakeUndecodableLocked(out ushort suspect)) methods[suspect].Suspect();
        BudgetBreach? breach = null;
        while (session.News.TryTakeAbsent(out ushort absent))
        {
            if (Count(ref methods[absent], isForwarded: false) is { } found) breach ??= found;
        }

        return breach;
    }
}

/// <summary>Refuses requests of one connection that an overloaded server does not take, before anything of them is decoded. Turn only.</summary>
internal sealed class RequestShedding(Session session, Acceptor acceptor, PeerBudgets budgets)
{
    /// <summary>
    /// Places of calls without a trace follow each other in these steps, the golden section of 256 and odd: any share of them is taken evenly, whatever the ids
    /// of the calls are.
    /// </summary>
    private const byte Step = 159;

    /// <summary>Spreads trace ids, whose last bytes are random by W3C Trace Context, level 2, but need not be of every tracer.</summary>
    private const ulong Spread = 0x9E37_79B9_7F4A_7C15;

    private const string Text = "The server is overloaded: work waits for its threads longer than MaxQueueTime allows.";

    private readonly AdmissionGate _gate = session.Options.Shared?.Admission ?? AdmissionGate.Open;
    private byte _place;

    /// <summary>True if the server does not take all requests.</summary>
    public bool IsActive => _gate.IsCutting;

    /// <inheritdoc cref="AdmissionGate.Delay"/>
    public long Delay => _gate.Delay;

    /// <summary>Refuses a request, if the server does not take it. Asked while <see cref="IsActive"/>.</summary>
    /// <param name="call">The call, whose slot is open.</param>
    /// <param name="violation">The rule that the peer breaks by it, or null.</param>
    /// <returns>True if it is answered.</returns>
    public bool TryRefuse(in InboundCall call, out ProtocolViolation? violation)
    {
        violation = null;
        _place += Step;
        byte place = call.Extras?.Trace is { } trace ? PlaceOf(trace) : _place;
        if (_gate.Admits(call.Priority, place)) return false;
        budgets.NoteRefused();
        session.Options.Shared!.Refused(PeerLimit.QueueTime);
        violation = acceptor.Refuse(call, MuxStatus.ResourceExhausted, Text, _gate.RetryAfterMilliseconds(_place));
        return true;
    }

    /// <summary>The place of all calls of a trace, at every server.</summary>
    public static byte PlaceOf(in TraceContext trace) => (byte)(((trace.TraceIdHigh ^ trace.TraceIdLow) * Spread) >> 56);
}
