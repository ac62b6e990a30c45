using Mux.Protocol;

namespace Mux.Engine;

/// <summary>Finds peers that open calls only to cancel them at once: the work has begun, and the slot is free again. Turn only.</summary>
/// <param name="suspectFrom">Number of calls within the window below which nothing is suspect.</param>
/// <param name="claims">
/// Number of CANCEL(deadline) frames within the window that are accepted as deadline expiries even if the local clock disagrees: requests that waited for a
/// link arrive with their cancels right after them. This is the most a caller can have open. Further ones count, because any peer can claim a deadline.
/// </param>
internal sealed class CancelWatch(long suspectFrom, long claims)
{
    /// <summary>Length of the window in which calls are counted, microseconds.</summary>
    private const long Window = 10_000_000;

    private long _begunAt = long.MinValue;
    private long _startedBefore;
    private long _startedLast;
    private long _cancelled;
    private long _claimed;

    /// <summary>Counts a call that was cancelled within a second of its start and before half of its own time was over.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="started">
    /// Calls that the peer has opened so far, without those refused because too many ran: a peer that cancels fast enough has most of its calls refused.
    /// </param>
    /// <param name="open">Number of them that are not answered.</param>
    /// <param name="claimsDeadline">True if the peer says that its deadline has passed.</param>
    public BudgetBreach? OnPremature(long now, long started, int open, bool claimsDeadline)
    {
        // Calls that were open at the last cancel may be cancelled in this window, so they count in it.
        if (_begunAt == long.MinValue || now - _begunAt >= Window)
        {
            (_begunAt, _startedBefore, _cancelled, _claimed) = (now, Math.Max(0, _startedLast - open), 0, 0);
        }

        _startedLast = started;
        if (claimsDeadline && ++_claimed <= claims) return null;
        _cancelled++;
        long opened = started - _startedBefore;
        if (opened < suspectFrom || _cancelled <= opened - opened / 10) return null;
        return new(ConnectionCode.ExcessiveLoad, $"{_cancelled} of {opened} calls within 10 s were cancelled less than a second after they were opened.",
            PeerLimit.PrematureCancels);
    }
}
