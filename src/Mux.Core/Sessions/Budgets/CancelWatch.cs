using Mux.Wire;

namespace Mux.Sessions.Budgets;

/// <summary>Finds peers that open calls to cancel them at once: work begins for each, and the slot is free again. Turn only.</summary>
/// <param name="suspectFrom">Calls within the window of which nothing is suspect.</param>
/// <param name="claims">
/// Cancels within the window that say that the deadline passed, though here it has not: taken at their word. Requests that wait for a link arrive with their
/// cancels right behind them; that many at most, because a caller has no more open. The others count: anybody can say so.
/// </param>
internal sealed class CancelWatch(long suspectFrom, long claims)
{
    /// <summary>Over which calls are counted, microseconds.</summary>
    private const long Window = 10_000_000;

    private long _begunAt = long.MinValue;
    private long _startedBefore;
    private long _startedLast;
    private long _cancelled;
    private long _claimed;

    /// <summary>A call was cancelled within a second of its start, and before half of its own time was over.</summary>
    /// <param name="now">When.</param>
    /// <param name="started">Calls that the peer has opened so far, less those that were refused because too many ran: who cancels fast enough is refused most
    /// of them.</param>
    /// <param name="open">Those of them that are not answered.</param>
    /// <param name="claimsDeadline">Whether the peer says that its deadline has passed.</param>
    public BudgetBreach? OnPremature(long now, long started, int open, bool claimsDeadline)
    {
        // What was open when the last one was cancelled may be cancelled now: it belongs to these, too.
        if (_begunAt == long.MinValue || now - _begunAt >= Window)
        {
            (_begunAt, _startedBefore, _cancelled, _claimed) = (now, Math.Max(0, _startedLast - open), 0, 0);
        }

        _startedLast = started;
        if (claimsDeadline && ++_claimed <= claims) return null;
        _cancelled++;
        long opened = started - _startedBefore;
        if (opened < suspectFrom || _cancelled <= opened - opened / 10) return null;
        return new(ConnectionCode.ExcessiveLoad, $"Of {opened} calls within 10 s {_cancelled} were cancelled less than a second after they were opened.",
            PeerLimit.PrematureCancels);
    }
}
