using Mux.Connections.Budgets;

namespace Mux.Connections;

/// <summary>When a connection that is not in order ends: handshake, stalled sending, idling, lingering. Pure; guarded by the connection's lock.</summary>
internal sealed class ConnectionTimers(ConnectionOptions options)
{
    private readonly ByteRate _reading = new(options.Budgets.MinByteRate, options.StallTimeout);

    /// <summary>The peer's HELLO must be there.</summary>
    public long HandshakeDue { get; private set; } = Clock.Never;

    /// <summary>The link must have taken a byte.</summary>
    public long StallDue { get; private set; } = Clock.Never;

    /// <summary>The peer must have granted credit for the large replies that wait.</summary>
    public long BulkCreditDue { get; private set; } = Clock.Never;

    /// <summary>The connection may have been idle for long enough.</summary>
    public long IdleDue { get; private set; } = Clock.Never;

    /// <summary>The ordered end must have come about: first what is queued must be sent, then the peer must have ended its stream too.</summary>
    public long EndDue { get; private set; } = Clock.Never;

    /// <summary>The link must have taken enough bytes.</summary>
    public long ReadingDue => _reading.Due;

    /// <summary>Since when the link takes no bytes, or the peer none of what is large; <see cref="Clock.Never"/> if they do. Any thread.</summary>
    public long StalledSince => Math.Min(StallDue, BulkCreditDue) is var due && due == Clock.Never ? due : due - options.StallTimeout;

    public long NextDue => Math.Min(Math.Min(Math.Min(HandshakeDue, StallDue), Math.Min(BulkCreditDue, ReadingDue)), Math.Min(IdleDue, EndDue));

    public void StartHandshake(long now) => HandshakeDue = Clock.After(now, options.HandshakeTimeout);

    public void Open(long now)
    {
        HandshakeDue = Clock.Never;
        IdleDue = Clock.After(now, options.IdleTimeout);
    }

    /// <summary>Every call is decided; what is queued is being sent.</summary>
    public void StartFlush(long now)
    {
        HandshakeDue = IdleDue = Clock.Never;
        EndDue = Clock.After(now, options.FlushTimeout);
    }

    /// <summary>All is sent, and the sending direction ended.</summary>
    public void StartLinger(long now) => EndDue = Clock.After(now, options.LingerTimeout);

    /// <summary>The link refused bytes.</summary>
    /// <param name="now">The time.</param>
    /// <param name="progress">It took some before.</param>
    public void OnBlocked(long now, bool progress)
    {
        if (progress || StallDue == Clock.Never) StallDue = Clock.After(now, options.StallTimeout);
    }

    /// <summary>The link took so many bytes, and refused others.</summary>
    public void OnTaken(long now, long bytes) => _reading.OnOwed(now, bytes);

    public void OnUnblocked()
    {
        StallDue = Clock.Never;
        _reading.Clear();
    }

    /// <summary>Whether the link took less than it has to; looked at when <see cref="ReadingDue"/> is reached.</summary>
    public bool IsReadTooSlowly(long now) => _reading.IsTooSlow(now);

    /// <summary>Large replies wait for credit.</summary>
    public void OnAwaitsBulkCredit(long now)
    {
        if (BulkCreditDue == Clock.Never) BulkCreditDue = Clock.After(now, options.StallTimeout);
    }

    public void OnBulkCredit() => BulkCreditDue = Clock.Never;

    /// <summary>Whether an open connection has been without calls and bytes for the idle time; looked at when <see cref="IdleDue"/> is reached.</summary>
    public bool CheckIdle(long now, bool callsOpen, long lastReceived)
    {
        if (IdleDue > now) return false;
        long idleAt = callsOpen ? Clock.After(now, options.IdleTimeout) : Clock.After(lastReceived, options.IdleTimeout);
        IdleDue = idleAt <= now ? Clock.Never : idleAt;
        return idleAt <= now;
    }
}
