using Mux.Wire;

namespace Mux.Connections.Budgets;

/// <summary>Finds peers that open calls to cancel them at once: work begins for each, and the slot is free again. Turn only.</summary>
internal sealed class CancelWatch(long suspectFrom)
{
    /// <summary>Over which calls are counted, microseconds.</summary>
    private const long Window = 10_000_000;

    private long _begunAt = long.MinValue;
    private long _startedBefore;
    private long _startedLast;
    private long _cancelled;

    /// <summary>A call was cancelled within a second of its start.</summary>
    /// <param name="now">When.</param>
    /// <param name="started">Calls that the peer has opened so far.</param>
    /// <param name="open">Those of them that are not answered.</param>
    public BudgetBreach? OnPremature(long now, long started, int open)
    {
        // What was open when the last one was cancelled may be cancelled now: it belongs to these, too.
        if (_begunAt == long.MinValue || now - _begunAt >= Window) (_begunAt, _startedBefore, _cancelled) = (now, Math.Max(0, _startedLast - open), 0);
        _startedLast = started;
        _cancelled++;
        long opened = started - _startedBefore;
        if (opened < suspectFrom || _cancelled <= opened - opened / 10) return null;
        return new(ConnectionCode.ExcessiveLoad, $"Of {opened} calls within 10 s {_cancelled} were cancelled less than a second after they were opened.", PeerLimit.PrematureCancels);
    }
}
