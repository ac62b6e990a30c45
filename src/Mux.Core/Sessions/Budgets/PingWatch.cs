using Mux.Timing;
using Mux.Wire;

namespace Mux.Sessions.Budgets;

/// <summary>
/// Counts the PINGs that come sooner than they should and with nothing between them. A peer that measures the way while messages flow is not meant. Turn only.
/// </summary>
internal sealed class PingWatch(BudgetLimits limits)
{
    /// <summary>Bytes that are sent between two PINGs though nothing happens: answers to them, of which two may be late, and a question of our own.</summary>
    private const int Answers = 64;

    /// <summary>What a peer announces counts down to this part of the interval.</summary>
    private const int AnnouncedPart = 10;

    /// <summary>This side may ask once in so many microseconds, whatever the peer announces: it could not find a dead peer otherwise.</summary>
    private const long MostInterval = 60_000_000;

    /// <summary>A side waits longer than <see cref="MostInterval"/> if its peer asks for that, but at most so many times its own keep-alive time.</summary>
    private const int MostRaise = 10;

    private long _last = long.MinValue;
    private long _frames;
    private long _sent;
    private long _strikes;

    /// <summary>
    /// How close PINGs may follow each other at a peer that has announced an interval and was told the keep-alive time of this side, microseconds.
    /// </summary>
    /// <param name="announced">By the peer.</param>
    /// <param name="keepAliveTime">Of this side.</param>
    public static long LeastInterval(long announced, long keepAliveTime)
    {
        long most = keepAliveTime > Clock.Never / MostRaise ? Clock.Never : Math.Max(MostInterval, keepAliveTime * MostRaise);
        return Math.Min(announced / AnnouncedPart, most);
    }

    /// <summary>A PING came.</summary>
    /// <param name="now">When.</param>
    /// <param name="announced">Microseconds of silence after which the peer said that it asks; 0 if it did not.</param>
    /// <param name="frames">Frames of messages and of credit received so far.</param>
    /// <param name="sent">Bytes sent so far.</param>
    public BudgetBreach? OnPing(long now, long announced, long frames, long sent)
    {
        long interval = announced > 0 ? Math.Clamp(announced, Math.Min(limits.PingInterval / AnnouncedPart, MostInterval), limits.PingInterval)
            : limits.PingInterval;
        bool isFirst = _last == long.MinValue;
        bool isAlone = !isFirst && frames == _frames && sent - _sent <= Answers;
        bool isEarly = isAlone && now - _last < interval;
        (_last, _frames, _sent) = (now, frames, sent);
        if (!isEarly) _strikes = 0; // also of one that was held up, and is followed too soon by the next
        if (!isEarly || ++_strikes <= limits.PingStrikes) return null;
        return new(ConnectionCode.TooManyPings,
            $"{_strikes} PINGs came less than {interval / 1_000_000.0:0.###} s after another one with nothing between them; {limits.PingStrikes} are let pass.",
            PeerLimit.Pings);
    }
}
