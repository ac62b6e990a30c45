using System.Diagnostics;
using Mux.Connections.Budgets;
using Mux.Execution;
using Mux.Lanes;
using Mux.Transports;
using Mux.Wire;

namespace Mux.Connections;

/// <summary>
/// One connection, both roles, without I/O of its own: bytes come in by <see cref="ILinkHandler"/>, go out by <see cref="Link.Send"/>, and time comes in by
/// <see cref="OnTick"/>. Owns the lock that its parts share and the life cycle; the calls are <see cref="Initiator"/>'s (those made here) and
/// <see cref="Acceptor"/>'s (those of the peer).
/// </summary>
/// <remarks>No user code, owner or link is called while <see cref="Gate"/> is held, but for <see cref="Link.TryJoinBatch"/>: what has to be called is collected in an <see cref="Aftermath"/>.</remarks>
internal sealed partial class Connection : ILinkHandler, ITicked, ITurnHost
{
    private readonly IConnectionOwner _owner;
    private readonly Link _link;
    private readonly Sender _sender;
    private readonly Ticker _ticker;
    private readonly InboundParser _parser;
    private readonly UnfinishedFrame _unfinished;
    private readonly bool _accepting;

    // Guarded by Gate.
    private readonly KeepAlive _keepAlive;
    private readonly Drain _drain = new();
    private readonly ConnectionTimers _timers;
    private readonly ControlFrames _control;
    private readonly string? _dialedAddress; // as it was configured, for texts
    private ConnectionEnd? _end;
    private CloseReason _drainReason;
    private bool _sendingEnded;
    private long _nextDue = Clock.Never; // written under Gate, read by the ticker
    private Turn? _markedBy; // see DefersLocked

    // The owner told of the end, and the link over: they come on different threads and in either order, and the owner hears of the release after both.
    private int _untilRelease = 2;

    private volatile ConnectionState _state; // written under Gate
    private volatile bool _inTurn; // written by the turn
    private bool _hasReceived; // since the last end of a batch; of whoever delivers, as is the next
    private long _discarded; // behind the end

    public Connection(Link link, ConnectionOptions options, IConnectionOwner owner, IMethodResolver methods, Clock clock, bool accepting, string? dialedAddress = null)
    {
        _link = link;
        _owner = owner;
        _accepting = accepting;
        _dialedAddress = dialedAddress;
        Options = options;
        _admission = accepting && options.Admission is { } admission ? new PeerAdmission(this, admission) : null;
        Clock = clock;
        Outbound = new OutboundQueue(Gate, options.UnsentLimit, options.BulkUnsentLimit);
        StreamBudget = new StreamBudget(options.StreamLimit);
        _control = new ControlFrames(Outbound);
        _timers = new ConnectionTimers(options);
        Initiator = new Initiator(this);
        Acceptor = new Acceptor(this);
        Reassembly = new ReassemblyBudget(options.ReassemblyLimit, options.Budgets.FragmentTimeout, options.Budgets.MinMessageRate);
        Responses = new InboundResponses(this, Reassembly);
        Requests = new InboundRequests(this, methods, Reassembly);
        BulkWindow = new BulkWindow(this, options.Local.BulkCredit, options.BulkLimit);
        _sender = new Sender(this, link);
        _ticker = Ticker.For(clock);
        Budgets = new PeerBudgets(this, options.Budgets);
        _parser = new InboundParser(this, accepting);
        _unfinished = new UnfinishedFrame(options.StallTimeout, options.Budgets.MinByteRate);
        _keepAlive = new KeepAlive(options.KeepAliveTime, options.KeepAliveTimeout);
    }

    /// <summary>Guards the state of this connection and of its parts. Held for tens of nanoseconds at a time.</summary>
    public Lock Gate { get; } = new();

    public IConnectionOwner Owner => _owner;

    public ConnectionOptions Options { get; }

    public Clock Clock { get; }

    public OutboundQueue Outbound { get; }

    public Initiator Initiator { get; }

    public Acceptor Acceptor { get; }

    /// <summary>The turn's: what comes for calls made here.</summary>
    public InboundResponses Responses { get; }

    /// <summary>The turn's: what comes for calls of the peer.</summary>
    public InboundRequests Requests { get; }

    /// <summary>The turn's: streams whose consumers are to be told of items.</summary>
    public ItemDeliveries Deliveries { get; } = new();

    /// <summary>The turn's: what the peer may send of large messages.</summary>
    public BulkWindow BulkWindow { get; }

    /// <summary>Guarded by the lock: what the streams of the peer may make this side hold.</summary>
    public StreamBudget StreamBudget { get; }

    /// <summary>What large messages may make this side hold.</summary>
    public ReassemblyBudget Reassembly { get; }

    /// <summary>The turn's: what the peer may send of what is cheap to send.</summary>
    public PeerBudgets Budgets { get; }

    /// <summary>Since when the peer takes nothing of what waits for it; <see cref="Clock.Never"/> if it does. Any thread.</summary>
    public long StalledSince => _timers.StalledSince;

    /// <summary>Guarded by the lock.</summary>
    public RoundTrip RoundTrip { get; } = new();

    /// <summary>Bytes of body in one fragment that the peer takes.</summary>
    public int MaxFragment { get; private set; } = ProtocolConstants.MinFramePayload;

    public ReceiveCounters Received { get; } = new();

    public SendCounters Sent => _sender.Counters;

    /// <summary>What the peer announced; the defaults until it did.</summary>
    public PeerSettings Peer { get; private set; } = PeerSettings.Default;

    public ConnectionState State => _state;

    public string RemoteAddress => _link.RemoteAddress;

    /// <summary>What credentials are bound to; empty on a link that is not encrypted. The lock is not held.</summary>
    public ReadOnlyMemory<byte> ChannelBinding => _link.ChannelBinding;

    /// <summary>Whether a call handed over now would be sent or kept. When this becomes false, the owner is told before anybody else is.</summary>
    public bool TakesCalls => _state <= ConnectionState.Open && !_drain.IsPeer && !_drain.IsLocal;

    /// <summary>Whether the peer has promised to send no further requests.</summary>
    public bool RefusesRequests => _drain.IsAcknowledged;

    public long NextDue => Volatile.Read(ref _nextDue);

    /// <summary>Begins: connects if it dials, and awaits the peer's HELLO.</summary>
    /// <param name="host">Where the peer is, as limits of an address count it; empty where none does.</param>
    public void Start(string host = "")
    {
        lock (Gate)
        {
            _timers.StartHandshake(Clock.Now);
            UpdateNextDueLocked();
        }

        Budgets.Join(Options.Shared?.Handlers, host);
        if (Options.Shared is { } shared) JoinMemory(shared.Memory.Join(host));
        _ticker.Add(this);
        _link.Start(this);
    }

    /// <summary>What the peer makes this side hold of the memory of its server; null where that is not limited.</summary>
    public MemoryShare? Memory { get; private set; }

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

    private void JoinMemory(MemoryShare share)
    {
        Memory = share;
        Reassembly.Memory = StreamBudget.Memory = Acceptor.Slots.Memory = Acceptor.Parking.Memory = share;
        Outbound.BulkLocked.Memory = share;
    }

    /// <summary>Lets calls that wait here expire although the connection is started only later, or never: then <see cref="Discard"/> ends this.</summary>
    public void AwaitStart() => _ticker.Add(this);

    /// <summary>The connection was not started and will not be.</summary>
    public void Discard() => _ticker.Remove(this);

    /// <summary>Does what was collected under the lock. The lock is not held.</summary>
    public void Complete(ref Aftermath aftermath)
    {
        // The owner first: whoever hears of a failed call may make it again, and must not be sent back here.
        if (aftermath.BeginsDrain) _owner.OnDraining(this, byPeer: false);
        if (aftermath.Ended is { } end)
        {
            _owner.OnEnded(this, end);
            EndIdentity();
        }

        if (aftermath.Batch is { } batch) _sender.Run(batch);
        if (aftermath.EndSending) _link.ShutdownSend();
        if (aftermath.CloseLink) _link.Close();
        aftermath.Outcomes.Deliver();
        if (aftermath.Ended is not null && Interlocked.Decrement(ref _untilRelease) == 0) _owner.OnReleased(this);
    }

    /// <summary>Sends a batch of <see cref="OutboundQueue.TryBeginLocked"/>. The lock is not held.</summary>
    public void Send(OutboundBlock batch) => _sender.Run(batch);

    /// <summary>The sender has handed bytes to the link.</summary>
    /// <returns>What it sends next, or null: it is no longer the sender.</returns>
    public OutboundBlock? AfterSend(long accepted, OutboundBlock? refused)
    {
        var aftermath = default(Aftermath);
        OutboundBlock? next;
        lock (Gate)
        {
            next = Outbound.EndRoundLocked(accepted, refused);
            if (_state == ConnectionState.Closed) return null;
            if (Outbound.IsBlockedLocked) OnBlockedLocked(accepted);
            else _timers.OnUnblocked();
            RequestTickLocked(_timers.StallDue);
            AwaitBulkCreditLocked();
            Acceptor.Parking.UnparkLocked();
            FinishLocked(ref aftermath);
            next ??= aftermath.Batch;
            aftermath.Batch = null;
        }

        Complete(ref aftermath);
        return next;
    }

    /// <summary>Room for large messages is short: looks for some that hold it and never end. In the turn.</summary>
    public void DropStaleMessages()
    {
        Requests.DropStale();
        Responses.DropStale();
    }

    /// <summary>Gives up messages that were begun and of which nothing more comes. In the turn, which may be lost behind.</summary>
    public void GiveUpStalledMessages(Turn turn)
    {
        bool isCongested;
        lock (Gate) isCongested = Outbound.IsBlockedLocked;
        if (!Reassembly.Watch.MayJudge(isCongested)) return;
        long oldest = Clock.Never;
        if (Requests.RefuseStalled(turn, ref oldest) is { } violation) FailProtocol(violation);
        if (!turn.IsLost) Responses.GiveUpStalled(turn, ref oldest);
        if (!turn.IsLost) Reassembly.Watch.OnLooked(oldest);
    }

    /// <summary>Sends what the turn has made so far.</summary>
    public void FlushTurn()
    {
        var aftermath = default(Aftermath);
        lock (Gate)
        {
            Acceptor.EndTurnLocked();
            Requests.ForgetExpiredLocked();
            Initiator.ReclaimLocked();
            FinishLocked(ref aftermath);
        }

        Complete(ref aftermath);
    }

    /// <summary>
    /// The last thing before the lock is released where something was appended, answered or made room: sends what can be sent, admits what waits, and looks whether a
    /// drain or an ordered end is done.
    /// </summary>
    public void FinishLocked(ref Aftermath aftermath)
    {
        if (_state == ConnectionState.Open)
        {
            if (Initiator.HasWaitingLocked) Initiator.AdmitLocked(ref aftermath.Outcomes);
            _control.AppendOwedAnswer();
            if (_drain.IsLocal || _drain.IsPeer) FinishDrainLocked(ref aftermath);
        }
        else if (_state == ConnectionState.Authenticating)
        {
            _control.AppendOwedAnswer();
        }

        aftermath.Batch ??= Outbound.TryBeginLocked();
        if (_state != ConnectionState.Closing || _sendingEnded || !Outbound.IsEmptyLocked) return;
        _sendingEnded = true;
        aftermath.EndSending = true;
        _timers.StartLinger(Clock.Now);
        RequestTickLocked(_timers.EndDue);
    }

    /// <summary>
    /// Whether what was just appended is sent without the caller's help: by a turn of this thread, or by the one that goes on in its place, or by the thread that receives, when it is
    /// done with what it is at. If not, the caller sends.
    /// </summary>
    public bool DefersLocked() => Turn.Defers(this, ref _markedBy) || SendBatch.Defers(this) || (Outbound.HasLittleToSendLocked && _link.TryJoinBatch());

    /// <summary>In a long turn, when it has flushed: what others wait for.</summary>
    public void EndJoinedBatches() => _link.EndJoinedBatches();

    bool ITurnHost.CanHandOver => _link.CanHandOver;

    void ITurnHost.GoOn(int position)
    {
        // What the thread would have done that is stuck in the delivery. If something is left of it, it is delivered again.
        Deliveries.RunElsewhere();
        Received.Bytes += position;
        _unfinished.OnDelivered(Clock.Now, position, 0);
        _inTurn = false;
        _link.HandOver(position);
    }

    void ITurnHost.Flush()
    {
        var aftermath = default(Aftermath);
        lock (Gate)
        {
            _markedBy = null;
            FinishLocked(ref aftermath);
        }

        Complete(ref aftermath);
    }

    void ITurnHost.OnBlocked(Placement? code, bool refused) => _owner.OnBlocked(this, code, refused);

    /// <summary>User code threw where nobody waits for it.</summary>
    public void OnUserCodeFailed(Exception error) => _owner.OnUserCodeFailed(this, error);

    void ILinkHandler.OnConnected()
    {
        var aftermath = default(Aftermath);
        lock (Gate)
        {
            if (_state != ConnectionState.Connecting) return;
            _state = ConnectionState.Handshaking;
            if (!_accepting) _control.AppendHello(Options.Local);
            FinishLocked(ref aftermath);
        }

        Complete(ref aftermath);
    }

    int ILinkHandler.OnReceived(ReadOnlySpan<byte> bytes)
    {
        if (_state > ConnectionState.Open) return DropBehindEnd(bytes.Length);
        var turn = Turn.Enter(this);
        _inTurn = _hasReceived = true;
        try
        {
            long now = Clock.Now;
            _keepAlive.LastReceived = now;
            int consumed = _parser.Receive(turn, bytes, now);
            if (consumed == Link.HandedOver) return consumed; // from here on nothing is this thread's any more
            _unfinished.OnDelivered(now, consumed, bytes.Length - consumed);
            if (Math.Min(_unfinished.Due, Reassembly.Watch.Due) is var due && due < NextDue) RequestTick(due);
            Received.Bytes += consumed;
            return consumed;
        }
        catch (Exception error)
        {
            // Neither the peer's doing nor user code's, which is caught where it is called.
            Debug.Fail(error.ToString());
            bool isOwner = turn.TryRecover();
            Close(new ConnectionEnd(CloseReason.Internal, "An internal error.", error), new GoAwayFrame(ConnectionCode.Internal, 0, "Internal error."));
            return isOwner ? bytes.Length : Link.HandedOver;
        }
        finally
        {
            if (!turn.IsLost) _inTurn = false;
            turn.Leave();
        }
    }

    void ILinkHandler.OnBatchEnd()
    {
        if (_hasReceived) Received.Batches++;
        _hasReceived = false;
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
            EndLocked(ConnectionEnd.OfLink(cause, error), ConnectionState.Closed, ref aftermath);
            Acceptor.EndTurnLocked();
            aftermath.CloseLink = false;
        }

        // Behind the end, so that nothing is appended for a link that is gone, and before the owner hears of the release: what was answered is counted by then.
        Responses.Close();
        Requests.Close();
        Complete(ref aftermath);
        _ticker.Remove(this);
        if (Interlocked.Decrement(ref _untilRelease) == 0) _owner.OnReleased(this);
    }
}
