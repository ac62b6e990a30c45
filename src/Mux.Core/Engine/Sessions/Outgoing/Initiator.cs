using Mux.Contracts;
using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// The half of a connection that makes calls. It appends requests, queues those that cannot be sent yet, matches replies, and fails calls on cancel, deadline
/// and loss. Members ending in Locked need the connection's lock; OnX(frame) members belong to the turn.
/// </summary>
internal sealed class Initiator : CallHolder
{
    private const int MaxRequestOverhead = FrameHeader.Size + RequestHead.MaxWrittenLength;

    /// <summary>Calls that one search for expired ones looks at while the lock is held: some 50 microseconds.</summary>
    private const int LooksForExpired = 512;

    private readonly Session _session;
    private readonly OutboundQueue _outbound;
    private readonly Sending _sending;
    private readonly CallQueue _waiting;
    private readonly CallSlots _slots;
    private readonly DefinedMethods _defined = new();
    private readonly OutgoingDeadlines _deadlines;
    private readonly OutgoingCancels _cancels;
    private readonly TurnRequests _ofTurn;
    private long _started; // under the lock
    private int _maxPayload = ProtocolConstants.MinFramePayload;

    public Initiator(Session session)
    {
        (_session, _outbound, _sending, _waiting) = (session, session.Outbound, session.Sending, session.Waiting);
        _slots = new CallSlots(session.Gate);
        Streams = new StreamRoom(session);
        Pace = new PeerPace(session, _slots, _waiting);
        _deadlines = new OutgoingDeadlines(session);
        _cancels = new OutgoingCancels(session, _slots);
        _ofTurn = new TurnRequests(session, this, _slots, _defined, _deadlines, _cancels);
    }

    /// <summary>True if the owner accepts the calls that are not sent when the connection ends.</summary>
    public bool HandsBack { get; init; }

    /// <summary>What the peer asks the calls to wait for.</summary>
    public PeerPace Pace { get; }

    /// <summary>The windows of streams.</summary>
    public StreamRoom Streams { get; }

    /// <summary>The open calls, for the reader of their replies.</summary>
    public CallSlots Slots => _slots;

    /// <summary>Number of calls handed to this connection and not withdrawn. Any thread.</summary>
    public long Started => Volatile.Read(ref _started) + _ofTurn.Started;

    /// <summary>Outcomes decided by frames of the peer. Written by the turn.</summary>
    public CallTally TurnTally { get; } = new();

    /// <summary>Outcomes decided by this side. Written under the lock.</summary>
    public CallTally LockedTally { get; } = new();

    /// <summary>Number of calls open or waiting, by which a channel balances. Any thread; may be off by calls that just change.</summary>
    public int Load => _slots.Count + _waiting.Count;

    public int OpenCount => _slots.Count;

    public override object Owner => _session.WorkOwner;

    public override string PeerPlace => _session.PeerPlace;

    public override string PeerAddress => _session.RemoteAddress;

    public int WaitingCount => _waiting.Count;

    public bool HasCallsLocked => _slots.Count + _waiting.Count > 0;

    public long NextDueLocked =>
        Math.Min(Math.Min(_waiting.NextDue, Pace.NextDueLocked), Math.Min(_deadlines.NextDueLocked, _cancels.NextDueLocked));

    /// <summary>Applies the peer's limits.</summary>
    public void OpenLocked(PeerSettings peer)
    {
        _session.AssertLocked();
        _slots.SetLimitLocked(peer.MaxCalls);
        _defined.Limit = peer.MaxOrdinals;
        Streams.OpenLocked(peer);
        _defined.ComparesFingerprints = peer.ReadsFingerprints;
        _maxPayload = peer.MaxFramePayload;
    }

    /// <summary>Notes that a method has another fingerprint at the peer. In the turn.</summary>
    public ProtocolViolation? OnDefineAnswer(ReadOnlySpan<byte> payload)
    {
        if (!DefineAnswer.TryRead(payload, out var answer, out var violation)) return violation;
        MethodDescriptor? method;
        lock (_session.Gate) method = _defined.TryAnswer(answer);
        if (method is null) return new(ConnectionCode.ProtocolError, $"Answer to a DEFINE of ordinal {answer.Ordinal}, which was not sent with a fingerprint.");
        if (DefinedMethods.FingerprintOf(method).DifferenceFrom(answer.Fingerprint) is { } messages) _session.OnContractDiffers(method, messages);
        return null;
    }

    /// <inheritdoc/>
    public override uint PeersReplyFingerprintOf(MethodDescriptor method)
    {
        lock (_session.Gate) return _defined.PeersOf(method).Response;
    }

    /// <summary>Starts a call: appends its request, or keeps a copy of it until that is possible.</summary>
    /// <returns>False if this connection accepts no more calls; the call is then untouched.</returns>
    public bool TryStart(OutgoingCall call, ReadOnlySpan<byte> body) =>
        (Turn.Current is { } turn && turn.Host == _session && _ofTurn.TryStart(turn, call, body)) || TryStart(call, body, default(IStartRule.None));

    /// <summary>Starts a call as the rule allows. Not in the block of the turn.</summary>
    /// <inheritdoc cref="TryStart(OutgoingCall, ReadOnlySpan{byte})"/>
    public bool TryStart<TRule>(OutgoingCall call, ReadOnlySpan<byte> body, TRule rule)
        where TRule : struct, IStartRule
    {
        OutboundBlock? batch = null;
        CallFailure? failure;
        bool isAppended;
        bool wantsAppended = call.WantsAppended; // read now: once the lock is released, the call may be over and its object reused
        lock (_session.Gate)
        {
            if (!_session.TakesCalls && (call.Bound is null || !_session.TakesBoundCalls)) return false;
            if (!rule.Allows(_waiting)) return false;
            _started++;
            call.Holder = this;
            if (!_slots.HasFreeLocked) ReclaimInOwnTurnLocked();
            isAppended = CanSendLocked && new SendableCalls(_waiting, _outbound, Streams).TryPass(call);
            failure = isAppended ? AppendLocked(call, body, call.StartedAt) : EnqueueLocked(call, body);
            if (isAppended && failure is null && !rule.IsSentLater && !(wantsAppended && call.IsSentLater)) batch = _sending.TakeLocked();
        }

        if (batch is not null) _sending.Run(batch);
        if (ReferenceEquals(failure, RequestFailures.NoRoomYet)) call.Bound!.OnNoRoom(call, body);
        else if (failure is not null) Fail(call, failure);
        else if (isAppended && wantsAppended) call.OnAppended();
        return true;
    }

    /// <summary>Sends waiting calls as far as slots and room allow. The caller flushes.</summary>
    public void AdmitLocked(ref CallOutcomes outcomes)
    {
        _session.AssertLocked();
        if (_slots.Limit == 0) FailLocked(_waiting.RemoveAll(), RequestFailures.NoCallsTaken, ref outcomes);
        var sendable = new SendableCalls(_waiting, _outbound, Streams);
        while (CanSendLocked && sendable.TryTake() is { } call)
        {
            long now = call.Due == Clock.Never ? 0 : _session.Clock.Now;
            if (AppendLocked(call, call.Body is { } body ? body.AsSpan(0, call.BodyLength) : [], now) is { } failure) outcomes.AddFailure(call, failure);
            else if (call.WantsAppended) outcomes.AddAppended(call);
            else CallQueue.ReleaseBody(call);
        }

        if (!_session.TakesBoundCalls || CanSendLocked) outcomes.Room = sendable.TakeRoom(_session); // what waits may not leave
    }

    /// <summary>Hands back the slots that this turn has freed. The caller owns the turn.</summary>
    public void ReclaimLocked()
    {
        _session.AssertLocked();
        _slots.ReclaimLocked();
    }

    /// <summary>Drops the unsent rest of a request after a frame of the peer has ended its call. In the turn.</summary>
    public void EndFlow(OutgoingCall call)
    {
        lock (_session.Gate) EndFlowLocked(call);
    }

    /// <inheritdoc/>
    public override bool TryGiveUp(CallId id, CallFailure failure)
    {
        OutgoingCall? call;
        lock (_session.Gate)
        {
            // In the turn no other thread frees the slot: a call that is open in it is the one of the frame.
            call = _slots.PeekLocked(id.Slot, out ulong open);
            if (call is null || !_slots.TryAbandonLocked(id.Slot, open)) return false;
            call.Place = CallPlace.Outside;
            EndFlowLocked(call);
            _cancels.AddLocked(id, CancelReason.Unspecified);
            LockedTally.Add(call.Method, failure.Status);
        }

        call.OnFailed(failure, inTurn: true);
        return true;
    }

    /// <summary>Fails calls that have expired, and ends what calls wait for that has.</summary>
    /// <returns>True if there may be more: others that wait for the lock go first.</returns>
    public bool ExpireLocked(long now, ref CallOutcomes outcomes)
    {
        _session.AssertLocked();
        Pace.ExpireLocked(now);
        if (_waiting.NextDue <= now) FailLocked(_waiting.RemoveExpired(now, LooksForExpired), WaitingExpired, ref outcomes);
        _cancels.ExpireLocked(now);
        if (_deadlines.NextDueLocked <= now) ExpireOpenLocked(now, ref outcomes);
        return _waiting.NextDue <= now || _deadlines.NextDueLocked <= now;
    }

    private void ExpireOpenLocked(long now, ref CallOutcomes outcomes)
    {
        _session.AssertLocked();
        Span<int> slots = stackalloc int[64];
        for (int looks = 0; looks < LooksForExpired && _deadlines.NextDueLocked <= now; looks += slots.Length)
        {
            foreach (int slot in slots[.._deadlines.TakeExpiredLocked(now, slots)])
            {
                // An entry may be older than the call that is open in its slot now.
                if (_slots.PeekLocked(slot, out ulong open) is not { } call || call.Due > now || !_slots.TryAbandonLocked(slot, open)) continue;
                call.Place = CallPlace.Outside;
                EndFlowLocked(call);
                _cancels.AddLocked(call.Id, CancelReason.Deadline);
                FailLocked(call, RequestFailures.OpenExpired, ref outcomes);
            }
        }
    }

    /// <summary>Decides every call when the connection is over.</summary>
    /// <param name="sentUpTo">A call whose request begins at this position of the byte stream or later was never sent.</param>
    /// <param name="end">The end of the connection.</param>
    /// <param name="wasOpen">True if the connection was open before.</param>
    /// <param name="aftermath">Receives the outcomes, and the calls that the owner may send elsewhere.</param>
    public void CloseLocked(long sentUpTo, ConnectionEnd end, bool wasOpen, ref Aftermath aftermath)
    {
        _session.AssertLocked();
        _waiting.TakeRoom();
        var failure = RequestFailures.Unsent(end, wasOpen ? MuxCallPhase.Queue : MuxCallPhase.Connect);
        var lost = failure with { Status = MuxStatus.Unavailable, Execution = MuxExecution.MayHaveExecuted, Phase = MuxCallPhase.Wait };
        _slots.CloseLocked(sentUpTo, out var unsent, out var sent, (failure, lost), ref aftermath.Outcomes);
        if (HandsBack)
        {
            aftermath.UnsentFailure = Pace.ExplainLocked(failure);
            aftermath.Unsent = WithdrawLocked();
            unsent = UnsentRequest.TakeBackLocked(_session, _slots, unsent, OnTakenBackLocked, ref aftermath.Unsent);
        }
        else
        {
            FailLocked(_waiting.RemoveAll(), Pace.ExplainLocked(failure), ref aftermath.Outcomes);
        }

        for (var call = unsent; call is not null; call = call.Next) EndFlowLocked(call);
        for (var call = sent; call is not null; call = call.Next) EndFlowLocked(call);
        FailLocked(unsent, failure, ref aftermath.Outcomes);
        FailLocked(sent, lost, ref aftermath.Outcomes);
    }

    /// <summary>Takes back the calls that were not sent, in order, linked by <see cref="OutgoingCall.Next"/>, with their bodies.</summary>
    /// <param name="most">Takes at most so many: those that have waited longest, and of which none keeps an order with those that stay.</param>
    public OutgoingCall? WithdrawLocked(int most = int.MaxValue)
    {
        _session.AssertLocked();
        var first = most == int.MaxValue ? _waiting.RemoveAll() : _waiting.RemoveUnordered(most);
        long now = _session.Clock.Now;
        for (var call = first; call is not null; call = call.Next) OnWithdrawnLocked(call, now);
        return first;
    }

    private void OnTakenBackLocked(OutgoingCall call)
    {
        _session.AssertLocked();
        EndFlowLocked(call);
        call.Flow = null;
        OnWithdrawnLocked(call, _session.Clock.Now);
    }

    private void OnWithdrawnLocked(OutgoingCall call, long now)
    {
        _session.AssertLocked();
        call.Holder = null;
        call.StartedAt = now; // the next connection computes the rest of the deadline from it
        _started--;
    }

    private CallFailure WaitingExpired => RequestFailures.WaitingExpired(Pace, WaitingPhase, _session.EndBefore);

    private CallFailure TooManyMethods => RequestFailures.TooManyMethods(_defined.Limit);

    /// <summary>The phase of a call that has no slot yet.</summary>
    private MuxCallPhase WaitingPhase => _session.State < ConnectionState.Open ? MuxCallPhase.Connect : MuxCallPhase.Queue;

    private bool CanSendLocked => _session.State == ConnectionState.Open && _outbound.HasRoomLocked && _slots.HasFreeLocked;

    /// <returns>The failure; null if its request is in the outgoing queue.</returns>
    private CallFailure? AppendLocked(OutgoingCall call, ReadOnlySpan<byte> body, long now)
    {
        _session.AssertLocked();
        var head = new RequestHead(0, call.Options, 0);
        if (!call.TryAddDeadline(now, ref head)) return FailLocked(call, WaitingExpired);
        if (call.NeedsFullAppend || TellsKey(call) || body.Length > ProtocolConstants.MaxWholeBody || head.Length + body.Length > _maxPayload)
        {
            return AppendFullLocked(call, head, body);
        }

        if (!_defined.TryGet(call.Called.Index, out ushort ordinal) && !TryDefineLocked(call, out ordinal)) return FailLocked(call, TooManyMethods);

        // Nothing fails after this point: slot, generation and bytes are assigned together, so a call that fails leaves no gap (PROTOCOL.md section 2.2).
        _slots.TryOpenLocked(call, call.IsOneWay ? OneWayReply.Of(call) : call, _outbound.PositionLocked);
        var frame = _outbound.ReserveLocked(MaxRequestOverhead + body.Length);
        _outbound.CommitLocked(FrameWriter.Request(frame, call.Id, head with { Ordinal = ordinal }, body));
        if (call.IsOneWay) LockedTally.Add(call.Method, MuxStatus.Ok);
        else _deadlines.SetLocked(call);
        return null;
    }

    /// <summary>True if the peer forwards the call, and the key decides where to.</summary>
    private bool TellsKey(OutgoingCall call) => call.Key != 0 && _session.Peer.ReadsKeys;

    /// <summary>Appends a call that has more than a head and a body of one frame: metadata, a trace, a key, fragments or streams.</summary>
    private CallFailure? AppendFullLocked(OutgoingCall call, RequestHead head, ReadOnlySpan<byte> body)
    {
        _session.AssertLocked();
        var extras = call.Extras;
        if (extras is not null) head = head with { Options = head.Options & ~CallExtras.Overridden | extras.Options };
        if (TellsKey(call)) head = head with { Options = head.Options | RequestOptions.Key | (call.KeepsOrder ? RequestOptions.Ordered : 0) };
        if (!MetadataBlock.TryMeasure(extras?.Metadata, _session.Peer.MaxMetadata, out int metadataLength))
        {
            return FailLocked(call, RequestFailures.TooMuchMetadata(_session, extras!.Metadata!));
        }

        int length = call.Bulk?.Left ?? body.Length;
        if (length > _session.Peer.MaxMessage) return FailLocked(call, RequestFailures.TooLarge(_session, length));
        int beforeBody = head.Length + metadataLength;
        if (call.Bulk is null && (length > ProtocolConstants.MaxWholeBody || beforeBody + length > _maxPayload)) call.Bulk = BulkMessage.Copy(body);
        if (call.Bulk is not null) beforeBody += FragmentHead.Length;
        if (beforeBody > _maxPayload) return FailLocked(call, RequestFailures.TooMuchMetadata(metadataLength, _maxPayload));
        var streams = call as OutgoingStreamCall;
        if (!_defined.TryGet(call.Called.Index, out ushort ordinal) && !TryDefineLocked(call, out ordinal)) return FailLocked(call, TooManyMethods);
        if (streams is { HasResponseStream: true, ReservesWindow: true } && !_session.StreamBudget.TryReserve(_session.Options.Local.StreamCredit))
        {
            return FailLocked(call, RequestFailures.TooManyStreams(_session.StreamBudget));
        }

        // Nothing fails after this point.
        var priority = PriorityOf(head.Options);
        if (call.Bulk is not null && streams is null) call.Flow = new OutboundFlow(priority);
        var answerTo = call.IsOneWay ? OneWayReply.Of(call, call.Flow) : call;
        _slots.TryOpenLocked(call, answerTo, _outbound.PositionLocked);
        int bodyInFrame = call.Bulk is null ? body.Length : 0;
        var frame = _outbound.ReserveLocked(FrameHeader.Size + beforeBody + bodyInFrame);
        var flags = (metadataLength > 0 ? FrameFlags.Meta : FrameFlags.None) | (call.Bulk is null ? FrameFlags.None : FrameFlags.More);
        new FrameHeader(FrameKind.Request, flags, call.Id, beforeBody + bodyInFrame).Write(frame);
        (head with { Ordinal = ordinal }).Write(frame[FrameHeader.Size..], extras?.Trace ?? default, call.Key);
        int at = FrameHeader.Size + head.Length;
        if (call.Bulk is not null)
        {
            FragmentHead.Write(frame[at..], length);
            at += FragmentHead.Length;
        }

        if (metadataLength > 0) at += MetadataBlock.Write(frame[at..], extras!.Metadata!);
        if (call.Bulk is null) body.CopyTo(frame[at..]);
        _outbound.CommitLocked(FrameHeader.Size + beforeBody + bodyInFrame);

        if (streams is not null) Streams.OpenLocked(streams, priority);
        if (call.Bulk is { } bulk)
        {
            bulk.Begin(FrameKind.Request, call.Id, _session.MaxFragment, isCharged: true);
            call.Flow!.IsOfLargeRequest = true;
            if (HandsBack) call.Flow.Request = bulk;
            _outbound.BulkLocked.Add(call.Flow, bulk);
            call.Bulk = null;
        }

        if (call.IsOneWay) LockedTally.Add(call.Method, MuxStatus.Ok);
        else _deadlines.SetLocked(call);
        return null;
    }

    /// <summary>Drops the unsent rest of a call's request, and its streams.</summary>
    private void EndFlowLocked(OutgoingCall call)
    {
        _session.AssertLocked();
        if (call is OutgoingStreamCall streams) Streams.EndLocked(streams);
        else if (call.Flow is { } flow) _outbound.BulkLocked.Drop(flow);
    }

    private static MuxCallPriority PriorityOf(RequestOptions options) => (MuxCallPriority)(options & RequestOptions.PriorityMask);

    private bool TryDefineLocked(OutgoingCall call, out ushort ordinal)
    {
        _session.AssertLocked();
        if (!_defined.TryAdd(call.Method, out ordinal)) return false;
        var fingerprint = _defined.ComparesFingerprints ? DefinedMethods.FingerprintOf(call.Method) : default;
        var define = new DefineFrame(ordinal, call.Method.Shape, call.Method.Utf8Name.Span, fingerprint);
        _outbound.CommitLocked(FrameWriter.Write(_outbound.ReserveLocked(FrameHeader.Size + define.Length), define));
        return true;
    }

    /// <returns>The failure; null if the call waits.</returns>
    private CallFailure? EnqueueLocked(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        _session.AssertLocked();
        if (_session.State == ConnectionState.Open && _slots.Limit == 0) return FailLocked(call, RequestFailures.NoCallsTaken);
        if (call.Bound is { } bound) return AwaitRoomLocked(call, bound.Room);
        int length = call.Bulk?.Left ?? body.Length, limit = _session.State == ConnectionState.Open ? _session.Peer.MaxMessage : int.MaxValue;
        if (length > limit) return FailLocked(call, RequestFailures.TooLarge(_session, length)); // however long it waits
        if (!_waiting.HasRoomFor(length)) return FailLocked(call, RequestFailures.QueueFull(Pace, _waiting));
        _waiting.Enqueue(call, body);
        _session.RequestTickLocked(call.Due);
        if (_session.State == ConnectionState.Open && (!_slots.HasFreeLocked || Streams.IsAwaitedLocked(call))) _session.Options.Load?.OnLimit();
        // The owner may have chosen this connection before another opened, and come here after the calls that waited were withdrawn.
        if (_session.State < ConnectionState.Open && _session.Timers.TryRepeatWithdrawal(_session.Clock.Now, isFirst: _waiting.Count == 1))
        {
            _session.RequestTickLocked(_session.Timers.WithdrawalDue);
        }

        return null;
    }

    private CallFailure AwaitRoomLocked(OutgoingCall call, IRoomWatch watch)
    {
        _session.AssertLocked();
        _started--;
        call.Holder = null;
        _waiting.AwaitRoom(watch); // in the lock in which it found no room: what makes some sees it
        return RequestFailures.NoRoomYet;
    }

    /// <inheritdoc/>
    public override bool TryCancel(OutgoingCall call)
    {
        OutboundBlock? batch = null;
        MuxExecution execution;
        MuxCallPhase phase;
        lock (_session.Gate)
        {
            if (call.Holder != this) return false;
            switch (call.Place)
            {
                case CallPlace.Waiting:
                    _waiting.Remove(call);
                    execution = MuxExecution.NotExecuted;
                    phase = WaitingPhase;
                    break;
                case CallPlace.Open when !call.IsOneWay && _slots.TryAbandonLocked(call.Id.Slot, call.OpenWord):
                    call.Place = CallPlace.Outside;
                    EndFlowLocked(call);
                    _cancels.AddLocked(call.Id, call.CancelReason);
                    batch = _sending.TakeLocked();
                    execution = MuxExecution.MayHaveExecuted;
                    phase = MuxCallPhase.Wait;
                    break;
                default:
                    return true; // decided already
            }

            LockedTally.Add(call.Method, MuxStatus.Cancelled);
        }

        if (batch is not null) _sending.Run(batch);
        CallQueue.ReleaseBody(call);
        call.OnFailed(new(MuxStatus.Cancelled, execution, phase, "The caller cancelled the call.", IsCallerCancel: true), inTurn: false);
        return true;
    }

    /// <inheritdoc/>
    public override void LetGo(OutgoingCall call)
    {
        lock (_session.Gate)
        {
            if (call.Holder != this) return;
            call.Holder = null; // under the lock: a cancel would take its place in another connection for one here
            call.Place = CallPlace.Outside;
        }
    }

    /// <summary>Takes back the slots that the turn has freed so far, if this thread runs the connection's turn.</summary>
    private void ReclaimInOwnTurnLocked()
    {
        _session.AssertLocked();
        using var turn = Turn.PinOf(_session);
        if (turn.IsOwner) _slots.ReclaimLocked();
    }

    /// <inheritdoc/>
    public override void OnUserCodeFailed(Exception error) => _session.OnUserCodeFailed(error);

    private CallFailure FailLocked(OutgoingCall call, CallFailure failure)
    {
        _session.AssertLocked();
        call.Place = CallPlace.Outside;
        LockedTally.Add(call.Method, failure.Status);
        return failure;
    }

    private void FailLocked(OutgoingCall? calls, CallFailure failure, ref CallOutcomes outcomes)
    {
        _session.AssertLocked();
        for (var call = calls; call is not null; call = call.Next) LockedTally.Add(call.Method, failure.Status);
        outcomes.AddFailures(calls, failure);
    }
}

/// <summary>
/// Takes the request of an open call back out of the outgoing queue, when the connection has ended and no byte of it was handed to the link. Another connection
/// may then send it, without a copy that would have been kept for that.
/// </summary>
internal static class UnsentRequest
{
    /// <summary>Takes back open calls that were not sent, with their requests, to the head of a list.</summary>
    /// <param name="session">The session of the connection that has ended, and whose queue still has its bytes.</param>
    /// <param name="slots">The slots in which the calls were open.</param>
    /// <param name="unsent">The calls, linked by <see cref="OutgoingCall.Next"/>.</param>
    /// <param name="onTakenBack">Called for each call that is taken back.</param>
    /// <param name="list">The list.</param>
    /// <returns>Those whose requests are gone.</returns>
    public static OutgoingCall? TakeBackLocked(
        Session session, CallSlots slots, OutgoingCall? unsent, Action<OutgoingCall> onTakenBack, ref OutgoingCall? list)
    {
        session.AssertLocked();
        OutgoingCall? lost = null;
        while (unsent is { } call)
        {
            unsent = call.Next;
            bool isBack = TryTakeBackLocked(session, call, slots.PositionOfLocked(call.Id.Slot));
            if (isBack) onTakenBack(call);
            ref var target = ref lost;
            if (isBack) target = ref list;
            call.Next = target;
            target = call;
        }

        return lost;
    }

    /// <summary>Takes back the request of a call, which is no longer open.</summary>
    /// <param name="session">The session of the connection that has ended, and whose queue still has its bytes.</param>
    /// <param name="call">The call.</param>
    /// <param name="position">Position of its REQUEST in the byte stream.</param>
    /// <returns>
    /// False if that is not possible: the producer of a request stream has begun, and what it has yielded cannot be had again. The call is then untouched.
    /// </returns>
    private static bool TryTakeBackLocked(Session session, OutgoingCall call, long position)
    {
        session.AssertLocked();
        if (call is OutgoingStreamCall streams && (streams.HasRequestStream || streams.Window?.TryGiveBack() == false)) return false;
        if (call.Flow?.Request is { } bulk)
        {
            call.Bulk = bulk.Share(); // all of its fragments come after the REQUEST, so those that have left the lane are in the queue, and hold the array
            return true;
        }

        var frame = session.Outbound.PeekLocked(position);
        if (frame.IsEmpty) return false;
        var header = FrameHeader.Read(frame);
        var payload = frame.Slice(FrameHeader.Size, header.Length);
        if (!RequestHead.TryRead(payload, out var head, out _)) return false;
        int metadata = 0;
        if ((header.Flags & FrameFlags.Meta) != 0 && !MetadataBlock.TryMeasure(call.Extras?.Metadata, ushort.MaxValue, out metadata)) return false;
        CallQueue.HoldBody(call, payload[(head.Length + metadata)..]);
        return true;
    }
}

/// <summary>Deadlines of the calls that are open. Guarded by the connection's lock.</summary>
internal sealed class OutgoingDeadlines(Session session)
{
    private DeadlineTable? _table; // created by the first call with a deadline

    public long NextDueLocked => _table?.NextDue ?? Clock.Never;

    /// <summary>Sets the deadline of a call that has just opened in its slot, or clears that of the call before.</summary>
    public void SetLocked(OutgoingCall call)
    {
        session.AssertLocked();
        if (call.Due == Clock.Never && _table is null) return;
        _table ??= new DeadlineTable();
        _table.Set(call.Id.Slot, call.Due);
        session.RequestTickLocked(call.Due);
    }

    /// <inheritdoc cref="DeadlineTable.TakeExpired"/>
    public int TakeExpiredLocked(long now, Span<int> slots)
    {
        session.AssertLocked();
        return _table is null ? 0 : _table.TakeExpired(now, slots);
    }
}
