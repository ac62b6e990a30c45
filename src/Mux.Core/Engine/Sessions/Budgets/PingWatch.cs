using Mux.Protocol;
using Mux.Runtime;

namespace Mux.Engine;

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
