using System.Diagnostics;
using Mux.Transports;
using Mux.Wire;

namespace Mux.Connections;

/// <summary>
/// One connection, both roles, without I/O of its own: bytes come in by <see cref="ILinkHandler"/>, go out by <see cref="Link.Send"/>, and time comes in by
/// <see cref="OnTick"/>. Owns the lock that its parts share and the life cycle; the calls are <see cref="Initiator"/>'s (those made here) and
/// <see cref="Acceptor"/>'s (those of the peer).
/// </summary>
/// <remarks>No user code, owner or link is called while <see cref="Gate"/> is held: what has to be called is collected in an <see cref="Aftermath"/>.</remarks>
internal sealed class Connection : ILinkHandler, ITicked
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
    private ConnectionEnd? _end;
    private CloseReason _drainReason;
    private bool _sendingEnded;
    private long _nextDue = Clock.Never; // written under Gate, read by the ticker

    // The owner told of the end, and the link over: they come on different threads and in either order, and the owner hears of the release after both.
    private int _untilRelease = 2;

    private volatile ConnectionState _state; // written under Gate
    private volatile bool _inTurn; // written by the turn

    public Connection(Link link, ConnectionOptions options, IConnectionOwner owner, IMethodResolver methods, Clock clock, bool accepting)
    {
        _link = link;
        _owner = owner;
        _accepting = accepting;
        Options = options;
        Clock = clock;
        Outbound = new OutboundQueue(Gate, options.UnsentLimit);
        _control = new ControlFrames(Outbound, options);
        _timers = new ConnectionTimers(options);
        Initiator = new Initiator(this);
        Acceptor = new Acceptor(this, methods);
        _sender = new Sender(this, link);
        _ticker = Ticker.For(clock);
        _parser = new InboundParser(this, accepting);
        _unfinished = new UnfinishedFrame(options.StallTimeout);
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

    public ReceiveCounters Received { get; } = new();

    public SendCounters Sent => _sender.Counters;

    /// <summary>What the peer announced; the defaults until it did.</summary>
    public PeerSettings Peer { get; private set; } = PeerSettings.Default;

    public ConnectionState State => _state;

    public string RemoteAddress => _link.RemoteAddress;

    /// <summary>Whether a call handed over now would be sent or kept.</summary>
    public bool TakesCalls => _state <= ConnectionState.Open && !_drain.IsPeer;

    /// <summary>Whether the peer has promised to send no further requests.</summary>
    public bool RefusesRequests => _drain.IsAcknowledged;

    public long NextDue => Volatile.Read(ref _nextDue);

    /// <summary>Begins: connects if it dials, and awaits the peer's HELLO.</summary>
    public void Start()
    {
        lock (Gate)
        {
            _timers.StartHandshake(Clock.Now);
            UpdateNextDueLocked();
        }

        _ticker.Add(this);
        _link.Start(this);
    }

    /// <summary>
    /// Takes no further calls from the peer, waits until no call is open either way or the grace (microseconds) is over, and ends. A connection that never opened ends at once.
    /// </summary>
    public void BeginDrain(long grace)
    {
        var aftermath = default(Aftermath);
        lock (Gate)
        {
            if (_state < ConnectionState.Open)
            {
                EndLocked(new ConnectionEnd(CloseReason.Disposed, "The connection was given up before it was established."), ConnectionState.Closed, ref aftermath);
            }
            else if (_state == ConnectionState.Open)
            {
                BeginDrainLocked(CloseReason.Drained, ConnectionCode.Draining, Clock.Now, grace);
                FinishLocked(ref aftermath);
                UpdateNextDueLocked();
            }
        }

        Complete(ref aftermath);
    }

    /// <summary>Ends at once, without a word to the peer.</summary>
    public void Abort(ConnectionEnd end)
    {
        var aftermath = default(Aftermath);
        lock (Gate) EndLocked(end, ConnectionState.Closed, ref aftermath);
        Complete(ref aftermath);
    }

    /// <summary>Ends after what is queued, and a GOAWAY if there is one, is sent.</summary>
    public void Close(ConnectionEnd end, GoAwayFrame? goAway)
    {
        var aftermath = default(Aftermath);
        lock (Gate) CloseLocked(end, goAway, ref aftermath);
        Complete(ref aftermath);
    }

    /// <summary>The peer broke a rule: says so and ends. In the turn.</summary>
    public void FailProtocol(ProtocolViolation violation)
    {
        var end = new ConnectionEnd(CloseReason.ProtocolError, violation.Text);
        if (_accepting && !_parser.PrefaceSeen) Abort(end);
        else Close(end, new GoAwayFrame(violation.Code, 0, violation.Text));
    }

    /// <summary>Does what was collected under the lock. The lock is not held.</summary>
    public void Complete(ref Aftermath aftermath)
    {
        if (aftermath.Batch is { } batch) _sender.Run(batch);
        if (aftermath.EndSending) _link.ShutdownSend();
        if (aftermath.CloseLink) _link.Close();
        aftermath.Outcomes.Deliver();
        if (aftermath.Ended is not { } end) return;
        _owner.OnEnded(this, end);
        if (Interlocked.Decrement(ref _untilRelease) == 0) _owner.OnReleased(this);
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
            if (Outbound.IsBlockedLocked) _timers.OnBlocked(Clock.Now, accepted > 0);
            else _timers.OnUnblocked();
            RequestTickLocked(_timers.StallDue);
            Acceptor.UnparkLocked();
            FinishLocked(ref aftermath);
            next ??= aftermath.Batch;
            aftermath.Batch = null;
        }

        Complete(ref aftermath);
        return next;
    }

    /// <summary>Sends what the turn has made so far.</summary>
    public void FlushTurn()
    {
        var aftermath = default(Aftermath);
        lock (Gate)
        {
            Acceptor.EndTurnLocked();
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

        aftermath.Batch ??= Outbound.TryBeginLocked();
        if (_state != ConnectionState.Closing || _sendingEnded || !Outbound.IsEmptyLocked) return;
        _sendingEnded = true;
        aftermath.EndSending = true;
        _timers.StartLinger(Clock.Now);
        RequestTickLocked(_timers.EndDue);
    }

    /// <summary>Sees to a tick at <paramref name="due"/>.</summary>
    public void RequestTickLocked(long due)
    {
        if (due >= _nextDue) return;
        Volatile.Write(ref _nextDue, due);
        _ticker.Request(due);
    }

    /// <summary>User code threw where nobody waits for it.</summary>
    public void OnUserCodeFailed(Exception error) => _owner.OnUserCodeFailed(this, error);

    void ILinkHandler.OnConnected()
    {
        var aftermath = default(Aftermath);
        lock (Gate)
        {
            if (_state != ConnectionState.Connecting) return;
            _state = ConnectionState.Handshaking;
            if (!_accepting) _control.AppendHello();
            FinishLocked(ref aftermath);
        }

        Complete(ref aftermath);
    }

    int ILinkHandler.OnReceived(ReadOnlySpan<byte> bytes)
    {
        if (_state > ConnectionState.Open) return bytes.Length;
        var outer = Turn.Enter(this);
        _inTurn = true;
        try
        {
            long now = Clock.Now;
            _keepAlive.LastReceived = now;
            int consumed = _parser.Receive(bytes, now);
            _unfinished.OnDelivered(now, consumed, bytes.Length - consumed);
            if (_unfinished.Due < NextDue) RequestTick(_unfinished.Due);
            Received.Bytes += consumed;
            return consumed;
        }
        catch (Exception error)
        {
            // Neither the peer's doing nor user code's, which is caught where it is called.
            Debug.Fail(error.ToString());
            Close(new ConnectionEnd(CloseReason.Internal, "An internal error.", error), new GoAwayFrame(ConnectionCode.Internal, 0, "Internal error."));
            return bytes.Length;
        }
        finally
        {
            _inTurn = false;
            Turn.Leave(outer);
        }
    }

    void ILinkHandler.OnBatchEnd()
    {
        Received.Batches++;
        FlushTurn();
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

        Complete(ref aftermath);
        _ticker.Remove(this);
        if (Interlocked.Decrement(ref _untilRelease) == 0) _owner.OnReleased(this);
    }

    /// <summary>The peer's HELLO is read. In the turn.</summary>
    public void OnHandshakeDone(PeerSettings peer)
    {
        lock (Gate)
        {
            if (_state != ConnectionState.Handshaking) return;
            Peer = peer;
            Initiator.OpenLocked(peer);
            Acceptor.OpenLocked(peer);
            if (_accepting) _control.AppendHello();
            _state = ConnectionState.Open;
            long now = Clock.Now;
            _timers.Open(now);
            _keepAlive.Start(now);
            UpdateNextDueLocked();
        }

        _owner.OnOpened(this);
    }

    /// <summary>What connected speaks another protocol. In the turn.</summary>
    public void OnNotMux() => Abort(new ConnectionEnd(CloseReason.NotMux, $"'{RemoteAddress}' does not speak Mux."));

    /// <summary>The peer answered the handshake with GOAWAY. In the turn.</summary>
    public void OnRefused(GoAwayFrame refusal) => Close(new ConnectionEnd(CloseReason.PeerError, $"The peer refused the connection ({refusal.Code}): {refusal.Text}"), goAway: null);

    /// <summary>The peer asked whether this side lives. In the turn.</summary>
    public void OnPing(ulong opaque)
    {
        lock (Gate) _control.OweAnswer(opaque);
    }

    /// <summary>The peer takes no further calls. In the turn.</summary>
    public void OnPeerDrains()
    {
        OutgoingCall? withdrawn;
        lock (Gate)
        {
            if (_state != ConnectionState.Open || !_drain.BeginPeer()) return;
            withdrawn = Initiator.WithdrawLocked();
            _control.AppendGoAwayAcknowledgement(); // behind every first REQUEST; after this none is sent
        }

        _owner.OnDraining(this);
        while (withdrawn is { } call)
        {
            withdrawn = call.Next;
            call.Next = null;
            _owner.OnWithdrawn(this, call);
        }
    }

    /// <summary>The peer will send no further requests. In the turn.</summary>
    /// <returns>Whether it was asked to.</returns>
    public bool OnDrainAcknowledged()
    {
        lock (Gate) return _drain.Acknowledge();
    }

    public void OnTick(long now)
    {
        // Asked before the lock is taken: a link is never called under it.
        bool isReading = _inTurn || _link.HasUndeliveredInput;
        var aftermath = default(Aftermath);
        lock (Gate)
        {
            if (_state < ConnectionState.Open && _timers.HandshakeDue <= now) OnHandshakeTimeoutLocked(ref aftermath);
            if (_state == ConnectionState.Open) TickOpenLocked(now, isReading, ref aftermath);
            if (_state < ConnectionState.Closing) Initiator.ExpireLocked(now, ref aftermath.Outcomes);
            if (_state == ConnectionState.Closing && _timers.EndDue <= now) EndLocked(_end!, ConnectionState.Closed, ref aftermath);
            if (_state < ConnectionState.Closed && _timers.StallDue <= now) EndLocked(ConnectionEnd.Stalled(Options, Outbound.UnsentLocked), ConnectionState.Closed, ref aftermath);
            FinishLocked(ref aftermath);
            UpdateNextDueLocked();
        }

        Complete(ref aftermath);
    }

    /// <summary>
    /// Whether a call is open either way. A request is answered when its answer is in the outgoing queue: while a turn on another thread holds answers, or one that has
    /// returned and not ended its batch, calls are open, and the end of that batch looks again.
    /// </summary>
    private bool HasCallsLocked => Initiator.HasCallsLocked || Acceptor.OpenCount > 0 || (Acceptor.HasTurnOutput && !Turn.IsOwner(this));

    private void TickOpenLocked(long now, bool isReading, ref Aftermath aftermath)
    {
        Acceptor.ExpireLocked(now);
        bool callsOpen = HasCallsLocked;
        switch (_keepAlive.Decide(now, callsOpen, isReading || Outbound.IsBlockedLocked))
        {
            case KeepAlive.Decision.Ask:
                _control.AppendPing((ulong)now);
                break;
            case KeepAlive.Decision.Dead:
                EndLocked(ConnectionEnd.KeepAliveTimeout(Options), ConnectionState.Closed, ref aftermath);
                return;
        }

        if (_unfinished.Due <= now && !isReading)
        {
            CloseLocked(ConnectionEnd.UnfinishedFrame(Options), new GoAwayFrame(ConnectionCode.SlowPeer, 0, "A frame was not finished."), ref aftermath);
            return;
        }

        if (_timers.CheckIdle(now, callsOpen, _keepAlive.LastReceived))
            BeginDrainLocked(CloseReason.Idle, ConnectionCode.IdleTimeout, now, grace: 2 * Options.DrainAcknowledgeTimeout);
        _drain.OnTick(now, callsOpen);
        if (_drain.IsPeerOverdue) CloseLocked(new(CloseReason.PeerDrained, "The peer drained and left the connection open."), goAway: null, ref aftermath);
        else if (_drain.IsLocal && _drain.GraceDue <= now) EndGraceLocked(ref aftermath);
    }

    private void BeginDrainLocked(CloseReason reason, ConnectionCode code, long now, long grace)
    {
        if (!_drain.BeginLocal(Clock.After(now, Options.DrainAcknowledgeTimeout), Clock.After(now, grace))) return;
        _drainReason = reason;
        _control.AppendGoAway(new GoAwayFrame(code, 0, string.Empty));
    }

    private void FinishDrainLocked(ref Aftermath aftermath)
    {
        if (HasCallsLocked) return;
        if (_drain.IsSettled) CloseLocked(new(_drainReason, "Drained."), goAway: null, ref aftermath);
        else if (_drain.IsPeer && !_drain.IsLocal) RequestTickLocked(_drain.AwaitPeer(Clock.Now, Options.DrainAcknowledgeTimeout));
    }

    private void EndGraceLocked(ref Aftermath aftermath)
    {
        const string text = "The server stopped before the handler had finished.";
        Acceptor.FailAllLocked(text);
        CloseLocked(new(_drainReason, "Drained; some calls were given up."), goAway: null, ref aftermath);
    }

    private void OnHandshakeTimeoutLocked(ref Aftermath aftermath)
    {
        if (_state == ConnectionState.Connecting) EndLocked(ConnectionEnd.NotConnected(Options), ConnectionState.Closed, ref aftermath);
        else if (_accepting && !_parser.PrefaceSeen) EndLocked(ConnectionEnd.SilentHandshake(Options), ConnectionState.Closed, ref aftermath);
        else CloseLocked(ConnectionEnd.UnfinishedHandshake(Options), new GoAwayFrame(ConnectionCode.SlowPeer, 0, "Handshake timeout."), ref aftermath);
    }

    private void CloseLocked(ConnectionEnd end, GoAwayFrame? goAway, ref Aftermath aftermath)
    {
        if (_state >= ConnectionState.Closing) return;
        if (Turn.IsOwner(this)) Acceptor.EndTurnLocked(); // what was answered before goes out before
        if (goAway is { } frame) _control.AppendGoAway(frame);
        EndLocked(end, ConnectionState.Closing, ref aftermath);
        _timers.StartFlush(Clock.Now);
        UpdateNextDueLocked();
        FinishLocked(ref aftermath);
    }

    /// <summary>The end, in two steps at most: calls are decided in the first, the link is given up when the state becomes Closed.</summary>
    private void EndLocked(ConnectionEnd end, ConnectionState state, ref Aftermath aftermath)
    {
        if (_state == ConnectionState.Closed) return;
        bool wasOpen = _state >= ConnectionState.Open;
        _state = state;
        if (_end is null)
        {
            _end = IsExpectedEnd(end) ? new(CloseReason.PeerDrained, "The peer drained.") : end;
            aftermath.Ended = _end;

            // While queued bytes still go out, a request among them may yet run; without a link, what was not offered to it never will.
            long sentUpTo = state == ConnectionState.Closed ? Outbound.OfferedLocked : Outbound.PositionLocked;
            Initiator.CloseLocked(sentUpTo, end.Text, end.Error, wasOpen, ref aftermath.Outcomes);
            Acceptor.CloseLocked();
        }

        if (state != ConnectionState.Closed) return;
        Outbound.CloseLocked();
        Volatile.Write(ref _nextDue, Clock.Never);
        aftermath.CloseLink = true;
    }

    /// <summary>A peer that drained ends its stream when no call is open.</summary>
    private bool IsExpectedEnd(ConnectionEnd end) => end.Reason == CloseReason.ConnectionLost && _drain.IsPeer && !Initiator.HasCallsLocked;

    private void RequestTick(long due)
    {
        lock (Gate) RequestTickLocked(due);
    }

    private void UpdateNextDueLocked()
    {
        if (_state == ConnectionState.Closed) return;
        long due = _timers.NextDue;
        if (_state != ConnectionState.Closing)
        {
            due = Math.Min(Math.Min(due, _unfinished.Due), Math.Min(_keepAlive.Due, _drain.Due));
            due = Math.Min(due, Math.Min(Initiator.NextDueLocked, Acceptor.NextDueLocked));
        }

        Volatile.Write(ref _nextDue, due);
        _ticker.Request(due);
    }
}
