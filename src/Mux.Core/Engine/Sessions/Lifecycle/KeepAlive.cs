using Mux.Protocol;
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

/// <summary>
/// Measures the round trip by PINGs that carry the time. They are sent now and then while credit is returned, so an idle connection sends none. Guarded by the
/// connection's lock.
/// </summary>
internal sealed class RoundTrip
{
    /// <summary>Time between two measurements, microseconds: a path changes more slowly.</summary>
    private const long Interval = 100_000;

    /// <summary>Time after which an answer is given up, microseconds: a peer that gets several PINGs at once answers only the last.</summary>
    private const long Patience = 10_000_000;

    private long _nextAt;
    private long _asked; // 0: no PING is out

    /// <summary>
    /// The shortest round trip seen, at least 1 microsecond; 0 if none was. The shortest, because the others waited in this side's own queues.
    /// </summary>
    public long Shortest { get; private set; }

    /// <summary>True if a PING that carries <paramref name="now"/> must be sent.</summary>
    public bool TryAsk(long now)
    {
        if (now < _nextAt || (_asked != 0 && now - _asked < Patience)) return false; // the next PING would make a long round trip's answer unknown
        _nextAt = now + Interval;
        _asked = now;
        return true;
    }

    /// <summary>Handles the answer to a PING.</summary>
    public void OnAnswer(ulong opaque, long now)
    {
        if (_asked == 0 || opaque != (ulong)_asked) return;
        long taken = Math.Max(1, now - _asked);
        _asked = 0;
        if (Shortest == 0 || taken < Shortest) Shortest = taken;
    }
}

/// <summary>
/// Counts PINGs that come too early with nothing between them. A peer that measures the round trip while messages flow is not counted. Turn only.
/// </summary>
internal sealed class PingWatch(BudgetLimits limits)
{
    /// <summary>Bytes this side sends between two PINGs although nothing happens: answers to them, of which two may be late, and a PING of its own.</summary>
    private const int Answers = 64;

    /// <summary>The interval that a peer announces counts divided by this.</summary>
    private const int AnnouncedPart = 10;

    /// <summary>This side may send a PING once in this many microseconds whatever the peer announces: otherwise it could not detect a dead peer.</summary>
    private const long MostInterval = 60_000_000;

    /// <summary>A side waits longer than <see cref="MostInterval"/> if its peer asks for that, but at most this many times its own keep-alive time.</summary>
    private const int MostRaise = 10;

    private long _last = long.MinValue;
    private long _frames;
    private long _sent;
    private long _strikes;

    /// <summary>
    /// Gets the least time between PINGs that are sent to a peer, in microseconds. The peer has announced an interval and knows the keep-alive time of this
    /// side.
    /// </summary>
    /// <param name="announced">The interval that the peer announced.</param>
    /// <param name="keepAliveTime">The keep-alive time of this side.</param>
    public static long LeastInterval(long announced, long keepAliveTime)
    {
        long most = keepAliveTime > Clock.Never / MostRaise ? Clock.Never : Math.Max(MostInterval, keepAliveTime * MostRaise);
        return Math.Min(announced / AnnouncedPart, most);
    }

    /// <summary>Handles a PING of the peer.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="announced">Microseconds of silence after which the peer said it sends a PING; 0 if it did not say.</param>
    /// <param name="frames">Frames of messages and credit received so far.</param>
    /// <param name="sent">Bytes sent so far.</param>
    public BudgetBreach? OnPing(long now, long announced, long frames, long sent)
    {
        long interval = announced > 0 ? Math.Clamp(announced, Math.Min(limits.PingInterval / AnnouncedPart, MostInterval), limits.PingInterval)
            : limits.PingInterval;
        bool isFirst = _last == long.MinValue;
        bool isAlone = !isFirst && frames == _frames && sent - _sent <= Answers;
        bool isEarly = isAlone && now - _last < interval;
        (_last, _frames, _sent) = (now, frames, sent);
        if (!isEarly) _strikes = 0; // also after one that was delayed and is followed too soon by the next
        if (!isEarly || ++_strikes <= limits.PingStrikes) return null;
        return new(ConnectionCode.TooManyPings,
            $"The peer sent {_strikes} PINGs less than {interval / 1_000_000.0:0.###} s after the previous one with nothing between them; " +
                $"{limits.PingStrikes} are allowed.",
            PeerLimit.Pings);
    }
}
