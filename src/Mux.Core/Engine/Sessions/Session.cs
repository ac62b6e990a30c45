using System.Diagnostics;
using Mux.Contracts;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Transports;

namespace Mux.Engine;

/// <summary>
/// State that the parts of one connection share: the lock, the clock, the options, the peer, queues and counters. A part gets its session, works under the
/// lock, and leaves calls that must happen outside it in an <see cref="Aftermath"/>. No part knows the connection that it belongs to.
/// </summary>
/// <remarks>
/// A base class instead of an object of its own: the connection is its session. So a call needs no further pointer, and the end of every batch
/// (<see cref="FinishLocked"/>, <see cref="Complete"/>) is no virtual call. The abstract members need several parts. They run in special cases: calls wait, a
/// side drains, the connection ends.
/// </remarks>
internal abstract class Session : ITurnHost, ITicked
{
    /// <summary>What a request takes of the budget for forwarded ones that is forwarded again and cannot be decoded: a tenth as many are left.</summary>
    private const byte ForwardedTwice = 10;

    private readonly LeaseOffer? _leases; // null unless a server accepted the connection
    private LeaseOffer.Version? _lastLease; // the peer knows this one; guarded by the lock
    private TickPlace _tick;
    private bool _sendingEnded; // guarded by the lock
    private PushedStreams? _pushed;
    private volatile ConnectionState _state; // written under the lock
    private MuxPeer? _caller; // set once
    private volatile PeerAccess? _access; // written under the lock, like the next field
    private volatile bool _isAccessExpired;
    private OutsideCalls _held = new();
    private int _keepers;

    protected Session(Link link, ConnectionOptions options, IWorkOwner workOwner, Clock clock, bool isAccepting)
    {
        Link = link;
        Options = options;
        WorkOwner = workOwner;
        Clock = clock;
        IsAccepting = isAccepting;
        _tick = new TickPlace(Ticker.For(clock));
        _leases = options.Shared?.Leases;
        Outbound = new OutboundQueue(Gate, options.UnsentLimit, options.BulkUnsentLimit);
        Waiting = new CallQueue(options.WaitingLimit);
        Control = new ControlFrames(Outbound);
        Timers = new ConnectionTimers(options);
        KeepAlive = new KeepAlive(options.KeepAliveTime, options.KeepAliveTimeout, asksIdle: isAccepting);
        StreamBudget = new StreamBudget(options.StreamLimit);
        Reassembly = new ReassemblyBudget(options.ReassemblyLimit, options.Budgets.FragmentTimeout, options.Budgets.MinMessageRate);
        Sending = new Sending(this, link);
        TurnOutput = new TurnOutput(this);
    }

    /// <summary>
    /// Guards the state of the connection and of its parts. Held for tens of nanoseconds at a time. While it is held, nothing but
    /// <see cref="Mux.Transports.Link.TryJoinBatch"/> is called.
    /// </summary>
    public Lock Gate { get; } = new();

    public ConnectionOptions Options { get; }

    public Clock Clock { get; }

    /// <summary>The owner for whom this connection works.</summary>
    public IWorkOwner WorkOwner { get; }

    public bool IsAccepting { get; }

    public OutboundQueue Outbound { get; }

    /// <summary>Sends queued bytes to the link.</summary>
    public Sending Sending { get; }

    /// <summary>What the turn has made and not queued yet.</summary>
    public TurnOutput TurnOutput { get; }

    /// <summary>Calls that wait to be sent. Guarded by the lock.</summary>
    public CallQueue Waiting { get; }

    /// <summary>Guarded by the lock.</summary>
    public ControlFrames Control { get; }

    /// <summary>Guarded by the lock.</summary>
    public ConnectionTimers Timers { get; }

    public ref OutsideCalls Held => ref _held; // of this side, that wait for room outside

    /// <summary>Guarded by the lock.</summary>
    public Drain Drain { get; } = new();

    public KeepAlive KeepAlive { get; }

    /// <summary>Limits what the streams of the peer make this side hold. Guarded by the lock.</summary>
    public StreamBudget StreamBudget { get; }

    /// <summary>Limits what large messages make this side hold.</summary>
    public ReassemblyBudget Reassembly { get; }

    /// <summary>The connection's share of the server's memory; null if that is not limited.</summary>
    public MemoryShare? Memory { get; protected set; }

    /// <summary>The connection's share of the server's handlers; null if they are not limited.</summary>
    public HandlerShare? Handlers { get; protected set; }

    /// <summary>The connection's shares in the channels to which this gateway forwards its calls.</summary>
    public RouteShares Routes { get; } = new();

    /// <summary>Streams that end when this side drains. Made when the first one comes: most connections have none.</summary>
    public PushedStreams Pushed => LazyInitializer.EnsureInitialized(ref _pushed, static () => new PushedStreams());

    /// <summary>Guarded by the lock.</summary>
    public RoundTrip RoundTrip { get; } = new();

    /// <summary>Changes since the last request that concern the next one.</summary>
    public RequestNews News { get; } = new();

    /// <summary>Counts the calls of the peer and their outcomes.</summary>
    public RequestCounters RequestCounts { get; } = new();

    public ReceiveCounters Received { get; } = new();

    public SendCounters Sent => Sending.Counters;

    /// <summary>The settings that the peer announced; the defaults until then.</summary>
    public PeerSettings Peer { get; protected set; } = PeerSettings.Default;

    /// <summary>Identifies the start of the peer's process; empty if the peer does not say.</summary>
    public Guid PeerInstance => Peer.InstanceId;

    /// <summary>Milliseconds without calls after which the peer ends the connection; 0 = never.</summary>
    public int PeerIdleMilliseconds => Peer.IdleMilliseconds;

    /// <summary>Milliseconds after which the draining peer may be dialed again; 0 if it does not say.</summary>
    public uint PeerRetryAfterMilliseconds { get; protected set; }

    /// <summary>How the connection or dial before this one ended; null if one was open since. Set before calls find it.</summary>
    public ConnectionEnd? EndBefore { get; set; }

    /// <summary>Time since which the peer has not read what waited then; <see cref="Clock.Never"/> if nothing waits for it. Any thread.</summary>
    public long BehindSince => Timers.BehindSince;

    /// <summary>Most bytes of body in one fragment that the peer accepts.</summary>
    public int MaxFragment { get; protected set; } = ProtocolConstants.MinFramePayload;

    /// <summary>Written under the lock.</summary>
    public ConnectionState State
    {
        get => _state;
        set => _state = value;
    }

    /// <summary>Access of an authenticated peer; null until it is admitted, or if no side demands authentication. Written under the lock.</summary>
    public PeerAccess? Access
    {
        get => _access;
        set => _access = value;
    }

    /// <summary>True if <see cref="Access"/> has expired. Written under the lock.</summary>
    public bool IsAccessExpired
    {
        get => _isAccessExpired;
        set => _isAccessExpired = value;
    }

    /// <summary>True if a peer may call only the methods it is allowed to; otherwise all peers may call all methods.</summary>
    public bool GuardsMethods => IsAccepting ? Options.Admission is not null : Options.ServerAccess is not null;

    /// <summary>Number of requests that wait until they may run. Written under the lock; without it, the number may be slightly out of date.</summary>
    public int ParkedRequests { get; private set; }

    public string RemoteAddress => Link.RemoteAddress;

    /// <summary>Names the peer in messages: its address as configured, if this side dialed. A peer on this machine has no address, and yet a name.</summary>
    public abstract string PeerPlace { get; }

    /// <summary>Channel binding for credentials; empty on a link that is not encrypted. The lock is not held.</summary>
    public ReadOnlyMemory<byte> ChannelBinding => Link.ChannelBinding;

    /// <summary>True if a call handed over now would be sent or queued. When this becomes false, the owner is notified first.</summary>
    public bool TakesCalls => _state <= ConnectionState.Open && !Drain.IsPeer && !Drain.IsLocal;

    /// <summary>
    /// True if a call that belongs to this connection may be made. While this side drains, that is as long as a request of the peer is open, whose handler may
    /// need the call, or calls wait for room. The peer still serves: only this side has said that it takes no more.
    /// </summary>
    public bool TakesBoundCalls =>
        TakesCalls || (_state == ConnectionState.Open && Drain is { IsPeer: false, IsLeftToPeer: false } && (RequestCounts.OpenCount > 0 || Held.Any));

    /// <summary>True if every call is decided, and none can be made any more. Any thread.</summary>
    public bool HasEnded => _state >= ConnectionState.Closing;

    /// <summary>True if the connection is of use without calls: PINGs and the idle time count it as one that has some. Any thread.</summary>
    public bool IsKept => Volatile.Read(ref _keepers) > 0;

    /// <summary>The connection as user code sees it; created when it is first asked for. Null if its owner has no use for it.</summary>
    public MuxPeer? Caller => Volatile.Read(ref _caller) ?? MakeCaller();

    /// <summary><see cref="Caller"/> if anybody has asked for it; otherwise null.</summary>
    public MuxPeer? KnownCaller => Volatile.Read(ref _caller);

    /// <summary>True if the peer has promised to send no further requests.</summary>
    public bool RefusesRequests => Drain.IsAcknowledged;

    public long NextDue => _tick.Due;

    public abstract bool CanHandOver { get; }

    protected Link Link { get; }

    /// <summary>Its place in the ticker. Guarded by the lock.</summary>
    protected ref TickPlace Tick => ref _tick;

    /// <summary>True if streams or requests wait for memory or places that other connections hold.</summary>
    /// <remarks>Also if there is memory now: it may be gone before they get it, and then nothing reports that there is some again.</remarks>
    protected bool AwaitsMemoryLocked =>
        (Memory is not null && Outbound.BulkLocked.HasWaiters) || (ParkedRequests > 0 && (Memory is not null || Handlers is not null));

    /// <summary>The connection is of use without calls from now on, until <see cref="RemoveKeeper"/> is called as often. Any thread.</summary>
    public void AddKeeper() => Interlocked.Increment(ref _keepers);

    /// <inheritdoc cref="AddKeeper"/>
    public void RemoveKeeper() => Interlocked.Decrement(ref _keepers);

    /// <summary>Asserts that this thread holds the lock: the first statement of every method whose name ends in Locked. Costs nothing in Release.</summary>
    [Conditional("DEBUG")]
    public void AssertLocked() => Debug.Assert(Gate.IsHeldByCurrentThread);

    /// <summary>Opens the connection: both sides are ready, and calls may run.</summary>
    public void OpenLocked()
    {
        AssertLocked();
        _state = ConnectionState.Open;
        long now = Clock.Now;
        Timers.Open(now, Options.MaxAge == Clock.Never ? Clock.Never : Spread(Options.MaxAge));
        KeepAlive.Start(now, PingWatch.LeastInterval(Peer.PingIntervalMilliseconds * Clock.MicrosecondsPerMillisecond, Options.KeepAliveTime));
    }

    /// <summary>Takes a duration give or take a tenth: connections that were opened together must not end together.</summary>
    private static long Spread(long duration) => (long)(duration * (0.9 + (0.2 * Random.Shared.NextDouble())));

    /// <summary>
    /// Runs last before the lock is released, if something was appended, answered or made room. Sends what can be sent, admits waiting calls, and completes a
    /// drain or an ordered end.
    /// </summary>
    public void FinishLocked(ref Aftermath aftermath)
    {
        AssertLocked();
        if (_state == ConnectionState.Open)
        {
            if (Waiting.Claims > 0) AdmitLocked(ref aftermath);
            Control.AppendOwedAnswer();
            if (_leases?.Current is { } lease && lease != _lastLease && (!Outbound.IsEmptyLocked || lease.IsUrgent)) AppendLeaseLocked(lease);
            if (Drain.IsLocal || Drain.IsPeer) FinishDrainLocked(ref aftermath);
        }
        else if (_state == ConnectionState.Authenticating)
        {
            Control.AppendOwedAnswer();
        }

        aftermath.Batch ??= Outbound.TryBeginLocked();
        if (_state != ConnectionState.Closing || _sendingEnded || !Outbound.IsEmptyLocked) return;
        _sendingEnded = true;
        aftermath.EndSending = true;
        Timers.StartLinger(Clock.Now);
        RequestTickLocked(Timers.EndDue);
    }

    /// <summary>Tells the peer at once what the server offers, although nothing else is sent: it takes no calls from now on. The lock is not held.</summary>
    public void SendLease()
    {
        var aftermath = default(Aftermath);
        lock (Gate)
        {
            if (_state != ConnectionState.Open || _leases?.Current is not { } lease || lease == _lastLease) return;
            AppendLeaseLocked(lease);
            FinishLocked(ref aftermath);
        }

        Complete(ref aftermath);
    }

    /// <summary>Carries out what was collected under the lock. The lock is not held.</summary>
    public void Complete(ref Aftermath aftermath)
    {
        // The owner first: a caller that learns of a failed call may retry it, and must not be sent back here.
        if (aftermath.ConcernsOwner) TellOwner(in aftermath);
        if (aftermath.Batch is { } batch) Sending.Run(batch);
        if (aftermath.EndSending) Link.ShutdownSend();
        if (aftermath.CloseLink) Link.Close();
        aftermath.Outcomes.Deliver();
        if (aftermath.Ended is not null) ReleaseHeld();
    }

    public void Flush()
    {
        var aftermath = default(Aftermath);
        using (EngineThread.Enter(Gate))
        {
            Sending.OnFlushLocked();
            FinishLocked(ref aftermath);
        }

        Complete(ref aftermath);
    }

    /// <inheritdoc/>
    public abstract void OnTick(long now);

    /// <summary>Requests a tick at <paramref name="due"/>.</summary>
    public void RequestTickLocked(long due)
    {
        AssertLocked();
        _tick.Request(this, due);
    }

    /// <summary>Computes the next tick again: what was due may be done.</summary>
    public abstract void UpdateNextDueLocked();

    /// <summary>Measures the round trip to the peer, now and then.</summary>
    public void AskRoundTripLocked(long now)
    {
        AssertLocked();
        if (RoundTrip.TryAsk(now)) Control.AppendPing((ulong)now);
    }

    /// <summary>Takes a share of what the connections of the server have together. Before the first frame.</summary>
    protected void Join(SharedBudgets shared, string host)
    {
        Handlers = shared.Handlers.Join(RequestCounts, host);
        RequestCounts.Subscriptions.Limit(shared.Subscriptions, host, Clock);
        Routes.Host = host;
    }

    /// <summary>Starts to check for memory if streams or requests wait for what other connections hold: no event reports that they release it.</summary>
    public void AwaitMemoryLocked()
    {
        AssertLocked();
        bool awaits = AwaitsMemoryLocked;
        if (!awaits && Timers.MemoryDue == Clock.Never) return;
        Timers.OnAwaitsMemory(awaits, Clock.Now);
        RequestTickLocked(Timers.MemoryDue);
    }

    /// <summary>Counts a request that waits until it may run. Until then it needs no place of a handler.</summary>
    public void CountParkedLocked()
    {
        AssertLocked();
        ParkedRequests++;
        RequestCounts.CountPaused();
    }

    /// <summary>Counts a request that waits no longer: it runs, or is answered next.</summary>
    public void CountUnparkedLocked()
    {
        AssertLocked();
        ParkedRequests--;
        RequestCounts.CountResumed();
    }

    /// <summary>Answers a definition with a fingerprint that differs here. In the turn, whose end sends the answer before any reply of the method.</summary>
    public void AnswerDefine(DefineAnswer answer)
    {
        lock (Gate)
        {
            if (_state == ConnectionState.Open) Control.AppendDefineAnswer(answer);
        }
    }

    /// <summary>Reserves the first window of a stream of the peer.</summary>
    /// <param name="size">Bytes of the window.</param>
    /// <param name="side">What this side is to the caller, for the message: a server, a client, or a gateway.</param>
    /// <returns>The message of the refusal; null if the window is reserved.</returns>
    public string? ReserveWindow(int size, string side)
    {
        string lack;
        MemoryVerdict verdict;
        lock (Gate)
        {
            if (_state > ConnectionState.Open) return "The connection ended."; // another thread ended it: nothing would release the window
            if (StreamBudget.TryReserve(size)) return null;
            (lack, verdict) = (StreamBudget.DescribeLack(size, side), StreamBudget.Verdict);
        }

        if (verdict != MemoryVerdict.Granted) Options.Shared!.OnRefused(verdict);
        return lack;
    }

    /// <summary>Releases what <see cref="ReserveWindow"/> has reserved for a stream that has no window on this connection.</summary>
    public void ReleaseWindow(int size)
    {
        lock (Gate) StreamBudget.Release(size);
    }

    /// <summary>Notes a request that, or an item of which, could not be decoded. Any thread: the turn counts it before the next request.</summary>
    /// <param name="ordinal">The peer's ordinal of its method.</param>
    /// <param name="isForwarded">True if the peer is a gateway, which has sent it for one of its clients.</param>
    public void OnUndecodable(ushort ordinal, bool isForwarded)
    {
        if (Options.Budgets.Misuse == BudgetLimits.Unbounded) return;
        lock (Gate) News.AddUndecodable(ordinal, isForwarded ? (byte)1 : (byte)0);
    }

    /// <summary>
    /// Notes a request that the service could not decode to which this gateway has forwarded it. If another gateway has sent it, or the peer says so, it takes
    /// more than at a service: else one peer could use up here what the service has for all clients of this gateway.
    /// </summary>
    public void OnUndecodableBehind(ushort ordinal, bool isForwarded)
    {
        if (Options.Budgets.Misuse == BudgetLimits.Unbounded) return;
        lock (Gate) News.AddUndecodable(ordinal, isForwarded ? ForwardedTwice : (byte)0);
    }

    /// <summary>
    /// Notes a request whose method the service does not have to which this gateway has forwarded it. Any thread: the turn counts it before the next request.
    /// </summary>
    public void OnAbsentBehind(ushort ordinal)
    {
        if (Options.Budgets.Misuse == BudgetLimits.Unbounded) return;
        lock (Gate) News.AddAbsent(ordinal);
    }

    /// <summary>Decides whether the peer may call a method. In the turn.</summary>
    public MuxStatus Judge(MethodDescriptor method) => _access is { } access ? access.Judge(method, _isAccessExpired) : MuxStatus.Unauthenticated;

    /// <summary>Decides whether the caller of a request that the peer has forwarded may call a method. In the turn.</summary>
    /// <inheritdoc cref="PeerAccess.JudgeForwarded"/>
    public MuxStatus? JudgeForwarded(MethodDescriptor method, ForwardedCaller? caller) =>
        _access is { } access ? access.JudgeForwarded(method, caller, _isAccessExpired) : MuxStatus.Unauthenticated;

    /// <summary>True if the peer may call a method of this side: such a call would reach its handler. Any thread.</summary>
    public bool MayCall(MethodDescriptor method) => !GuardsMethods || _access?.Allows(method, _isAccessExpired) == true;

    /// <summary>True if the peer may forward a call of a method of this side. Any thread; may run user code.</summary>
    /// <inheritdoc cref="PeerAccess.AllowsForwarded"/>
    public bool MayForward(MethodDescriptor method, System.Security.Claims.ClaimsPrincipal? caller) =>
        !GuardsMethods || _access?.AllowsForwarded(method, caller, _isAccessExpired) == true;

    /// <summary>Ends the connection at once, without telling the peer.</summary>
    public abstract void Abort(ConnectionEnd end);

    /// <summary>Ends the connection after queued frames, and a GOAWAY if there is one, are sent.</summary>
    public abstract void Close(ConnectionEnd end, GoAwayFrame? goAway);

    /// <summary>Reports an exception of user code that no caller awaits.</summary>
    public abstract void OnUserCodeFailed(Exception error);

    /// <summary>Reports that a method has other messages at the peer. The lock is not held.</summary>
    /// <param name="method">The method.</param>
    /// <param name="messages">Its messages that differ: <see cref="MethodFingerprint.DifferenceFrom"/>.</param>
    public abstract void OnContractDiffers(MethodDescriptor method, string messages);

    /// <summary>Applies the settings of the peer.</summary>
    public abstract void OnPeerKnownLocked(PeerSettings peer);

    /// <summary>Runs parked requests that waited for bytes to go out.</summary>
    public abstract void UnparkLocked();

    public abstract void GoOn(int position);

    public abstract void OnBlocked(Placement? code, bool refused);

    /// <summary>Creates what user code sees of the connection.</summary>
    protected abstract MuxPeer? CreateCaller();

    /// <summary>Sends waiting calls as far as possible.</summary>
    protected abstract void AdmitLocked(ref Aftermath aftermath);

    /// <summary>Completes a drain if nothing is left to wait for.</summary>
    protected abstract void FinishDrainLocked(ref Aftermath aftermath);

    /// <summary>Notifies the owner before anyone else.</summary>
    protected abstract void TellOwner(in Aftermath aftermath);

    /// <summary>A call of <see cref="Held"/> waits no longer, after which the caller flushes; or the end was reported to all, or the link has ended.</summary>
    public abstract void ReleaseHeld();

    private MuxPeer? MakeCaller() => CreateCaller() is { } made ? Interlocked.CompareExchange(ref _caller, made, null) ?? made : null;

    private void AppendLeaseLocked(LeaseOffer.Version lease)
    {
        AssertLocked();
        if (!Peer.ReadsLeases || Control.TryAppendLease(lease.Frame)) _lastLease = lease;
    }

    /// <summary>Sets the next tick, as computed by <see cref="UpdateNextDueLocked"/>.</summary>
    protected void SetNextDueLocked(long due)
    {
        AssertLocked();
        _tick.Set(this, due);
    }
}

/// <summary>
/// Counts the calls of this side that wait outside the connection until it has room. Their callers count on it: a drain of this side waits for them, and so
/// does the release of the connection. Safe for concurrent use; a struct, for each connection has one, and never copied.
/// </summary>
internal struct OutsideCalls
{
    /// <summary>The end that is told, and the end of the link: they come on different threads, in either order.</summary>
    private const int Ends = 2;

    private PartyCount _parties; // the two ends, and the calls

    public OutsideCalls() => _parties.Open(Ends);

    /// <summary>Number of calls that wait, while the connection is open.</summary>
    public int Count => Math.Max(0, _parties.Count - Ends);

    /// <summary>True if calls wait. The connection is open.</summary>
    public bool Any => _parties.Count > Ends;

    /// <summary>One more call waits. A full fence: what a drain has set by then is seen afterwards, or the drain sees the call.</summary>
    /// <returns>False if the connection is released.</returns>
    public bool TryAdd() => _parties.TryEnter();

    /// <summary>A call waits no longer, or one of the two ends has come.</summary>
    /// <returns>True if that was the last: the connection is released.</returns>
    public bool Remove() => _parties.Leave();
}

/// <summary>The shares that a connection has in the channels of this gateway: one for each channel that its calls have used. Safe for concurrent use.</summary>
internal sealed class RouteShares
{
    private RouteShare? _first; // a list: a client calls services of few channels, mostly of one

    /// <summary>Address of the client; empty if it has none. Set before its first call.</summary>
    public string Host { get; set; } = string.Empty;

    /// <summary>Gets the share in a channel. It is created by the first call.</summary>
    public RouteShare Of(RouteLimit route) => Find(Volatile.Read(ref _first), route) ?? Add(route);

    /// <summary>Ends all shares. The connection is gone, and its calls are over.</summary>
    public void Leave()
    {
        for (var share = Volatile.Read(ref _first); share is not null; share = share.Next) share.Leave();
    }

    private static RouteShare? Find(RouteShare? share, RouteLimit route)
    {
        while (share is not null && share.Route != route) share = share.Next;
        return share;
    }

    private RouteShare Add(RouteLimit route)
    {
        while (true)
        {
            var first = Volatile.Read(ref _first);
            if (Find(first, route) is { } known) return known; // another thread was faster
            var added = route.Join(Host, first);
            if (Interlocked.CompareExchange(ref _first, added, first) == first) return added;
            added.Leave();
        }
    }
}
