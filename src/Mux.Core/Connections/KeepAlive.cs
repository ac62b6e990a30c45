namespace Mux.Connections;

/// <summary>
/// Asks a silent peer whether it lives (PROTOCOL.md section 7.2). Any byte received is an answer. Pure: time and observations come in, decisions go out.
/// Guarded by the connection's lock, but for <see cref="LastReceived"/>.
/// </summary>
internal sealed class KeepAlive(long time, long timeout)
{
    private long _askedAt = Clock.Never;
    private long _due = Clock.Never;
    private long _lastReceived;

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

    /// <summary>The connection is open.</summary>
    public void Start(long now) => _due = Clock.After(now, time);

    /// <summary>Decides at <see cref="Due"/> or later.</summary>
    /// <param name="now">The time.</param>
    /// <param name="callsOpen">Only a peer that owes something is asked.</param>
    /// <param name="isReading">Bytes wait to be read or are being worked on; or this side's own bytes do not go out, which is another matter. Then silence means nothing.</param>
    public Decision Decide(long now, bool callsOpen, bool isReading)
    {
        if (now < _due) return Decision.None;
        long silentSince = LastReceived;
        if (_askedAt != Clock.Never && silentSince < _askedAt)
        {
            long deadAt = Clock.After(_askedAt, timeout);
            if (now >= deadAt && !isReading) return Decision.Dead;
            _due = now >= deadAt ? now + Ticker.Resolution : Math.Min(deadAt, Clock.After(now, time)); // an answer that comes late is noticed as soon
            return Decision.None;
        }

        _askedAt = Clock.Never;
        long due = Clock.After(silentSince, time);
        if (due > now || !callsOpen)
        {
            _due = due > now ? due : Clock.After(now, time);
            return Decision.None;
        }

        _askedAt = now;
        _due = Clock.After(now, Math.Min(time, timeout)); // answered, the peer is asked again after the time, however long it had to answer
        return Decision.Ask;
    }
}
