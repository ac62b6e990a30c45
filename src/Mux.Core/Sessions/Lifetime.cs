using Mux.Sessions.Lifecycle;
using Mux.Sessions.Messages;
using Mux.Sessions.Setup;
using Mux.Timing;
using Mux.Wire;

namespace Mux.Sessions;

/// <summary>
/// When and why a connection ends: its part that looks at time, at what the peer owes, and at what keeps a drain from being done. Decides; the connection
/// carries out. Members ending in Locked need the connection's lock, the others belong to the turn.
/// </summary>
internal sealed class Lifetime(Session session)
{
    /// <summary>
    /// What a connection that was cut off reads and drops before it is closed, whatever its lingering would allow: what the system keeps for a slow receiver,
    /// near enough.
    /// </summary>
    private const long MaxDiscardedOfFlood = 256 * 1024;

    /// <summary>
    /// The same for other ends: more than systems keep for a sender and a receiver by default, 4 and 6 MiB, with the 4 MiB of large messages that may be on
    /// their way. Who sends more floods.
    /// </summary>
    private const long MaxDiscarded = 16 * 1024 * 1024;

    private readonly ConnectionOptions _options = session.Options;
    private readonly ConnectionTimers _timers = session.Timers;
    private readonly Drain _drain = session.Drain;
    private CloseReason _drainReason;
    private long _discarded; // behind the end; of whoever delivers

    /// <summary>How the connection ended; null while it has not. Written under the lock.</summary>
    public ConnectionEnd? End { get; private set; }

    /// <summary>The turn's: what it has begun to receive.</summary>
    public UnfinishedFrame Unfinished { get; } = new(session.Options.StallTimeout, session.Options.Budgets.MinByteRate);

    /// <summary>When this has something to decide. Not asked once the connection ends: then only its timers count.</summary>
    public long NextDueLocked
    {
        get
        {
            long due = Math.Min(session.KeepAlive.Due, _drain.Due);
            // before, the handshake's time limits it
            return session.State == ConnectionState.Open ? Math.Min(due, Math.Min(Unfinished.Due, session.Reassembly.Watch.TickDueLocked)) : due;
        }
    }

    /// <summary>The peer asked whether this side lives.</summary>
    public void OnPing(ulong opaque)
    {
        session.KeepAlive.OnPing();
        lock (session.Gate) session.Control.OweAnswer(opaque);
    }

    /// <summary>The peer answered a PING.</summary>
    public void OnPingAnswer(ulong opaque)
    {
        session.KeepAlive.OnPing();
        lock (session.Gate) session.RoundTrip.OnAnswer(opaque, session.Clock.Now);
    }

    /// <summary>The peer takes more of large messages, which the turn sends.</summary>
    /// <returns>The rule that it breaks by it, or null.</returns>
    public ProtocolViolation? OnBulkCredit(int bytes)
    {
        lock (session.Gate)
        {
            session.Outbound.BulkLocked.AddCredit(bytes);
            long credit = session.Outbound.BulkLocked.Credit;
            if (credit > 0) _timers.OnBulkCredit(); // less is no progress: nothing can be sent by it
            return credit <= int.MaxValue ? null : new(ConnectionCode.FlowControlError, $"The bulk credit is {credit} bytes; it may be {int.MaxValue}.");
        }
    }

    /// <summary>The peer will send no further requests.</summary>
    /// <returns>Whether it was asked to.</returns>
    public bool OnDrainAcknowledged()
    {
        lock (session.Gate)
        {
            session.News.SetLocked();
            return _drain.Acknowledge();
        }
    }

    /// <summary>
    /// Bytes came behind the end. A peer may have sent them before it knew; one that was cut off for a flood and goes on with it does not read why, either.
    /// </summary>
    /// <returns>Whether they are too many.</returns>
    public bool IsFloodedBehindEnd(int bytes)
    {
        _discarded += bytes;
        return End is { } end && _discarded > (end.IsOfFlood ? MaxDiscardedOfFlood : MaxDiscarded);
    }

    /// <summary>The connection ends.</summary>
    /// <param name="end">Why, unless a peer that drained ends its stream: then that is the reason.</param>
    /// <param name="hasOwnCalls">Whether calls of this side are open or wait.</param>
    /// <returns>The reason that is told.</returns>
    public ConnectionEnd NoteEndLocked(ConnectionEnd end, bool hasOwnCalls) =>
        End = end.Reason == CloseReason.ConnectionLost && _drain.IsPeer && !hasOwnCalls ? new(CloseReason.PeerDrained, "The peer drained.") : end;

    /// <summary>This side drains: the peer is told, and the open calls have until the end of the grace.</summary>
    /// <param name="reason">Why it ends then.</param>
    /// <param name="code">What the peer is told.</param>
    /// <param name="now">The time.</param>
    /// <param name="grace">Microseconds.</param>
    /// <param name="aftermath">Tells the owner.</param>
    public void BeginDrainLocked(CloseReason reason, ConnectionCode code, long now, long grace, ref Aftermath aftermath)
    {
        long graceDue = Clock.After(now, grace);
        if (graceDue < _drain.GraceDue || !_drain.IsLocal) _drainReason = reason; // whoever leaves the least time ends it
        if (!_drain.BeginLocal(Clock.After(now, _options.DrainAcknowledgeTimeout), graceDue)) return;
        aftermath.BeginsDrain = true;
        session.Control.AppendGoAway(new GoAwayFrame(code, 0, string.Empty));
    }

    /// <summary>A side drains, and no call is open.</summary>
    public Ending? EndOfDrainLocked()
    {
        if (_drain.IsSettled) return new(new(_drainReason, "Drained."));
        if (_drain.IsPeer && !_drain.IsLocal) session.RequestTickLocked(_drain.AwaitPeer(session.Clock.Now, _options.DrainAcknowledgeTimeout));
        return null;
    }

    /// <summary>The handshake takes too long.</summary>
    /// <param name="prefaceSeen">Whether what connected speaks this protocol.</param>
    public Ending EndOfHandshakeLocked(bool prefaceSeen)
    {
        if (session.State == ConnectionState.Connecting) return Ending.AtOnce(ConnectionEnd.NotConnected(_options));
        if (session.IsAccepting && !prefaceSeen) return Ending.AtOnce(ConnectionEnd.SilentHandshake(_options));
        return session.IsAccepting && session.State == ConnectionState.Authenticating
            ? new(ConnectionEnd.NotAuthenticated(_options), new GoAwayFrame(ConnectionCode.AuthFailed, 0, ConnectionEnd.AuthRefusal))
            : new(ConnectionEnd.UnfinishedHandshake(_options), new GoAwayFrame(ConnectionCode.SlowPeer, 0, "Handshake timeout."));
    }

    /// <summary>Time has passed on an open connection: looks at what the peer owes, and at drains.</summary>
    /// <param name="now">The time.</param>
    /// <param name="callsOpen">Whether a call is open either way.</param>
    /// <param name="isReading">Bytes wait to be read or are being worked on.</param>
    /// <param name="aftermath">Tells the owner of a drain.</param>
    public Ending? DecideLocked(long now, bool callsOpen, bool isReading, ref Aftermath aftermath)
    {
        if (DecideSilenceLocked(now, callsOpen, isReading) is { } ending) return ending;
        if (_timers.CheckIdle(now, callsOpen, session.KeepAlive.LastActive))
            BeginDrainLocked(CloseReason.Idle, ConnectionCode.IdleTimeout, now, grace: Clock.Never, ref aftermath); // a call that crossed with it has its time
        _drain.OnTick(now, callsOpen);
        if (_drain.IsPeerOverdue) return new(new(CloseReason.PeerDrained, "The peer drained and left the connection open."));
        if (!_drain.IsLocal || _drain.GraceDue > now) return null;
        return new(new(_drainReason, "Drained; some calls were given up."), RequestText: "The server stopped before the handler had finished.");
    }

    /// <summary>Time has passed: looks whether the peer takes what is sent.</summary>
    public Ending? DecideSendingLocked(long now)
    {
        if (session.State == ConnectionState.Closing && _timers.EndDue <= now) return Ending.AtOnce(End!);
        if (_timers.BulkCreditDue <= now)
        {
            _timers.OnBulkCredit();
            if (session.Outbound.BulkLocked.AwaitsCredit) return Ending.AtOnce(ConnectionEnd.NoBulkCredit(_options, session.Outbound.UnsentLocked));
        }

        if (_timers.StallDue <= now) return Ending.AtOnce(ConnectionEnd.Stalled(_options, session.Outbound.UnsentLocked));
        return _timers.IsReadTooSlowly(now) ? Ending.AtOnce(ConnectionEnd.ReadsTooSlowly(_options, session.Outbound.UnsentLocked)) : null;
    }

    private Ending? DecideSilenceLocked(long now, bool callsOpen, bool isReading)
    {
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

        switch (session.Reassembly.Watch.DecideLocked(now, isBusy, Math.Min(_options.KeepAliveTimeout, _options.StallTimeout)))
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
