using Mux.Timing;

namespace Mux.Sessions.Lifecycle;

/// <summary>
/// Asks a silent peer whether it lives (PROTOCOL.md section 7.2). Any byte received is an answer. Pure: time and observations come in, decisions go out.
/// Guarded by the connection's lock, but for <see cref="LastReceived"/>.
/// </summary>
/// <param name="time">Silence after which the peer is asked.</param>
/// <param name="timeout">How long it may take to answer.</param>
/// <param name="asksIdle">Whether a peer is asked while no call is open. A server does: of a client that was stopped, or vanished, the system may say for ever
/// that it is there, and it keeps its place.</param>
internal sealed class KeepAlive(long time, long timeout, bool asksIdle)
{
    /// <summary>
    /// Without calls a peer is not asked more often: by default it counts two PINGs in a row that come within 1 s as abuse, whatever time was announced. A
    /// quarter more, as packets catch up with each other.
    /// </summary>
    public const long LeastIdleTime = 1_250_000;

    private long _time = time;
    private long _askedAt = Clock.Never;
    private long _due = Clock.Never;
    private long _lastReceived;
    private long _receivedBefore; // the turn's, as is the next
    private long _pingReceived = Clock.Never; // when bytes with a PING arrived last
    private long _activeBeforePing;

    public enum Decision
    {
        None,
        Ask,
        Dead,
    }

    /// <summary>When <see cref="Decide"/> wants to be called.</summary>
    public long Due => _due;

    /// <summary>When bytes last arrived. Written by the turn, read by anybody.</summary>
    public long LastReceived
    {
        get => Volatile.Read(ref _lastReceived);
        set => Volatile.Write(ref _lastReceived, value);
    }

    /// <summary>
    /// When bytes last arrived that were not a PING or its answer: these keep a connection alive, and not from being idle. Of bytes with a PING among others
    /// nothing counts.
    /// </summary>
    public long LastActive => LastReceived == Volatile.Read(ref _pingReceived) ? Volatile.Read(ref _activeBeforePing) : LastReceived;

    /// <summary>Bytes arrived. In the turn.</summary>
    public void OnReceived(long now)
    {
        _receivedBefore = _lastReceived;
        LastReceived = now;
    }

    /// <summary>Among them is a PING, or the answer to one. In the turn.</summary>
    public void OnPing()
    {
        if (_pingReceived == _lastReceived) return;
        if (_pingReceived != _receivedBefore) Volatile.Write(ref _activeBeforePing, _receivedBefore);
        Volatile.Write(ref _pingReceived, _lastReceived);
    }

    private long IdleTime => asksIdle ? Math.Max(_time, LeastIdleTime) : Clock.Never;

    /// <summary>The connection is open.</summary>
    /// <param name="now">The time.</param>
    /// <param name="least">The peer is not asked sooner: it has announced that it would take that for a flood.</param>
    public void Start(long now, long least = 0)
    {
        _time = Math.Max(_time, least);
        _due = Clock.After(now, _time);
    }

    /// <summary>Decides at <see cref="Due"/> or later.</summary>
    /// <param name="now">The time.</param>
    /// <param name="callsOpen">Whether the peer owes something, or is owed.</param>
    /// <param name="isReading">Bytes wait to be read or are being worked on; or this side's own bytes do not go out, which is another matter. Then silence
    /// means nothing.</param>
    public Decision Decide(long now, bool callsOpen, bool isReading)
    {
        if (now < _due) return Decision.None;
        long silentSince = LastReceived;
        if (_askedAt != Clock.Never && silentSince < _askedAt)
        {
            long deadAt = Clock.After(_askedAt, timeout);
            if (now >= deadAt && !isReading) return Decision.Dead;
            _due = now >= deadAt ? now + Ticker.Resolution : Math.Min(deadAt, Clock.After(now, _time)); // an answer that comes late is noticed as soon
            return Decision.None;
        }

        _askedAt = Clock.Never;
        long silentFor = Clock.After(silentSince, _time);
        long due = callsOpen ? silentFor : Clock.After(silentSince, IdleTime);
        if (due > now)
        {
            _due = Math.Min(due, silentFor > now ? silentFor : Clock.After(now, _time)); // a call may be opened before it is due
            return Decision.None;
        }

        _askedAt = now;
        _due = Clock.After(now, Math.Min(_time, timeout)); // answered, the peer is asked again after the time, however long it had to answer
        return Decision.Ask;
    }
}
