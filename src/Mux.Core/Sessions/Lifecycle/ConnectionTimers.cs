using Mux.Sessions.Budgets;
using Mux.Sessions.Setup;
using Mux.Timing;

namespace Mux.Sessions.Lifecycle;

/// <summary>When a connection that is not in order ends: handshake, stalled sending, idling, lingering. Pure; guarded by the connection's lock.</summary>
internal sealed class ConnectionTimers(ConnectionOptions options)
{
    /// <summary>
    /// Microseconds between looks for memory that others held: a tenth of a second is not late for a connection that waited for the whole server.
    /// </summary>
    private const long MemoryLook = 100_000;

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

    /// <summary>Calls that wait for the connection to open are withdrawn.</summary>
    public long WithdrawalDue { get; private set; } = Clock.Never;

    /// <summary>Calls that wait for memory look whether there is some.</summary>
    public long MemoryDue { get; private set; } = Clock.Never;

    /// <summary>Whether they are also when it fails before.</summary>
    public bool IsWithdrawing { get; private set; }

    /// <summary>The link must have taken enough bytes.</summary>
    public long ReadingDue => _reading.Due;

    /// <summary>Since when the link takes no bytes, or the peer none of what is large; <see cref="Clock.Never"/> if they do. Any thread.</summary>
    public long StalledSince => Math.Min(StallDue, BulkCreditDue) is var due && due == Clock.Never ? due : due - options.StallTimeout;

    public long NextDue => Math
        .Min(Math.Min(Math.Min(HandshakeDue, StallDue), Math.Min(BulkCreditDue, ReadingDue)),
        Math.Min(Math.Min(IdleDue, EndDue), Math.Min(WithdrawalDue, MemoryDue)));

    public void StartHandshake(long now) => HandshakeDue = Clock.After(now, options.HandshakeTimeout);

    /// <summary>Calls need not wait here longer than until <paramref name="due"/>.</summary>
    public void StartWithdrawal(long due) => (WithdrawalDue, IsWithdrawing) = (Math.Min(WithdrawalDue, due), true);

    /// <summary>Whether it is time, once.</summary>
    public bool TryWithdraw(long now)
    {
        if (WithdrawalDue > now) return false;
        WithdrawalDue = Clock.Never;
        return true;
    }

    public void Open(long now)
    {
        HandshakeDue = WithdrawalDue = Clock.Never;
        IdleDue = Clock.After(now, options.IdleTimeout);
    }

    /// <summary>Every call is decided; what is queued is being sent.</summary>
    public void StartFlush(long now)
    {
        HandshakeDue = IdleDue = WithdrawalDue = Clock.Never;
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

    /// <summary>Something waits for memory that others hold, or nothing does.</summary>
    public void OnAwaitsMemory(bool awaits, long now)
    {
        if (!awaits) MemoryDue = Clock.Never;
        else if (MemoryDue <= now || MemoryDue == Clock.Never) MemoryDue = Clock.After(now, MemoryLook);
    }

    public void OnBulkCredit() => BulkCreditDue = Clock.Never;

    /// <summary>
    /// Whether an open connection has been without calls, and bytes other than PINGs, for the idle time; looked at when <see cref="IdleDue"/> is reached.
    /// </summary>
    public bool CheckIdle(long now, bool callsOpen, long lastActive)
    {
        if (IdleDue > now) return false;
        long idleAt = callsOpen ? Clock.After(now, options.IdleTimeout) : Clock.After(lastActive, options.IdleTimeout);
        IdleDue = idleAt <= now ? Clock.Never : idleAt;
        return idleAt <= now;
    }
}
