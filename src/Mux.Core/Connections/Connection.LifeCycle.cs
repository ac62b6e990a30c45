using Mux.Execution;
using Mux.Wire;

namespace Mux.Connections;

/// <content>The life cycle: handshake done, drain from either side, what time brings, and the end.</content>
internal sealed partial class Connection
{
    /// <summary>What a connection that was cut off reads and drops before it is closed, whatever its lingering would allow: what the system keeps for a slow receiver, near enough.</summary>
    private const long MaxDiscardedOfFlood = 256 * 1024;

    /// <summary>The same for other ends: more than systems keep for a sender and a receiver by default, 4 and 6 MiB, with the 4 MiB of large messages that may be on their way. Who sends more floods.</summary>
    private const long MaxDiscarded = 16 * 1024 * 1024;

    /// <summary>The peer's HELLO is read. In the turn.</summary>
    public void OnHandshakeDone(PeerSettings peer)
    {
        var identity = _admission?.IdentityOf(_link);
        bool opened;
        lock (Gate)
        {
            if (_state != ConnectionState.Handshaking) return;
            Peer = peer;
            MaxFragment = Math.Min(ProtocolConstants.MaxFragmentBody, peer.MaxFramePayload);
            Outbound.BulkLocked.AddCredit(peer.BulkCredit);
            Initiator.OpenLocked(peer);
            Acceptor.OpenLocked(peer);
            opened = TryOpenLocked(isKnown: identity is not null);
            UpdateNextDueLocked();
        }

        if (opened) _owner.OnOpened(this);
        else if (identity is not null) _admission!.Begin(identity);
    }

    /// <summary>What connected speaks another protocol. In the turn.</summary>
    public void OnNotMux() => Abort(new ConnectionEnd(CloseReason.NotMux, $"'{_dialedAddress ?? RemoteAddress}' does not speak Mux."));

    /// <summary>The peer answered the handshake with GOAWAY. In the turn.</summary>
    public void OnRefused(GoAwayFrame refusal) => Close(ConnectionEnd.OfPeer(refusal, "refused", _login is { IsAnonymous: true } ? " This side has no credential to show: set Credentials in the options of the channel." : string.Empty), goAway: null);

    /// <summary>The peer asked whether this side lives. In the turn.</summary>
    public void OnPing(ulong opaque)
    {
        lock (Gate) _control.OweAnswer(opaque);
    }

    /// <summary>A method that the peer has defined is another one here. In the turn, whose end sends it: before any reply of the method.</summary>
    public void AnswerDefine(DefineAnswer answer)
    {
        lock (Gate)
        {
            if (_state == ConnectionState.Open) _control.AppendDefineAnswer(answer);
        }
    }

    /// <summary>The peer answered a PING. In the turn.</summary>
    public void OnPingAnswer(ulong opaque)
    {
        lock (Gate) RoundTrip.OnAnswer(opaque, Clock.Now);
    }

    /// <summary>Measures the way to the peer, now and then.</summary>
    public void AskRoundTripLocked(long now)
    {
        if (RoundTrip.TryAsk(now)) _control.AppendPing((ulong)now);
    }

    /// <summary>The peer takes more of large messages. In the turn, which sends them.</summary>
    /// <returns>The rule that it breaks by it, or null.</returns>
    public ProtocolViolation? OnBulkCredit(int bytes)
    {
        lock (Gate)
        {
            Outbound.BulkLocked.AddCredit(bytes);
            long credit = Outbound.BulkLocked.Credit;
            if (credit > 0) _timers.OnBulkCredit(); // less is no progress: nothing can be sent by it
            return credit <= int.MaxValue ? null : new(ConnectionCode.FlowControlError, $"The bulk credit is {credit} bytes; it may be {int.MaxValue}.");
        }
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

        _owner.OnDraining(this, byPeer: true);
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
        lock (Gate)
        {
            _hasNewsForRequests = true;
            return _drain.Acknowledge();
        }
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
                BeginDrainLocked(CloseReason.Drained, ConnectionCode.Draining, Clock.Now, grace, ref aftermath);
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

    /// <summary>Bytes came behind the end. A peer may have sent them before it knew; one that was cut off for a flood and goes on with it does not read why, either.</summary>
    private int DropBehindEnd(int bytes)
    {
        _discarded += bytes;
        if (_end is { } end && _discarded > (end.Limit is null ? MaxDiscarded : MaxDiscardedOfFlood)) Abort(end);
        return bytes;
    }

    /// <summary>The peer broke a rule: says so and ends. In the turn.</summary>
    public void FailProtocol(ProtocolViolation violation)
    {
        var end = ConnectionEnd.Of(violation);
        if (_accepting && !_parser.PrefaceSeen) Abort(end);
        else if (violation.Code == ConnectionCode.AuthFailed) RefusePeer(violation.Text);
        else Close(end, new GoAwayFrame(violation.Code, 0, violation.Text));
    }

    public void OnTick(long now)
    {
        // Asked before the lock is taken: under it a link is asked nothing but TryJoinBatch.
        bool isReading = _inTurn || _link.HasUndeliveredInput;
        var aftermath = default(Aftermath);
        lock (Gate)
        {
            if (_state < ConnectionState.Open && _timers.HandshakeDue <= now) OnHandshakeTimeoutLocked(ref aftermath);
            if (_state == ConnectionState.Open) TickOpenLocked(now, isReading, ref aftermath);
            if (_state < ConnectionState.Closing) Initiator.ExpireLocked(now, ref aftermath.Outcomes);
            if (_state == ConnectionState.Closing && _timers.EndDue <= now) EndLocked(_end!, ConnectionState.Closed, ref aftermath);
            if (_state < ConnectionState.Closed && _timers.BulkCreditDue <= now) EndWithoutBulkCreditLocked(ref aftermath);
            if (_state < ConnectionState.Closed && _timers.StallDue <= now) EndLocked(ConnectionEnd.Stalled(Options, Outbound.UnsentLocked), ConnectionState.Closed, ref aftermath);
            if (_state < ConnectionState.Closed && _timers.IsReadTooSlowly(now)) EndLocked(ConnectionEnd.ReadsTooSlowly(Options, Outbound.UnsentLocked), ConnectionState.Closed, ref aftermath);
            FinishLocked(ref aftermath);
            UpdateNextDueLocked();
        }

        Complete(ref aftermath);
    }

    private void OnBlockedLocked(long accepted)
    {
        long now = Clock.Now;
        _timers.OnBlocked(now, accepted > 0);
        _timers.OnTaken(now, accepted);
        RequestTickLocked(_timers.ReadingDue);
        Options.Shared?.Unsent.OnStalled(now);
    }

    /// <summary>
    /// Replies that are made are nobody's call any more, which a deadline would end: a peer that takes none of them has its time and no more. Requests wait as long as their calls do.
    /// </summary>
    private void AwaitBulkCreditLocked()
    {
        if (!_accepting || !Outbound.BulkLocked.AwaitsCredit) return;
        _timers.OnAwaitsBulkCredit(Clock.Now);
        Options.Shared?.Unsent.OnStalled(Clock.Now);
        RequestTickLocked(_timers.BulkCreditDue);
    }

    private void EndWithoutBulkCreditLocked(ref Aftermath aftermath)
    {
        _timers.OnBulkCredit();
        if (Outbound.BulkLocked.AwaitsCredit) EndLocked(ConnectionEnd.NoBulkCredit(Options, Outbound.UnsentLocked), ConnectionState.Closed, ref aftermath);
    }

    /// <summary>Sees to a tick at <paramref name="due"/>.</summary>
    public void RequestTickLocked(long due)
    {
        if (due >= _nextDue) return;
        Volatile.Write(ref _nextDue, due);
        _ticker.Request(due);
    }

    /// <summary>
    /// Whether a call is open either way. A request is answered when its answer is in the outgoing queue: while a turn on another thread holds answers, or one that has
    /// returned and not ended its batch, calls are open, and the end of that batch looks again.
    /// </summary>
    private bool HasCallsLocked => Initiator.HasCallsLocked || Acceptor.OpenCount > 0 || !Outbound.BulkLocked.IsEmpty || (Acceptor.HasTurnOutput && !Turn.IsOwner(this));

    private void TickOpenLocked(long now, bool isReading, ref Aftermath aftermath)
    {
        Acceptor.ExpireLocked(now);
        Requests.ExpireLocked(now);
        TickIdentityLocked(now, ref aftermath);
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

        switch (Reassembly.Watch.DecideLocked(now, isReading || Outbound.IsBlockedLocked, Math.Min(Options.KeepAliveTimeout, Options.StallTimeout)))
        {
            case FragmentWatch.Decision.Ask:
                _control.AppendPing((ulong)now);
                break;
            case FragmentWatch.Decision.GiveUp:
                CloseLocked(ConnectionEnd.UnfinishedMessage(Options), new GoAwayFrame(ConnectionCode.SlowPeer, 0, "A message was not finished."), ref aftermath);
                return;
        }

        if (_timers.CheckIdle(now, callsOpen, _keepAlive.LastReceived))
            BeginDrainLocked(CloseReason.Idle, ConnectionCode.IdleTimeout, now, grace: Clock.Never, ref aftermath); // a call that crossed with it has its time
        _drain.OnTick(now, callsOpen);
        if (_drain.IsPeerOverdue) CloseLocked(new(CloseReason.PeerDrained, "The peer drained and left the connection open."), goAway: null, ref aftermath);
        else if (_drain.IsLocal && _drain.GraceDue <= now) EndGraceLocked(ref aftermath);
    }

    private void BeginDrainLocked(CloseReason reason, ConnectionCode code, long now, long grace, ref Aftermath aftermath)
    {
        long graceDue = Clock.After(now, grace);
        if (graceDue < _drain.GraceDue || !_drain.IsLocal) _drainReason = reason; // whoever leaves the least time ends it
        if (!_drain.BeginLocal(Clock.After(now, Options.DrainAcknowledgeTimeout), graceDue)) return;
        aftermath.BeginsDrain = true;
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
        else if (_accepting && _state == ConnectionState.Authenticating) CloseLocked(ConnectionEnd.NotAuthenticated(Options), new GoAwayFrame(ConnectionCode.AuthFailed, 0, PeerAdmission.Refusal), ref aftermath);
        else CloseLocked(ConnectionEnd.UnfinishedHandshake(Options), new GoAwayFrame(ConnectionCode.SlowPeer, 0, "Handshake timeout."), ref aftermath);
    }

    private void CloseLocked(ConnectionEnd end, GoAwayFrame? goAway, ref Aftermath aftermath)
    {
        if (_state >= ConnectionState.Closing) return;
        EndOwnTurnLocked(); // what was answered before goes out before
        if (goAway is { } frame) _control.AppendGoAway(frame);
        EndLocked(end, ConnectionState.Closing, ref aftermath);
        _timers.StartFlush(Clock.Now);
        UpdateNextDueLocked();
        FinishLocked(ref aftermath);
    }

    private void EndOwnTurnLocked()
    {
        using var turn = Turn.PinOf(this);
        if (turn.IsOwner) Acceptor.EndTurnLocked();
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
            Initiator.CloseLocked(sentUpTo, end, wasOpen, ref aftermath.Outcomes);
            Acceptor.CloseLocked();
            Outbound.BulkLocked.Close();
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
            if (_state == ConnectionState.Open) due = Math.Min(due, Math.Min(Math.Min(_unfinished.Due, Reassembly.Watch.TickDueLocked), IdentityDueLocked)); // before, the handshake's time limits it
            due = Math.Min(due, Math.Min(_keepAlive.Due, _drain.Due));
            due = Math.Min(due, Math.Min(Initiator.NextDueLocked, Math.Min(Acceptor.NextDueLocked, Requests.NextDueLocked)));
        }

        Volatile.Write(ref _nextDue, due);
        _ticker.Request(due);
    }
}
