using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Decides when and why a connection ends: it checks time, what the peer owes, and what delays a drain. The connection carries out the decision. Members ending
/// in Locked need the connection's lock; the others belong to the turn.
/// </summary>
internal sealed class Lifetime(Session session)
{
    /// <summary>
    /// Bytes that are read and dropped from a peer that was cut off for a flood, before its connection is closed, whatever time lingering would allow: about
    /// what the system buffers for a slow receiver.
    /// </summary>
    private const long MaxDiscardedOfFlood = 256 * 1024;

    /// <summary>
    /// Bytes that are read and dropped after other ends: more than systems buffer by default for a sender and a receiver (4 and 6 MiB) together with 4 MiB of
    /// large messages in transit. A peer that sends more floods.
    /// </summary>
    private const long MaxDiscarded = 16 * 1024 * 1024;

    private readonly ConnectionOptions _options = session.Options;
    private readonly ConnectionTimers _timers = session.Timers;
    private readonly Drain _drain = session.Drain;
    private CloseReason _drainReason;
    private long _discarded; // bytes after the end; of the delivering thread

    /// <summary>The end of the connection; null while it has not ended. Written under the lock.</summary>
    public ConnectionEnd? End { get; private set; }

    /// <summary>Frame that the peer has begun. Owned by the turn.</summary>
    public UnfinishedFrame Unfinished { get; } = new(session.Options.StallTimeout, session.Options.Budgets.MinByteRate);

    /// <summary>Time of the next decision. Not used once the connection ends: then only its timers count.</summary>
    public long NextDueLocked
    {
        get
        {
            long due = Math.Min(session.KeepAlive.Due, _drain.Due);
            // Before it is open, the time of the handshake limits these.
            return session.State == ConnectionState.Open ? Math.Min(due, Math.Min(Unfinished.Due, session.Reassembly.Watch.TickDue)) : due;
        }
    }

    /// <summary>Handles a PING of the peer.</summary>
    public void OnPing(ulong opaque)
    {
        session.KeepAlive.OnPing();
        lock (session.Gate) session.Control.OweAnswer(opaque);
    }

    /// <summary>Handles the answer to a PING.</summary>
    public void OnPingAnswer(ulong opaque)
    {
        session.KeepAlive.OnPing();
        lock (session.Gate) session.RoundTrip.OnAnswer(opaque, session.Clock.Now);
    }

    /// <summary>Handles bulk credit: the turn sends more of large messages.</summary>
    /// <returns>The rule that the credit breaks, or null.</returns>
    public ProtocolViolation? OnBulkCredit(int bytes)
    {
        lock (session.Gate)
        {
            session.Outbound.BulkLocked.AddCredit(bytes);
            long credit = session.Outbound.BulkLocked.Credit;
            if (credit > 0) _timers.OnBulkCredit(); // without positive credit nothing can be sent: no progress
            return credit <= int.MaxValue ? null : new(ConnectionCode.FlowControlError, $"The bulk credit is {credit} bytes; the limit is {int.MaxValue}.");
        }
    }

    /// <summary>Handles the acknowledgement of a drain: the peer sends no further requests.</summary>
    /// <returns>False if there was nothing to acknowledge.</returns>
    public bool OnDrainAcknowledged()
    {
        lock (session.Gate)
        {
            session.News.Set();
            return _drain.Acknowledge();
        }
    }

    /// <summary>
    /// Counts bytes that came after the end. A peer may have sent them before it knew. A peer that was cut off for a flood and continues it does not read the
    /// reason either.
    /// </summary>
    /// <returns>True if they are too many.</returns>
    public bool IsFloodedBehindEnd(int bytes)
    {
        _discarded += bytes;
        return End is { } end && _discarded > (end.IsOfFlood ? MaxDiscardedOfFlood : MaxDiscarded);
    }

    /// <summary>Notes the end of the connection.</summary>
    /// <param name="end">The end. An orderly one replaces it if the peer closes its stream in a drain and this side has no calls.</param>
    /// <param name="hasOwnCalls">True if calls of this side are open or wait.</param>
    /// <returns>The end that is reported.</returns>
    public ConnectionEnd NoteEndLocked(ConnectionEnd end, bool hasOwnCalls)
    {
        session.AssertLocked();
        bool isExpected = end.Reason == CloseReason.ConnectionLost && !hasOwnCalls;
        if (isExpected && _drain.IsLeftToPeer) return End = new(_drainReason, "The peer has ended the connection, as it was asked to.");
        return End = isExpected && _drain.IsPeer ? new(CloseReason.PeerDrained, "The peer drained.") : end;
    }

    /// <summary>Starts a drain of this side: it tells the peer, and open calls have time until the end of the grace.</summary>
    /// <param name="reason">The reason that the connection then ends with.</param>
    /// <param name="code">The code sent to the peer.</param>
    /// <param name="now">The current time.</param>
    /// <param name="grace">Time for open calls, microseconds.</param>
    /// <param name="aftermath">Notifies the owner.</param>
    /// <remarks>With <see cref="ConnectionCode.Ok"/> the peer is asked to end the connection: this side makes no more calls.</remarks>
    public void BeginDrainLocked(CloseReason reason, ConnectionCode code, long now, long grace, ref Aftermath aftermath)
    {
        session.AssertLocked();
        long graceDue = Clock.After(now, grace);
        if (graceDue < _drain.GraceDue || !_drain.IsLocal) _drainReason = reason; // the shortest grace decides the reason
        if (!_drain.BeginLocal(Clock.After(now, _options.DrainAcknowledgeTimeout), graceDue, leavesEnd: code == ConnectionCode.Ok)) return;
        aftermath.BeginsDrain = true;
        session.Control.AppendGoAway(new GoAwayFrame(code, 0, string.Empty));
    }

    /// <summary>Ends a drain when no call is open.</summary>
    public Ending? EndOfDrainLocked()
    {
        session.AssertLocked();
        if (_drain.IsSettled) return new(new(_drainReason, "Drained."));
        if (_drain.IsLeftByPeer) return new(new(CloseReason.PeerDrained, "The peer is done with the connection."));
        if (_drain.IsLeftToPeer) session.RequestTickLocked(_drain.AwaitPeer(session.Clock.Now, _options.LingerTimeout));
        else if (!_drain.IsLocal) session.RequestTickLocked(_drain.AwaitPeer(session.Clock.Now, _options.DrainAcknowledgeTimeout));
        return null;
    }

    /// <summary>Gets the end of a handshake that takes too long.</summary>
    /// <param name="prefaceSeen">True if the peer speaks this protocol.</param>
    public Ending EndOfHandshakeLocked(bool prefaceSeen)
    {
        session.AssertLocked();
        if (session.State == ConnectionState.Connecting) return Ending.AtOnce(ConnectionEnd.NotConnected(_options));
        if (session.IsAccepting && !prefaceSeen) return Ending.AtOnce(ConnectionEnd.SilentHandshake(_options));
        return session.IsAccepting && session.State == ConnectionState.Authenticating
            ? new(ConnectionEnd.NotAuthenticated(_options), new GoAwayFrame(ConnectionCode.AuthFailed, 0, ConnectionEnd.AuthRefusal))
            : new(ConnectionEnd.UnfinishedHandshake(_options), new GoAwayFrame(ConnectionCode.SlowPeer, 0, "Handshake timeout."));
    }

    /// <summary>Checks what the peer owes, and drains, on an open connection.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="callsOpen">True if a call is open in either direction.</param>
    /// <param name="isReading">True if received bytes wait or are being handled.</param>
    /// <param name="aftermath">Notifies the owner of a drain.</param>
    public Ending? DecideLocked(long now, bool callsOpen, bool isReading, ref Aftermath aftermath)
    {
        session.AssertLocked();
        bool isUsed = callsOpen || session.IsKept;
        if (DecideSilenceLocked(now, isUsed, isReading) is { } ending) return ending;
        if (_timers.CheckIdle(now, isUsed, session.KeepAlive.LastActive))
        {
            // No end of the grace: a call that crossed with GOAWAY has its time.
            BeginDrainLocked(CloseReason.Idle, ConnectionCode.IdleTimeout, now, grace: Clock.Never, ref aftermath);
        }

        if (_timers.CheckAge(now)) BeginDrainLocked(CloseReason.MaxAge, ConnectionCode.MaxAge, now, grace: Clock.Never, ref aftermath);
        _drain.OnTick(now, callsOpen);
        if (_drain.IsPeerOverdue) return new(EndOfOverdue());
        if (!_drain.IsLocal || _drain.GraceDue > now) return null;
        return new(new(_drainReason, "Drained; some calls were abandoned."), RequestText: session.IsAccepting
            ? "The server stopped before the handler had finished." : "The client stopped before the handler had finished.");
    }

    /// <summary>Checks that the peer reads what is sent.</summary>
    public Ending? DecideSendingLocked(long now)
    {
        session.AssertLocked();
        if (session.State == ConnectionState.Closing && _timers.EndDue <= now) return Ending.AtOnce(End!);
        if (_timers.BulkCreditDue <= now)
        {
            _timers.OnBulkCredit();
            if (session.Outbound.BulkLocked.AwaitsCredit) return Ending.AtOnce(ConnectionEnd.NoBulkCredit(_options, session.Outbound.UnsentLocked));
        }

        if (_timers.StallDue <= now) return Ending.AtOnce(ConnectionEnd.Stalled(_options, session.Outbound.UnsentLocked));
        return _timers.IsReadTooSlowly(now) ? Ending.AtOnce(ConnectionEnd.ReadsTooSlowly(_options, session.Outbound.UnsentLocked)) : null;
    }

    private ConnectionEnd EndOfOverdue() => _drain.IsLeftToPeer
        ? new(_drainReason, "The peer was asked to end the connection, and left it open.")
        : new(CloseReason.PeerDrained, "The peer drained and left the connection open.");

    private Ending? DecideSilenceLocked(long now, bool callsOpen, bool isReading)
    {
        session.AssertLocked();
        bool isBusy = isReading || session.Outbound.IsBlockedLocked;
        switch (session.KeepAlive.Decide(now, callsOpen, isBusy))
        {
            case KeepAlive.Decision.Ask:
                session.Control.AppendPing((ulong)now);
                break;
            case KeepAlive.Decision.Dead:
                return Ending.AtOnce(ConnectionEnd.KeepAliveTimeout(_options));
        }

        if (Unfinished.Due <= now && !isReading)
        {
            return new(ConnectionEnd.UnfinishedFrame(_options), new GoAwayFrame(ConnectionCode.SlowPeer, 0, "A frame was not finished."));
        }

        switch (session.Reassembly.Watch.Decide(now, isBusy, Math.Min(_options.KeepAliveTimeout, _options.StallTimeout)))
        {
            case FragmentWatch.Decision.Ask:
                session.Control.AppendPing((ulong)now);
                break;
            case FragmentWatch.Decision.GiveUp:
                return new(ConnectionEnd.UnfinishedMessage(_options), new GoAwayFrame(ConnectionCode.SlowPeer, 0, "A message was not finished."));
        }

        return null;
    }
}

/// <summary>A decision to end a connection: made by one part, carried out by the connection.</summary>
/// <param name="End">The reason.</param>
/// <param name="GoAway">The GOAWAY sent after the queued frames; null for none.</param>
/// <param name="IsAtOnce">True if queued frames are not sent.</param>
/// <param name="RequestText">The message for callers whose requests are failed before the end; null if no requests are failed.</param>
internal readonly record struct Ending(ConnectionEnd End, GoAwayFrame? GoAway = null, bool IsAtOnce = false, string? RequestText = null)
{
    public static Ending AtOnce(ConnectionEnd end) => new(end, IsAtOnce: true);
}
