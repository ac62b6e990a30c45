using Mux.Timing;

namespace Mux.Endpoints;

/// <summary>
/// When a channel dials its address again, and how many dials may be under way: one state for all its connections, because a server that refuses one of them
/// refuses all. Pauses follow how long the server has been away, so that it is found within a small share of that time. Not thread-safe: the pool's lock guards
/// it.
/// </summary>
/// <param name="maxPause">The longest pause.</param>
/// <param name="random">Keeps many clients of one server from dialing in the same instant.</param>
internal sealed class BackoffPolicy(TimeSpan maxPause, Random random)
{
    /// <summary>
    /// Dials under way at the same time while none fails. A server allows 64 unfinished handshakes of one address and 256 in all: four channels on one address,
    /// or sixteen on several, dial at full rate beside each other. At 1 ms for a handshake 16 open 1,000 connections within 63 ms.
    /// </summary>
    public const int MaxDials = 16;

    /// <summary>
    /// Microseconds after which an open connection has been of use although it brought no reply: it may carry streams or one-way calls only. A server that ends
    /// every connection after this time is dialed about once in it, which is harmless.
    /// </summary>
    public const long UsefulAfter = 1_000_000;

    private const long FirstPause = 100_000;

    /// <summary>A pause is at most this share of the time that the server has been away: 100 ms for 3.2 s, 156 ms after 5 s, 1 s after 32 s.</summary>
    private const int ShareOfAbsence = 32;

    /// <summary>
    /// Microseconds for which a server keeps its clients away at most, or the longest pause if that is longer: a server of this project says 10 s, and one that
    /// is wrong about the unit must not keep them for days.
    /// </summary>
    public const long LongestHold = 30_000_000;

    private readonly long _maxPause = Clock.Microseconds(maxPause);
    private long _awaySince = Clock.Never;
    private long _pausedUntil;
    private long _heldUntil;

    /// <summary>Dials that may be under way now: one after a failure, twice as many after each that opens.</summary>
    public int Dials { get; private set; } = MaxDials;

    /// <summary>The next dial comes no earlier.</summary>
    public long NextDialAt => Math.Max(_pausedUntil, _heldUntil);

    /// <summary>A connection is open. Whether it is of use shows later: see <see cref="Forget"/>.</summary>
    public void OnOpened() => Dials = Math.Min(2 * Dials, MaxDials);

    /// <summary>A connection was of use: what failed before it says nothing about what fails now.</summary>
    public void Forget() => _awaySince = Clock.Never;

    /// <summary>A connection that was of use was lost.</summary>
    /// <returns>Microseconds until the next dial: up to 100 ms, at random, as all clients of a server lose it in the same instant; more if the server has said
    /// so.</returns>
    public long OnLost(long now)
    {
        _awaySince = now;
        return Pause(now, (long)(CeilingAt(now) * random.NextDouble()));
    }

    /// <summary>A dial failed, or what it opened ended before it was of use.</summary>
    /// <returns>Microseconds until the next dial: the upper half of the range, at random; more if the server has said so.</returns>
    public long OnFailed(long now)
    {
        if (_awaySince == Clock.Never) _awaySince = now;
        return Pause(now, (long)(CeilingAt(now) * (1 + random.NextDouble()) / 2));
    }

    /// <summary>The server said after how long it may be dialed again. Up to 100 ms more, at random, as it may have said so to many.</summary>
    /// <param name="now">The time.</param>
    /// <param name="wait">Microseconds.</param>
    /// <returns>Microseconds until the next dial.</returns>
    public long OnRetryAfter(long now, long wait)
    {
        long hold = Math.Min(wait, Math.Max(LongestHold, _maxPause)) + (long)(FirstPause * random.NextDouble());
        _heldUntil = Math.Max(_heldUntil, now + hold);
        Dials = 1;
        return NextDialAt - now;
    }

    private long CeilingAt(long now) => Math.Min(Math.Max(FirstPause, (now - _awaySince) / ShareOfAbsence), _maxPause);

    private long Pause(long now, long pause)
    {
        Dials = 1;
        _pausedUntil = now + pause;
        return NextDialAt - now;
    }
}
