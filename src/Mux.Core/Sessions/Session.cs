using Mux.Contracts;
using Mux.Execution;
using Mux.Lanes;
using Mux.Sessions.Budgets;
using Mux.Sessions.Calls;
using Mux.Sessions.Lifecycle;
using Mux.Sessions.Messages;
using Mux.Sessions.Setup;
using Mux.Timing;
using Mux.Transports;
using Mux.Wire;

namespace Mux.Sessions;

/// <summary>
/// What the parts of one connection share: the lock, the clock, the options, the peer, the state, what is queued and what is counted. A part gets its session,
/// does its work under the lock, and leaves what has to be called outside it in an <see cref="Aftermath"/>. No part knows the connection that it belongs to.
/// </summary>
/// <remarks>
/// A base class and not an object of its own: the connection is its session, so nothing that a call touches is one pointer further away, and what every batch
/// does last (<see cref="FinishLocked"/>, <see cref="Complete"/>) is no virtual call. The abstract members are what only a composition of parts can do. They
/// run when something is special: calls wait, a side drains, the connection ends.
/// </remarks>
internal abstract class Session : ITurnHost
{
    private readonly Ticker _ticker;
    private long _nextDue = Clock.Never; // written under the lock, read by the ticker
    private bool _sendingEnded; // guarded by the lock
    private volatile ConnectionState _state; // written under the lock
    private volatile PeerAccess? _access; // written under the lock, as is the next
    private volatile bool _isAccessExpired;

    protected Session(Link link, ConnectionOptions options, IWorkOwner workOwner, Clock clock, bool isAccepting)
    {
        Link = link;
        Options = options;
        WorkOwner = workOwner;
        Clock = clock;
        IsAccepting = isAccepting;
        _ticker = Ticker.For(clock);
        Outbound = new OutboundQueue(Gate, options.UnsentLimit, options.BulkUnsentLimit);
        Waiting = new CallQueue(options.WaitingLimit);
        Control = new ControlFrames(Outbound);
        Timers = new ConnectionTimers(options);
        KeepAlive = new KeepAlive(options.KeepAliveTime, options.KeepAliveTimeout, asksIdle: isAccepting);
        StreamBudget = new StreamBudget(options.StreamLimit);
        Reassembly = new ReassemblyBudget(options.ReassemblyLimit, options.Budgets.FragmentTimeout, options.Budgets.MinMessageRate);
        Sending = new Sending(this, link);
    }

    /// <summary>
    /// Guards the state of the connection and of its parts. Held for tens of nanoseconds at a time. Nothing but <see cref="Mux.Transports.Link.TryJoinBatch"/>
    /// is called meanwhile.
    /// </summary>
    public Lock Gate { get; } = new();

    public ConnectionOptions Options { get; }

    public Clock Clock { get; }

    /// <summary>For whom the work of this connection is done.</summary>
    public IWorkOwner WorkOwner { get; }

    public bool IsAccepting { get; }

    public OutboundQueue Outbound { get; }

    /// <summary>The way of what is queued to the link.</summary>
    public Sending Sending { get; }

    /// <summary>Guarded by the lock: calls that wait to be sent.</summary>
    public CallQueue Waiting { get; }

    /// <summary>Guarded by the lock.</summary>
    public ControlFrames Control { get; }

    /// <summary>Guarded by the lock.</summary>
    public ConnectionTimers Timers { get; }

    /// <summary>Guarded by the lock.</summary>
    public Drain Drain { get; } = new();

    public KeepAlive KeepAlive { get; }

    /// <summary>Guarded by the lock: what the streams of the peer may make this side hold.</summary>
    public StreamBudget StreamBudget { get; }

    /// <summary>What large messages may make this side hold.</summary>
    public ReassemblyBudget Reassembly { get; }

    /// <summary>What the peer makes this side hold of the memory of its server; null where that is not limited.</summary>
    public MemoryShare? Memory { get; protected set; }

    /// <summary>Guarded by the lock.</summary>
    public RoundTrip RoundTrip { get; } = new();

    /// <summary>What has come about since the last request, and concerns the next one.</summary>
    public RequestNews News { get; } = new();

    /// <summary>What became of the calls of the peer.</summary>
    public RequestCounters RequestCounts { get; } = new();

    public ReceiveCounters Received { get; } = new();

    public SendCounters Sent => Sending.Counters;

    /// <summary>What the peer announced; the defaults until it did.</summary>
    public PeerSettings Peer { get; protected set; } = PeerSettings.Default;

    /// <summary>Which start of the peer's process this is; empty if it does not say.</summary>
    public Guid PeerInstance => Peer.InstanceId;

    /// <summary>After how many milliseconds without calls the peer ends the connection; 0 = never.</summary>
    public int PeerIdleMilliseconds => Peer.IdleMilliseconds;

    /// <summary>After how many milliseconds the peer, which drains, may be dialed again; 0 if it does not say.</summary>
    public uint PeerRetryAfterMilliseconds { get; protected set; }

    /// <summary>Since when the peer takes nothing of what waits for it; <see cref="Clock.Never"/> if it does. Any thread.</summary>
    public long StalledSince => Timers.StalledSince;

    /// <summary>Bytes of body in one fragment that the peer takes.</summary>
    public int MaxFragment { get; protected set; } = ProtocolConstants.MinFramePayload;

    /// <summary>Written under the lock.</summary>
    public ConnectionState State
    {
        get => _state;
        set => _state = value;
    }

    /// <summary>What a peer that was asked who it is may do; null until it is let in, and where nobody asks. Written under the lock.</summary>
    public PeerAccess? Access
    {
        get => _access;
        set => _access = value;
    }

    /// <summary>Whether the time of <see cref="Access"/> is over. Written under the lock.</summary>
    public bool IsAccessExpired
    {
        get => _isAccessExpired;
        set => _isAccessExpired = value;
    }

    /// <summary>Whether a peer may call only what it is allowed to; else everybody may call everything.</summary>
    public bool GuardsMethods => IsAccepting && Options.Admission is not null;

    /// <summary>Requests that wait until they may run. Written under the lock; right up to what others do meanwhile for code without it.</summary>
    public int ParkedRequests { get; set; }

    public string RemoteAddress => Link.RemoteAddress;

    /// <summary>Where the peer is, for texts.</summary>
    public abstract string PeerPlace { get; }

    /// <summary>What credentials are bound to; empty on a link that is not encrypted. The lock is not held.</summary>
    public ReadOnlyMemory<byte> ChannelBinding => Link.ChannelBinding;

    /// <summary>Whether a call handed over now would be sent or kept. When this becomes false, the owner is told before anybody else is.</summary>
    public bool TakesCalls => _state <= ConnectionState.Open && !Drain.IsPeer && !Drain.IsLocal;

    /// <summary>Whether the peer has promised to send no further requests.</summary>
    public bool RefusesRequests => Drain.IsAcknowledged;

    public long NextDue => Volatile.Read(ref _nextDue);

    public abstract bool CanHandOver { get; }

    protected Link Link { get; }

    protected Ticker Ticker => _ticker;

    /// <summary>Whether something waits for memory that others hold.</summary>
    protected bool AwaitsMemoryLocked => Outbound.BulkLocked.AwaitsMemory || (ParkedRequests > 0 && Memory is { IsShort: true });

    /// <summary>Both sides know of each other what they have to: calls may run.</summary>
    public void OpenLocked()
    {
        _state = ConnectionState.Open;
        long now = Clock.Now;
        Timers.Open(now);
        KeepAlive.Start(now, PingWatch.LeastInterval(Peer.PingIntervalMilliseconds * Clock.MicrosecondsPerMillisecond, Options.KeepAliveTime));
    }

    /// <summary>
    /// The last thing before the lock is released where something was appended, answered or made room: sends what can be sent, admits what waits, and looks
    /// whether a drain or an ordered end is done.
    /// </summary>
    public void FinishLocked(ref Aftermath aftermath)
    {
        if (_state == ConnectionState.Open)
        {
            if (Waiting.Count > 0) AdmitLocked(ref aftermath);
            Control.AppendOwedAnswer();
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

    /// <summary>Does what was collected under the lock. The lock is not held.</summary>
    public void Complete(ref Aftermath aftermath)
    {
        // The owner first: whoever hears of a failed call may make it again, and must not be sent back here.
        if (aftermath.ConcernsOwner) TellOwner(in aftermath);
        if (aftermath.Batch is { } batch) Sending.Run(batch);
        if (aftermath.EndSending) Link.ShutdownSend();
        if (aftermath.CloseLink) Link.Close();
        aftermath.Outcomes.Deliver();
        if (aftermath.Ended is not null) OnEndTold();
    }

    public void Flush()
    {
        var aftermath = default(Aftermath);
        lock (Gate)
        {
            Sending.OnFlushLocked();
            FinishLocked(ref aftermath);
        }

        Complete(ref aftermath);
    }

    /// <summary>Sees to a tick at <paramref name="due"/>.</summary>
    public void RequestTickLocked(long due)
    {
        if (due >= _nextDue) return;
        Volatile.Write(ref _nextDue, due);
        _ticker.Request(due);
    }

    /// <summary>Sees to the next tick anew: what was due may be no longer.</summary>
    public abstract void UpdateNextDueLocked();

    /// <summary>Measures the way to the peer, now and then.</summary>
    public void AskRoundTripLocked(long now)
    {
        if (RoundTrip.TryAsk(now)) Control.AppendPing((ulong)now);
    }

    /// <summary>
    /// Streams or requests wait for room: if it is memory that others hold, a tick looks for it, because no event tells this connection when they give it back.
    /// </summary>
    public void AwaitMemoryLocked()
    {
        bool awaits = AwaitsMemoryLocked;
        if (!awaits && Timers.MemoryDue == Clock.Never) return;
        Timers.OnAwaitsMemory(awaits, Clock.Now);
        RequestTickLocked(Timers.MemoryDue);
    }

    /// <summary>Takes the window that a stream of the peer begins with. In the turn.</summary>
    /// <returns>Why there is none; null if there is.</returns>
    public string? ReserveWindow(int size)
    {
        string lack;
        MemoryVerdict verdict;
        lock (Gate)
        {
            if (StreamBudget.TryReserveLocked(size)) return null;
            (lack, verdict) = (StreamBudget.DescribeLackLocked(size), StreamBudget.VerdictLocked);
        }

        if (verdict != MemoryVerdict.Granted) Options.Shared!.OnRefused(verdict);
        return lack;
    }

    /// <summary>A request of a method could not be decoded. Any thread: the turn counts it before the next request.</summary>
    public void OnUndecodable(ushort ordinal)
    {
        if (Options.Budgets.Misuse == BudgetLimits.Unbounded) return;
        lock (Gate) News.AddUndecodableLocked(ordinal);
    }

    /// <summary>Whether the peer may call a method. In the turn.</summary>
    public MuxStatus Judge(MethodDescriptor method) => _access is { } access ? access.Judge(method, _isAccessExpired) : MuxStatus.Unauthenticated;

    /// <summary>Ends at once, without a word to the peer.</summary>
    public abstract void Abort(ConnectionEnd end);

    /// <summary>Ends after what is queued, and a GOAWAY if there is one, is sent.</summary>
    public abstract void Close(ConnectionEnd end, GoAwayFrame? goAway);

    /// <summary>User code threw where nobody waits for it.</summary>
    public abstract void OnUserCodeFailed(Exception error);

    /// <summary>The limits of the peer are known.</summary>
    public abstract void OnPeerKnownLocked(PeerSettings peer);

    /// <summary>Bytes went out: requests that wait for that may run.</summary>
    public abstract void UnparkLocked();

    public abstract void GoOn(int position);

    public abstract void OnBlocked(Placement? code, bool refused);

    /// <summary>Calls wait, and some may be sent now.</summary>
    protected abstract void AdmitLocked(ref Aftermath aftermath);

    /// <summary>A side drains: perhaps that is done.</summary>
    protected abstract void FinishDrainLocked(ref Aftermath aftermath);

    /// <summary>Tells the owner what it has to hear before anybody else does.</summary>
    protected abstract void TellOwner(in Aftermath aftermath);

    /// <summary>Everybody has heard of the end.</summary>
    protected abstract void OnEndTold();

    /// <summary>As <see cref="UpdateNextDueLocked"/> has found.</summary>
    protected void SetNextDueLocked(long due)
    {
        Volatile.Write(ref _nextDue, due);
        if (due != Clock.Never) _ticker.Request(due);
    }
}
