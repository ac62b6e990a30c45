using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Times at which a misbehaving or idle connection ends: handshake, stalled sending, idling, lingering. Pure; guarded by the connection's lock.
/// </summary>
internal sealed class ConnectionTimers(ConnectionOptions options)
{
    /// <summary>
    /// Microseconds between two checks for memory that other connections held: 0.1 s is not late for a connection that waits for the whole server.
    /// </summary>
    private const long MemoryLook = 100_000;

    /// <summary>Microseconds after which calls that came late are withdrawn as well: 50 ms at first.</summary>
    private const long ShortestPause = 50_000;

    private readonly ByteRate _reading = new(options.Budgets.MinByteRate, options.StallTimeout);
    private readonly BacklogAge _backlog = new();
    private long _withdrawalPause = ShortestPause;
    private long _blockedSince; // meaningful while blocked
    private long _blockedBefore; // microseconds of earlier times, not taken yet

    /// <summary>Time by which the peer's HELLO must have arrived.</summary>
    public long HandshakeDue { get; private set; } = Clock.Never;

    /// <summary>Time by which the link must have accepted a byte.</summary>
    public long StallDue { get; private set; } = Clock.Never;

    /// <summary>Time by which the peer must have granted credit for the large replies that wait.</summary>
    public long BulkCreditDue { get; private set; } = Clock.Never;

    /// <summary>Time at which the connection may have been idle for long enough.</summary>
    public long IdleDue { get; private set; } = Clock.Never;

    /// <summary>Time at which the connection is too old.</summary>
    public long AgeDue { get; private set; } = Clock.Never;

    /// <summary>
    /// Time by which the current step of the ordered end must be done: first queued bytes must be sent, then the peer must have ended its stream.
    /// </summary>
    public long EndDue { get; private set; } = Clock.Never;

    /// <summary>Time at which calls that wait for the connection to open are withdrawn.</summary>
    public long WithdrawalDue { get; private set; } = Clock.Never;

    /// <summary>Time of the next check for memory and places, and for requests that need to wait no longer.</summary>
    public long MemoryDue { get; private set; } = Clock.Never;

    /// <summary>True if waiting calls are also withdrawn when the connection fails before <see cref="WithdrawalDue"/>.</summary>
    public bool IsWithdrawing { get; private set; }

    /// <summary>True if the link has refused bytes, and has not taken all since.</summary>
    public bool IsBlocked => StallDue != Clock.Never;

    /// <summary>Time by which the link must have accepted enough bytes.</summary>
    public long ReadingDue => _reading.Due;

    /// <summary>Time since which the peer has not taken what waited then; <see cref="Clock.Never"/> if nothing waits for it. Any thread.</summary>
    public long BehindSince => _backlog.Since;

    public long NextDue => Math.Min(
        Math.Min(Math.Min(HandshakeDue, StallDue), Math.Min(BulkCreditDue, ReadingDue)),
        Math.Min(Math.Min(Math.Min(IdleDue, AgeDue), EndDue), Math.Min(WithdrawalDue, MemoryDue)));

    public void StartHandshake(long now) => HandshakeDue = Clock.After(now, options.HandshakeTimeout);

    /// <summary>Lets calls wait for this connection no longer than until <paramref name="due"/>.</summary>
    public void StartWithdrawal(long due) => (WithdrawalDue, IsWithdrawing) = (Math.Min(WithdrawalDue, due), true);

    /// <summary>
    /// Withdraws again what has come to wait since the calls were withdrawn. The pause doubles each time: all other connections may be lost again by now, and
    /// calls that find none would circle.
    /// </summary>
    /// <param name="now">The current time.</param>
    /// <param name="isFirst">True if no other call waits: there was nothing to withdraw, and nothing to tick for.</param>
    /// <returns>True if calls that wait are withdrawn, at <see cref="WithdrawalDue"/>.</returns>
    public bool TryRepeatWithdrawal(long now, bool isFirst)
    {
        if (!IsWithdrawing) return false;
        if (WithdrawalDue != Clock.Never && (!isFirst || WithdrawalDue > now)) return true;
        WithdrawalDue = Clock.After(now, _withdrawalPause);
        _withdrawalPause *= 2; // a dial ends after some seconds
        return true;
    }

    /// <summary>True, once, if it is time to withdraw waiting calls.</summary>
    public bool TryWithdraw(long now)
    {
        if (WithdrawalDue > now) return false;
        WithdrawalDue = Clock.Never;
        return true;
    }

    /// <summary>The connection is open.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="age">Age at which it is too old; <see cref="Clock.Never"/> for none.</param>
    public void Open(long now, long age)
    {
        HandshakeDue = WithdrawalDue = Clock.Never;
        IdleDue = Clock.After(now, options.IdleTimeout);
        AgeDue = Clock.After(now, age);
    }

    /// <summary>Every call is decided, and queued bytes are being sent.</summary>
    public void StartFlush(long now)
    {
        HandshakeDue = IdleDue = AgeDue = WithdrawalDue = Clock.Never;
        EndDue = Clock.After(now, options.FlushTimeout);
    }

    /// <summary>Everything is sent, and the sending direction has ended.</summary>
    public void StartLinger(long now) => EndDue = Clock.After(now, options.LingerTimeout);

    /// <summary>The link refused bytes.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="progress">True if the link accepted some bytes before.</param>
    public void OnBlocked(long now, bool progress)
    {
        if (!IsBlocked) _blockedSince = now;
        if (progress || !IsBlocked) StallDue = Clock.After(now, options.StallTimeout);
    }

    /// <summary>Counts bytes that the link accepted before it refused others.</summary>
    public void OnTaken(long now, long bytes) => _reading.OnOwed(now, bytes);

    /// <summary>The link has taken all bytes again.</summary>
    public void OnUnblocked(long now)
    {
        if (IsBlocked) _blockedBefore += now - _blockedSince;
        StallDue = Clock.Never;
        _reading.Clear();
    }

    /// <summary>Microseconds for which the link was blocked since the last call of this method.</summary>
    public long TakeBlockedTime(long now)
    {
        long blocked = _blockedBefore + (IsBlocked ? now - _blockedSince : 0);
        (_blockedBefore, _blockedSince) = (0, now);
        return blocked;
    }

    /// <summary>Counts a round of sending, of which <paramref name="waiting"/> bytes are left because the peer does not take them, or did not before.</summary>
    public void OnBehind(long now, long bytes, long waiting) => _backlog.OnTaken(now, bytes, waiting);

    /// <summary>Everything is sent.</summary>
    public void OnCaughtUp() => _backlog.Clear();

    /// <summary>True if the link accepted too little. Checked when <see cref="ReadingDue"/> has passed.</summary>
    public bool IsReadTooSlowly(long now) => _reading.IsTooSlow(now);

    /// <summary>Large replies wait for credit.</summary>
    public void OnAwaitsBulkCredit(long now)
    {
        if (BulkCreditDue == Clock.Never) BulkCreditDue = Clock.After(now, options.StallTimeout);
    }

    /// <summary>
    /// Starts or stops the checks for what other connections hold. A check that is due stays due until it is made:
    /// requests that come all the time must not put it off.
    /// </summary>
    public void OnAwaitsMemory(bool awaits, long now)
    {
        if (!awaits) MemoryDue = Clock.Never;
        else if (MemoryDue == Clock.Never) MemoryDue = Clock.After(now, MemoryLook);
    }

    /// <summary>A check is made.</summary>
    /// <param name="awaits">True if there will be another one.</param>
    /// <param name="now">The current time.</param>
    public void OnMemoryLook(bool awaits, long now)
    {
        MemoryDue = Clock.Never;
        OnAwaitsMemory(awaits, now);
    }

    /// <summary>Has the next check for memory come earlier, if there will be one.</summary>
    /// <param name="due">Its time.</param>
    /// <returns>False if it comes earlier anyway, or there will be none.</returns>
    public bool TryHasten(long due)
    {
        if (MemoryDue == Clock.Never || MemoryDue <= due) return false;
        MemoryDue = due;
        return true;
    }

    public void OnBulkCredit() => BulkCreditDue = Clock.Never;

    /// <summary>True once, when the connection has become too old.</summary>
    public bool CheckAge(long now)
    {
        if (AgeDue > now) return false;
        AgeDue = Clock.Never;
        return true;
    }

    /// <summary>
    /// True if an open connection had no calls, and no bytes other than PINGs, for the idle time. Checked when <see cref="IdleDue"/> has passed.
    /// </summary>
    public bool CheckIdle(long now, bool callsOpen, long lastActive)
    {
        if (IdleDue > now) return false;
        long idleAt = callsOpen ? Clock.After(now, options.IdleTimeout) : Clock.After(lastActive, options.IdleTimeout);
        IdleDue = idleAt <= now ? Clock.Never : idleAt;
        return idleAt <= now;
    }
}

/// <summary>
/// Limits the time in which the peer must finish a frame that it began: its bytes hold a receive buffer, which a silent or dribbling peer must not keep
/// forever. More bytes of the same frame give no more time. A peer that dribbles frame after frame is limited too: time with an unfinished frame is summed over
/// all frames, and every byte earns some of it back. Written by the turn, read by any thread.
/// </summary>
/// <param name="timeout">Longest time for one frame, microseconds.</param>
/// <param name="bytesPerSecond">Rate at which bytes earn time back; 0 if time is not summed over frames.</param>
internal sealed class UnfinishedFrame(long timeout, long bytesPerSecond = 0)
{
    private readonly double _microsecondsPerByte = bytesPerSecond == 0 ? 0 : 1_000_000.0 / bytesPerSecond;
    private long _seenAt; // time of the last delivery
    private long _left; // bytes of an unfinished frame after it
    private long _spent; // microseconds with an unfinished frame that no bytes have earned back
    private long _due = Clock.Never;
    private long _frameDue = Clock.Never;

    public long Due => Volatile.Read(ref _due);

    /// <summary>Handles the end of a delivery.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="consumed">Bytes of frames that are now whole.</param>
    /// <param name="left">Bytes of a frame that is not whole.</param>
    public void OnDelivered(long now, int consumed, int left)
    {
        if (left == 0 && _left == 0 && _spent == 0) return; // nothing was begun, and nothing is owed
        if (bytesPerSecond != 0) CountTime(now, consumed + left - _left);
        bool isNew = consumed > 0 || _frameDue == Clock.Never;
        _frameDue = left == 0 ? Clock.Never : isNew ? Clock.After(now, timeout) : _frameDue;
        _left = left;
        Set(left == 0 || bytesPerSecond == 0 ? _frameDue : Math.Min(_frameDue, Clock.After(now, Math.Max(0, timeout - _spent))));
    }

    private void CountTime(long now, long arrived)
    {
        if (_left > 0) _spent += now - _seenAt;
        _spent = Math.Max(0, _spent - (long)(arrived * _microsecondsPerByte));
        _seenAt = now;
    }

    private void Set(long due)
    {
        if (_due != due) Volatile.Write(ref _due, due);
    }
}

/// <summary>
/// Measures how long a peer takes for what waits for it. Bytes that it takes now and then make the time no shorter: that takes as many as waited. So one that
/// keeps much waiting and reads a trickle is slow, and one that reads as fast as it is sent is not, although its queue is never empty. Guarded by its owner.
/// </summary>
internal sealed class BacklogAge
{
    private long _since = Clock.Never;
    private long _markedAt;
    private long _left; // of the bytes that waited at that time

    /// <summary>Time since which the peer has not taken what waited then; <see cref="Clock.Never"/> if nothing waits. Any thread.</summary>
    public long Since => Volatile.Read(ref _since);

    /// <summary>Counts bytes that the peer took while others waited.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="bytes">Bytes that it took.</param>
    /// <param name="waiting">Bytes that wait now.</param>
    public void OnTaken(long now, long bytes, long waiting)
    {
        _left = Math.Min(_left - bytes, waiting); // bytes that were dropped wait no longer
        if (_since == Clock.Never) Volatile.Write(ref _since, now);
        else if (_left <= 0) Volatile.Write(ref _since, _markedAt); // not the current time: the new bytes have waited since then
        else return;
        (_markedAt, _left) = (now, waiting);
    }

    /// <summary>Nothing waits anymore.</summary>
    public void Clear() => Volatile.Write(ref _since, Clock.Never);
}

/// <summary>
/// Checks that owed bytes come fast enough, averaged over a period. A peer that moves one byte now and then makes progress, and could otherwise hold what waits
/// for it forever. Guarded by its owner.
/// </summary>
/// <param name="bytesPerSecond">The least rate; 0 means none.</param>
/// <param name="period">Length of a period, microseconds.</param>
internal sealed class ByteRate(long bytesPerSecond, long period)
{
    private long _since = long.MaxValue;
    private long _bytes;

    /// <summary>Time of the next <see cref="IsTooSlow"/> check; <see cref="long.MaxValue"/> while nothing is owed.</summary>
    public long Due => bytesPerSecond == 0 || _since > long.MaxValue - period ? long.MaxValue : _since + period;

    /// <summary>Counts bytes that just moved while more are owed.</summary>
    public void OnOwed(long now, long bytes)
    {
        if (_since == long.MaxValue) (_since, _bytes) = (now, 0); // bytes from before anything was owed do not count
        else _bytes += bytes;
    }

    /// <summary>Nothing is owed anymore.</summary>
    public void Clear() => _since = long.MaxValue;

    /// <summary>Ends a period at <see cref="Due"/>: true if the rate was too low. Otherwise the next period begins.</summary>
    public bool IsTooSlow(long now)
    {
        if (now < Due) return false;
        if (_bytes < (now - _since) / 1_000_000.0 * bytesPerSecond) return true;
        (_since, _bytes) = (now, 0);
        return false;
    }
}
