using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Sends a PING to a silent peer (PROTOCOL.md section 7.2). Any received byte is an answer. Pure: time and observations come in, decisions go out. Guarded by
/// the connection's lock, except <see cref="LastReceived"/>.
/// </summary>
/// <param name="time">Silence after which a PING is sent.</param>
/// <param name="timeout">Time within which the peer must answer.</param>
/// <param name="asksIdle">
/// True if PINGs are sent while no call is open. A server does this: for a client that was stopped or vanished, the system may report a live connection
/// forever, and the client keeps its place.
/// </param>
internal sealed class KeepAlive(long time, long timeout, bool asksIdle)
{
    /// <summary>
    /// Least interval between PINGs while no call is open. By default a peer counts two PINGs in a row within 1 s as abuse, whatever interval was announced. A
    /// quarter is added because packets catch up with each other.
    /// </summary>
    public const long LeastIdleTime = 1_250_000;

    private long _time = time;
    private long _askedAt = Clock.Never;
    private long _due = Clock.Never;
    private long _lastReceived;
    private long _receivedBefore; // of the turn, like the next two
    private long _pingReceived = Clock.Never; // when bytes with a PING last arrived
    private long _activeBeforePing;

    public enum Decision
    {
        None,
        Ask,
        Dead,
    }

    /// <summary>Time at which <see cref="Decide"/> must be called.</summary>
    public long Due => _due;

    /// <summary>Time at which bytes last arrived. Written by the turn, read by any thread.</summary>
    public long LastReceived
    {
        get => Volatile.Read(ref _lastReceived);
        set => Volatile.Write(ref _lastReceived, value);
    }

    /// <summary>
    /// Time at which bytes other than a PING or its answer last arrived: PINGs keep a connection alive, but do not keep it from being idle. A delivery that
    /// contains a PING does not count.
    /// </summary>
    public long LastActive => LastReceived == Volatile.Read(ref _pingReceived) ? Volatile.Read(ref _activeBeforePing) : LastReceived;

    /// <summary>Bytes arrived. In the turn.</summary>
    public void OnReceived(long now)
    {
        _receivedBefore = _lastReceived;
        LastReceived = now;
    }

    /// <summary>The bytes contain a PING, or the answer to one. In the turn.</summary>
    public void OnPing()
    {
        if (_pingReceived == _lastReceived) return;
        if (_pingReceived != _receivedBefore) Volatile.Write(ref _activeBeforePing, _receivedBefore);
        Volatile.Write(ref _pingReceived, _lastReceived);
    }

    private long IdleTime => asksIdle ? Math.Max(_time, LeastIdleTime) : Clock.Never;

    /// <summary>Starts the timer when the connection opens.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="least">Least interval between PINGs: the peer announced that it counts earlier ones as a flood.</param>
    public void Start(long now, long least = 0)
    {
        _time = Math.Max(_time, least);
        _due = Clock.After(now, _time);
    }

    /// <summary>Decides what to do at <see cref="Due"/> or later.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="callsOpen">True if calls are open in either direction.</param>
    /// <param name="isReading">
    /// True if silence means nothing: received bytes wait or are being handled, or this side's own bytes do not go out, which is checked elsewhere.
    /// </param>
    public Decision Decide(long now, bool callsOpen, bool isReading)
    {
        if (now < _due) return Decision.None;
        long silentSince = LastReceived;
        if (_askedAt != Clock.Never && silentSince < _askedAt)
        {
            long deadAt = Clock.After(_askedAt, timeout);
            if (now >= deadAt && !isReading) return Decision.Dead;
            // Checks again soon, so that a late answer is noticed.
            _due = now >= deadAt ? now + Ticker.Resolution : Math.Min(deadAt, Clock.After(now, _time));
            return Decision.None;
        }

        _askedAt = Clock.Never;
        long silentFor = Clock.After(silentSince, _time);
        long due = callsOpen ? silentFor : Clock.After(silentSince, IdleTime);
        if (due > now)
        {
            _due = Math.Min(due, silentFor > now ? silentFor : Clock.After(now, _time)); // a call may open before it is due
            return Decision.None;
        }

        _askedAt = now;
        // After an answer the next PING follows the keep-alive time, however long the peer may take to answer.
        _due = Clock.After(now, Math.Min(_time, timeout));
        return Decision.Ask;
    }
}
