using Mux.Engine;
using Mux.Runtime;

namespace Mux.Client;

/// <summary>
/// Decides when a channel dials its address again, and how many dials may run at once. One state serves all its connections, because a server that refuses one
/// of them refuses all. Pauses grow with the absence of the server, so it is found within a small share of that time. Not safe for concurrent use: the pool's
/// lock guards it.
/// </summary>
/// <param name="maxPause">The longest pause.</param>
/// <param name="random">Keeps many clients of one server from dialing at the same instant.</param>
internal sealed class BackoffPolicy(TimeSpan maxPause, Random random)
{
    /// <summary>
    /// Most concurrent dials while none fails. A server allows 64 unfinished handshakes per address and 256 in all: four channels on one address, or sixteen on
    /// several, can dial at full rate at the same time. At 1 ms per handshake, 16 dials open 1,000 connections within 63 ms.
    /// </summary>
    public const int MaxDials = 16;

    /// <summary>
    /// Microseconds after which an open connection counts as useful although it brought no reply: it may carry only streams or one-way calls. A server that
    /// ends every connection after this time is dialed about once in it, which does no harm.
    /// </summary>
    public const long UsefulAfter = 1_000_000;

    /// <summary>Microseconds for which a connection must last to show that the server refuses none any more.</summary>
    public const long LastsAfter = 10_000_000;

    private const long FirstPause = 100_000;

    /// <summary>
    /// Longest pause after refusals, in microseconds, unless that of other failures is longer: the server is there, and
    /// each connection costs it work.
    /// </summary>
    private const long LongestRefusedPause = 5_000_000;

    /// <summary>A pause is at most this fraction of the server's absence: 100 ms up to 3.2 s, 156 ms after 5 s, 1 s after 32 s.</summary>
    private const int ShareOfAbsence = 32;

    /// <summary>
    /// Longest time, in microseconds, for which a server may keep its clients away; or the longest pause if that is longer. A server of this project asks for
    /// 10 s. One that errs in the unit must not keep clients away for days.
    /// </summary>
    public const long LongestHold = 30_000_000;

    /// <summary>Microseconds between the times at which servers that take turns are dialed.</summary>
    private const long SharedInterval = 100_000;

    /// <summary>Where they begin. The clocks of all processes of a machine begin together, and their dials must not.</summary>
    private static readonly long s_phase = Random.Shared.NextInt64(SharedInterval);

    private readonly long _maxPause = Clock.Microseconds(maxPause);
    private long _awaySince = Clock.Never;
    private long _refusedSince = Clock.Never;
    private long _refusedAt; // the last refusal, if there was one since then
    private long _pausedUntil;
    private long _heldUntil;

    /// <summary>Most concurrent dials now: one after a failure, and twice as many after each that opens.</summary>
    public int Dials { get; private set; } = MaxDials;

    /// <summary>Earliest time of the next dial.</summary>
    public long NextDialAt => Math.Max(_pausedUntil, _heldUntil);

    /// <summary>A connection has opened. Whether it is useful shows later: see <see cref="Forget"/>.</summary>
    public void OnOpened() => Dials = Math.Min(2 * Dials, MaxDials);

    /// <summary>A connection was useful: earlier failures say nothing about later ones.</summary>
    public void Forget() => _awaySince = Clock.Never;

    /// <summary>
    /// A connection or dial has ended: called before its pause is asked for. Refusals alone make pauses longer than the
    /// longest one. They begin anew after a connection that lasted, an end of another kind that the server or the path
    /// has caused, and a time without refusals. An end that this side chose shows nothing of the server.
    /// </summary>
    /// <param name="end">Its end.</param>
    /// <param name="now">The current time.</param>
    /// <param name="openedAt">When the connection opened, or <see cref="Clock.Never"/>.</param>
    public void OnEnd(ConnectionEnd end, long now, long openedAt)
    {
        bool hasLasted = now - openedAt >= LastsAfter;
        if (!end.IsRefusal)
        {
            if (hasLasted || !end.IsOwnChoice) ForgetRefusals();
            return;
        }

        // After so long, the connection that followed the last refusal has lasted, or none was needed.
        bool isFirst = _refusedSince == Clock.Never || now - _refusedAt >= Math.Max(LongestRefusedPause, _maxPause) + LastsAfter;
        if (hasLasted || isFirst) _refusedSince = now;
        _refusedAt = now;
    }

    /// <summary>The server has served a connection to its end: earlier refusals say nothing about later ones.</summary>
    public void ForgetRefusals() => _refusedSince = Clock.Never;

    /// <summary>A connection that was useful was lost.</summary>
    /// <returns>
    /// Microseconds until the next dial: up to 100 ms, at random, because all clients of a server lose it at the same instant; longer if the server has asked
    /// for it.
    /// </returns>
    public long OnLost(long now)
    {
        _awaySince = now;
        return Pause(now, (long)(CeilingAt(now) * random.NextDouble()));
    }

    /// <summary>A dial failed, or its connection ended before it was useful.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="least">Microseconds of the ceiling at least, also if that is more than the longest pause: there are many servers to dial.</param>
    /// <returns>Microseconds until the next dial: at random in the upper half of the range; longer if the server has asked for it.</returns>
    public long OnFailed(long now, long least = 0)
    {
        if (_awaySince == Clock.Never) _awaySince = now;
        long ceiling = CeilingAt(now), pause = UpTo(Math.Max(ceiling, least));
        return Pause(now, least > ceiling ? pause + TimeToShared(now + pause) : pause);
    }

    /// <summary>The server has said when it may be dialed again. Up to 100 ms are added at random, because it may have told many clients.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="wait">The requested wait, microseconds.</param>
    /// <returns>Microseconds until the next dial.</returns>
    public long OnRetryAfter(long now, long wait)
    {
        long hold = Math.Min(wait, Math.Max(LongestHold, _maxPause)) + (long)(FirstPause * random.NextDouble());
        _heldUntil = Math.Max(_heldUntil, now + hold);
        Dials = 1;
        return NextDialAt - now;
    }

    /// <summary>Takes a pause at random from the upper half of its range.</summary>
    private long UpTo(long ceiling) => (long)(ceiling * (1 + random.NextDouble()) / 2);

    private long CeilingAt(long now)
    {
        long away = Math.Min(Math.Max(FirstPause, (now - _awaySince) / ShareOfAbsence), _maxPause);
        if (_refusedSince == Clock.Never) return away;
        return Math.Max(away, Math.Min((now - _refusedSince) / ShareOfAbsence, LongestRefusedPause));
    }

    /// <summary>
    /// Microseconds until the next of the times that servers which take turns share: a few dials at once cost less than
    /// one by one, where each wakes a thread and finds its caches cold.
    /// </summary>
    private static long TimeToShared(long time) => SharedInterval - ((time + s_phase) % SharedInterval);

    private long Pause(long now, long pause)
    {
        Dials = 1;
        _pausedUntil = now + pause;
        return NextDialAt - now;
    }
}
