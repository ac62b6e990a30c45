using Mux.Contracts;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Transports;

namespace Mux.Engine;

/// <summary>
/// A connection with both roles, without I/O of its own: bytes come in by <see cref="ILinkHandler"/> and go out by <see cref="Link.Send"/>, and time comes in
/// by <see cref="OnTick"/>. Composes the parts, which share the <see cref="Session"/> and do not know each other, and carries out their decisions.
/// </summary>
/// <remarks>No user code, owner or link is called under the lock, except <see cref="Link.TryJoinBatch"/>: such calls are collected in an
/// <see cref="Aftermath"/>.</remarks>
internal sealed class Connection : Session, ILinkHandler
{
    private readonly InboundParser _parser;
    private readonly string? _place;
    private TickedAftermaths? _ticked; // created when needed; of the ticker

    /// <param name="link">A link that is not started, which the connection owns.</param>
    /// <param name="options">Its options.</param>
    /// <param name="owner">Is notified of its life.</param>
    /// <param name="methods">Finds the methods that the peer calls.</param>
    /// <param name="clock">Its clock.</param>
    /// <param name="accepting">True if the peer dialed.</param>
    /// <param name="place">Names the peer in messages: the address as configured, if this side dials. Null for the address of the link.</param>
    public Connection(
        Link link, ConnectionOptions options, IConnectionOwner owner, IMethodResolver methods, Clock clock, bool accepting, string? place = null)
        : base(link, options, owner, clock, accepting)
    {
        Owner = owner;
        _place = place;
        Opening = new Opening(this, link);
        Life = new Lifetime(this);
        Initiator = new Initiator(this) { HandsBack = owner.TakesUnsentCalls };
        Replies = new ReplyPort(this);
        Acceptor = new Acceptor(this, Replies);
        Budgets = new PeerBudgets(this);
        var intake = new Intake(new BulkWindow(this, options.Local.BulkCredit, options.BulkLimit), Deliveries);
        Requests = new InboundRequests(this, methods, Acceptor, Replies, Budgets, intake);
        Responses = new InboundResponses(this, Initiator, Budgets, intake);
        Reassembly.SetHolders(Requests, Responses);
        _parser = new InboundParser(this, accepting);
    }

    public IConnectionOwner Owner { get; }

    /// <summary>Decides when and why it ends.</summary>
    public Lifetime Life { get; }

    /// <summary>Opens it.</summary>
    public Opening Opening { get; }

    /// <summary>The calls of this side.</summary>
    public Initiator Initiator { get; }

    /// <summary>The calls of the peer.</summary>
    public Acceptor Acceptor { get; }

    /// <summary>Sends the answers to the peer's calls.</summary>
    public ReplyPort Replies { get; }

    /// <summary>Reads the frames for calls of this side. Owned by the turn.</summary>
    public InboundResponses Responses { get; }

    /// <summary>Reads the frames for calls of the peer. Owned by the turn.</summary>
    public InboundRequests Requests { get; }

    /// <summary>Streams with items that their consumers do not know yet. Owned by the turn.</summary>
    public ItemDeliveries Deliveries { get; } = new();

    /// <summary>Budgets for frames that are cheap to send. Owned by the turn.</summary>
    public PeerBudgets Budgets { get; }

    /// <inheritdoc/>
    public override string PeerPlace => _place ?? RemoteAddress;

    public override bool CanHandOver => Link.CanHandOver;

    /// <summary>Gets the link, whose work item the thread that starts it may run: see <see cref="FollowingWork"/>.</summary>
    public object LinkOfStart => Link;

    /// <summary>
    /// True if a call is open in either direction. A request is answered when its answer is in the outgoing queue. While a turn on another thread holds
    /// answers, or has returned without ending its batch, calls count as open; the end of that batch checks again.
    /// </summary>
    private bool HasCallsLocked => Initiator.HasCallsLocked || Held.Any || RequestCounts.OpenCount > 0 || !Outbound.BulkLocked.IsEmpty
        || (TurnOutput.IsPending && !Turn.IsOwner(this));

    /// <summary>Starts the connection: connects if it dials, and waits for the peer's HELLO.</summary>
    /// <param name="host">Address of the peer, as limits per address count it; empty if its address does not count.</param>
    public void Start(string host = "")
    {
        lock (Gate)
        {
            Timers.StartHandshake(Clock.Now);
            UpdateNextDueLocked();
        }

        if (Options.Shared is { } shared)
        {
            Join(shared, host);
            if (shared.Memory is { } memory) JoinMemory(memory.Join(host));
        }

        Tick.Join(this);
        Opening.Start(this);
    }

    /// <summary>Lets calls expire that will wait in a new connection, which is started later or never. If never, <see cref="Discard"/> ends this.</summary>
    public void AwaitStart() => Tick.JoinWhenDue();

    /// <summary>Ends a connection that was not started and will not be.</summary>
    public void Discard() => Tick.Leave(this);

    /// <summary>
    /// Accepts no further calls from the peer, waits until no call is open in either direction or the grace (microseconds) is over, and ends. A connection that
    /// has not opened ends at once.
    /// </summary>
    public void BeginDrain(long grace)
    {
        var aftermath = default(Aftermath);
        lock (Gate)
        {
            if (State < ConnectionState.Open)
            {
                EndLocked(new ConnectionEnd(CloseReason.Disposed, "The connection was closed before it was established."), ConnectionState.Closed,
                    ref aftermath);
            }
            else if (State == ConnectionState.Open)
            {
                Life.BeginDrainLocked(CloseReason.Drained, ConnectionCode.Draining, Clock.Now, grace, ref aftermath);
                FinishLocked(ref aftermath);
                UpdateNextDueLocked();
            }
        }

        Complete(ref aftermath);
    }

    /// <summary>Accepts and makes no further calls, and asks the peer to end the connection after the open ones; if it does not, this side does.</summary>
    public void LeaveToPeer()
    {
        var aftermath = default(Aftermath);
        lock (Gate)
        {
            if (State != ConnectionState.Open) return;
            EndOwnTurnLocked(ref aftermath); // a request that was made in it comes before GOAWAY
            var code = Waiting.Count == 0 ? ConnectionCode.Ok : ConnectionCode.Draining; // Ok says that no request follows
            Life.BeginDrainLocked(CloseReason.Drained, code, Clock.Now, grace: Clock.Never, ref aftermath);
            FinishLocked(ref aftermath);
            UpdateNextDueLocked();
        }

        Complete(ref aftermath);
    }

    /// <inheritdoc/>
    public override void Abort(ConnectionEnd end)
    {
        var aftermath = default(Aftermath);
        lock (Gate) EndLocked(end, ConnectionState.Closed, ref aftermath);
        Complete(ref aftermath);
    }

    /// <summary>Ends the connection if it is not open yet: another one needs its place.</summary>
    public void AbortUnopened(ConnectionEnd end)
    {
        var aftermath = default(Aftermath);
        lock (Gate)
        {
            if (State < ConnectionState.Open) EndLocked(end, ConnectionState.Closed, ref aftermath);
        }

        Complete(ref aftermath);
    }

    /// <inheritdoc/>
    public override void Close(ConnectionEnd end, GoAwayFrame? goAway)
    {
        var aftermath = default(Aftermath);
        lock (Gate) CloseLocked(end, goAway, ref aftermath);
        Complete(ref aftermath);
    }

    /// <summary>
    /// Another connection of the owner is open: calls that wait for this one to open go back to the owner at <paramref name="due"/>, or when it fails before.
    /// </summary>
    public void WithdrawWaiting(long due)
    {
        lock (Gate)
        {
            if (State >= ConnectionState.Open) return;
            Timers.StartWithdrawal(due);
            if (Waiting.Count > 0) RequestTickLocked(due); // a call that comes later asks for it
        }
    }

    /// <summary>Gives calls back to the owner that wait here to be sent, the oldest first: another connection has room, or the server wants none.</summary>
    /// <param name="most">Their number, at most. With a limit, calls that keep an order stay: later ones of their keys may come here meanwhile.</param>
    public void HandBackWaiting(int most = int.MaxValue)
    {
        OutgoingCall? withdrawn;
        lock (Gate) withdrawn = State == ConnectionState.Open ? Initiator.WithdrawLocked(most) : null;
        HandBack(withdrawn);
    }

    /// <summary>Sends what the turn has made so far.</summary>
    public void FlushTurn()
    {
        var aftermath = default(Aftermath);
        using (EngineThread.Enter(Gate))
        {
            TurnOutput.EndLocked(ref aftermath);
            Requests.ForgetExpiredLocked();
            Initiator.ReclaimLocked();
            FinishLocked(ref aftermath);
        }

        Complete(ref aftermath);
    }

    /// <summary>Handles the drain of the peer, which accepts no further calls. In the turn.</summary>
    /// <param name="goAway">Says when the peer may be dialed again, and with Ok that it makes no more calls and this side ends the connection.</param>
    public void OnPeerDrains(GoAwayFrame goAway)
    {
        OutgoingCall? withdrawn;
        lock (Gate)
        {
            if (State != ConnectionState.Open || !Drain.BeginPeer(leavesEnd: goAway.Code == ConnectionCode.Ok)) return;
            PeerRetryAfterMilliseconds = goAway.RetryAfterMilliseconds;
            withdrawn = Initiator.WithdrawLocked();
            var aftermath = default(Aftermath);
            TurnOutput.EndLocked(ref aftermath); // the connection is open: the requests in it are appended
            Control.AppendGoAwayAcknowledgement(); // after every first REQUEST; none is sent after this
        }

        Owner.OnDraining(this, byPeer: true);
        HandBack(withdrawn);
    }

    public override void OnUserCodeFailed(Exception error) => Owner.OnUserCodeFailed(this, error);

    public override void OnContractDiffers(MethodDescriptor method, string messages) => Owner.OnContractDiffers(this, method, messages);

    public override void OnTick(long now)
    {
        // Read before the lock is taken: under it only TryJoinBatch of a link is called.
        bool isReading = _parser.IsInTurn || Link.HasUndeliveredInput;
        while (TickSome(now, isReading))
        {
            // Much has expired at once: threads that wait for the lock go between.
        }
    }

    /// <returns>True if it must be called again.</returns>
    private bool TickSome(long now, bool isReading)
    {
        bool isMore = false;
        var aftermath = default(Aftermath);
        lock (Gate)
        {
            if (State < ConnectionState.Open && Timers.HandshakeDue <= now) EndLocked(Life.EndOfHandshakeLocked(_parser.PrefaceSeen), ref aftermath);
            if (State < ConnectionState.Open && Timers.TryWithdraw(now)) aftermath.Withdrawn = Initiator.WithdrawLocked();
            if (State == ConnectionState.Open) isMore |= TickOpenLocked(now, isReading, ref aftermath);
            if (Timers.MemoryDue <= now) LookForMemoryLocked(now);
            if (State < ConnectionState.Closing) isMore |= Initiator.ExpireLocked(now, ref aftermath.Outcomes);
            if (State < ConnectionState.Closed && Life.DecideSendingLocked(now) is { } ending) EndLocked(ending, ref aftermath);
            FinishLocked(ref aftermath);
            UpdateNextDueLocked();
        }

        if (aftermath.IsEmpty) return isMore;
        if (Ticker.MayNotBlock) (_ticked ??= new(this)).Add(aftermath);
        else Complete(ref aftermath);
        return isMore;
    }

    public override void GoOn(int position)
    {
        _parser.OnTakenOver(position);
        Link.HandOver(position);
    }

    public override void OnBlocked(Placement? code, bool refused) => Owner.OnBlocked(this, code, refused);

    public override void OnPeerKnownLocked(PeerSettings peer)
    {
        AssertLocked();
        Peer = peer;
        MaxFragment = Math.Min(ProtocolConstants.MaxFragmentBody, peer.MaxFramePayload);
        Outbound.BulkLocked.AddCredit(peer.BulkCredit);
        Outbound.BulkLocked.SetLongestMessage(peer.MaxMessage);
        Initiator.OpenLocked(peer);
        Replies.OpenLocked(peer);
    }

    public override void UnparkLocked()
    {
        AssertLocked();
        Acceptor.Parking.UnparkLocked();
    }

    public override void UpdateNextDueLocked()
    {
        AssertLocked();
        if (State == ConnectionState.Closed) return;
        long due = Timers.NextDue;
        if (State != ConnectionState.Closing)
        {
            due = Math.Min(due, Math.Min(Life.NextDueLocked, Initiator.NextDueLocked));
            due = Math.Min(due, Math.Min(Replies.Tokens.NextDueLocked, Requests.NextDueLocked));
            if (State == ConnectionState.Open) due = Math.Min(due, Opening.DueLocked);
        }

        SetNextDueLocked(due);
    }

    void ILinkHandler.OnConnected() => Opening.OnConnected();

    int ILinkHandler.OnReceived(ReadOnlySpan<byte> bytes) => _parser.OnReceived(bytes);

    void ILinkHandler.OnBatchEnd()
    {
        _parser.OnBatchEnd();
        FlushTurn();
        Turn.FlushMarked();
    }

    void ILinkHandler.OnWritable()
    {
        var aftermath = default(Aftermath);
        lock (Gate)
        {
            if (Outbound.OnWritableLocked()) aftermath.Batch = Outbound.TryBeginLocked();
        }

        Complete(ref aftermath);
    }

    void ILinkHandler.OnClosed(LinkCloseCause cause, Exception? error)
    {
        var aftermath = default(Aftermath);
        lock (Gate)
        {
            var end = ConnectionEnd.OfLink(cause, error);
            bool isEarly = !IsAccepting && State == ConnectionState.Handshaking && end.Reason == CloseReason.ConnectionLost;
            // An error of TLS says more than the hint.
            bool mayExpectTls = isEarly && Opening.IsReadable && !RemoteAddress.Contains('/'); // a path: TLS is for networks
            if (isEarly && (Opening.IsReadable || end.Error is null)) end = end.InHandshake(mayExpectTls);
            EndLocked(end, ConnectionState.Closed, ref aftermath);
            TurnOutput.EndLocked(ref aftermath);
            aftermath.CloseLink = false;
        }

        // After the end, so that nothing is appended for a link that is gone. Before the owner learns of the release, so that answered calls are counted by
        // then.
        Responses.Close();
        Requests.Close();
        _parser.Kept.OnDelivered(0);
        Complete(ref aftermath);
        Tick.Leave(this);
        ReleaseHeld();
    }

    protected override void AdmitLocked(ref Aftermath aftermath)
    {
        AssertLocked();
        Initiator.AdmitLocked(ref aftermath.Outcomes);
    }

    protected override void FinishDrainLocked(ref Aftermath aftermath)
    {
        AssertLocked();
        if (!HasCallsLocked && Life.EndOfDrainLocked() is { } ending) EndLocked(ending, ref aftermath);
    }

    protected override void TellOwner(in Aftermath aftermath)
    {
        if (aftermath.Opened) Owner.OnOpened(this);
        if (aftermath.BeginsDrain) Owner.OnDraining(this, byPeer: false);
        if (aftermath.Ended is { } end)
        {
            Owner.OnEnded(this, end);
            Opening.End();
        }

        HandBack(aftermath.Withdrawn);
        HandBack(aftermath.Unsent, aftermath.UnsentFailure);
    }

    protected override MuxPeer? CreateCaller() => Owner.CreateCaller(this);

    public override void ReleaseHeld()
    {
        if (Held.Remove()) Owner.OnReleased(this);
    }

    private void HandBack(OutgoingCall? calls, CallFailure? failure = null)
    {
        while (calls is { } call)
        {
            calls = call.Next;
            call.Next = null;
            if (call.Bound is { } bound) bound.OnUnsent(call, failure);
            else if (failure is null) Owner.OnWithdrawn(this, call);
            else Owner.OnUnsent(this, call, failure);
        }
    }

    private void JoinMemory(MemoryShare share)
    {
        Memory = share;
        Reassembly.Memory = StreamBudget.Memory = Replies.Slots.Memory = Acceptor.Parking.Memory = _parser.Kept.Memory = share;
        Outbound.BulkLocked.Memory = share;
    }

    private bool TickOpenLocked(long now, bool isReading, ref Aftermath aftermath)
    {
        AssertLocked();
        bool isMore = Replies.Tokens.ExpireLocked(now);
        isMore |= Requests.ExpireLocked(now);
        if (Opening.TickLocked(now)) Life.BeginDrainLocked(CloseReason.CredentialExpired, ConnectionCode.Draining, now, Options.ExpiryGrace, ref aftermath);
        if (Life.DecideLocked(now, HasCallsLocked, isReading, ref aftermath) is { } ending) EndLocked(ending, ref aftermath);
        return isMore;
    }

    private void LookForMemoryLocked(long now)
    {
        AssertLocked();
        Outbound.BulkLocked.Admit();
        UnparkLocked();
        Timers.OnMemoryLook(AwaitsMemoryLocked, now);
        Acceptor.Parking.HastenLookLocked();
    }

    private void EndLocked(Ending ending, ref Aftermath aftermath)
    {
        AssertLocked();
        if (ending.RequestText is { } text) Acceptor.FailAllLocked(text);
        if (ending.IsAtOnce) EndLocked(ending.End, ConnectionState.Closed, ref aftermath);
        else CloseLocked(ending.End, ending.GoAway, ref aftermath);
    }

    private void CloseLocked(ConnectionEnd end, GoAwayFrame? goAway, ref Aftermath aftermath)
    {
        AssertLocked();
        if (State >= ConnectionState.Closing) return;
        if (end.Reason == CloseReason.Refused) Acceptor.FailAllLocked(end.Text);
        EndOwnTurnLocked(ref aftermath); // answers made before the end are sent before it
        if (goAway is { } frame) Control.AppendGoAway(frame);
        EndLocked(end, ConnectionState.Closing, ref aftermath);
        Timers.StartFlush(Clock.Now);
        UpdateNextDueLocked();
        FinishLocked(ref aftermath);
    }

    private void EndOwnTurnLocked(ref Aftermath aftermath)
    {
        AssertLocked();
        using var turn = Turn.PinOf(this);
        if (turn.IsOwner) TurnOutput.EndLocked(ref aftermath);
    }

    /// <summary>Ends the connection in at most two steps: the first decides all calls, and the link is closed when the state becomes Closed.</summary>
    private void EndLocked(ConnectionEnd end, ConnectionState state, ref Aftermath aftermath)
    {
        AssertLocked();
        if (State == ConnectionState.Closed) return;
        bool wasOpen = State >= ConnectionState.Open;
        State = state;
        if (Life.End is null)
        {
            aftermath.Ended = Life.NoteEndLocked(end, Initiator.HasCallsLocked);

            // While queued bytes are still sent, a request among them may run. Without a link, a request that was not offered to it never will.
            long sentUpTo = state == ConnectionState.Closed ? Outbound.OfferedLocked : Outbound.PositionLocked;
            if (!wasOpen && Timers.IsWithdrawing) aftermath.Withdrawn ??= Initiator.WithdrawLocked();
            Initiator.CloseLocked(sentUpTo, end, wasOpen, ref aftermath);
            Acceptor.CloseLocked();
            Outbound.BulkLocked.Close();
        }

        if (state != ConnectionState.Closed) return;
        Outbound.CloseLocked();
        SetNextDueLocked(Clock.Never);
        aftermath.CloseLink = true;
    }
}

/// <summary>
/// Carries out elsewhere what ticks of a connection have decided: logs, listeners of meters and links are user code, which may block, and the ticker's thread
/// keeps the deadlines of the whole process. News for the owner stay in order. Outcomes of calls alone wait for nothing: a caller must not wait for a log.
/// They run where expired calls end when all threads for completions are blocked. Added to by one tick at a time.
/// </summary>
internal sealed class TickedAftermaths(Session session)
{
    private readonly Lock _gate = new(); // guards the fields below
    private readonly Queue<Aftermath> _news = new(); // a connection has few: it drains, and it ends
    private bool _isRunning;

    /// <summary>Hands an aftermath to another thread.</summary>
    public void Add(in Aftermath aftermath)
    {
        if (aftermath.SendsOnly)
        {
            session.Options.Work.Add(new Work(session, aftermath)); // a PING, which no user code delays
        }
        else if (aftermath.ConcernsOwner)
        {
            lock (_gate)
            {
                _news.Enqueue(aftermath);
                if (_isRunning) return;
                _isRunning = true;
            }

            ProcessWorkers.Overdue.Add(new Work(session, this));
        }
        else
        {
            ProcessWorkers.Overdue.Add(new Work(session, aftermath));
        }
    }

    private bool TryTake(out Aftermath aftermath)
    {
        lock (_gate) return _isRunning = _news.TryDequeue(out aftermath);
    }

    private sealed class Work : IWork
    {
        private readonly Session _session;
        private readonly TickedAftermaths? _news;
        private Aftermath _aftermath;

        public Work(Session session, TickedAftermaths news) => (_session, _news) = (session, news);

        public Work(Session session, in Aftermath aftermath) => (_session, _aftermath) = (session, aftermath);

        public string Name => "a log or listener of a tick";

        public IWorkOwner Owner => _session.WorkOwner;

        public IWorkClock? Clock => null;

        public bool IsAbandoned(long now) => false;

        public void Execute()
        {
            if (_news is null) _session.Complete(ref _aftermath);
            else while (_news.TryTake(out _aftermath)) _session.Complete(ref _aftermath);
        }
    }
}
