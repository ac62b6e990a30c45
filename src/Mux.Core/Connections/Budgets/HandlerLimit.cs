namespace Mux.Connections.Budgets;

/// <summary>
/// Requests that a whole server may have unanswered. No connection may have more of them than it leaves for others: a few that take all they can get share them with whoever comes next, and
/// do not lock it out. Connections take portions and keep them; when one finds no room, what is not used is taken back, at most every <see cref="RecountInterval"/>. Safe for concurrent use.
/// </summary>
/// <param name="limit">How many.</param>
/// <param name="refused">Told of each request that found no room, outside the lock.</param>
internal sealed class HandlerLimit(long limit, Action refused)
{
    /// <summary>Taken at once while there is plenty: the lock is for one request in so many, at most.</summary>
    private const int Portion = 64;

    /// <summary>
    /// The part of the limit that connections may hold unused, one after the other: the portion of the k-th is at most limit / (64 k), which makes a ninth of it for 1,000 connections and a seventh for 10,000. More
    /// would have calls refused while there is room.
    /// </summary>
    private const int Reserve = 64;

    /// <summary>Microseconds between two counts, each of which looks at every connection: 10,000 of them in some 50.</summary>
    private const long RecountInterval = 1_000;

    private readonly Lock _gate = new(); // guards what follows
    private readonly List<HandlerShare> _shares = [];
    private long _taken;
    private long _countedAt = long.MinValue;

    public long Limit => limit;

    /// <summary>A share for a connection, of which <see cref="HandlerShare.Leave"/> is the end; null where nothing is limited.</summary>
    public HandlerShare? Join(ICountsRequests requests)
    {
        if (limit == BudgetLimits.Unbounded) return null;
        var share = new HandlerShare(this, requests);
        lock (_gate) _shares.Add(share);
        return share;
    }

    public void Remove(HandlerShare share)
    {
        lock (_gate)
        {
            if (!_shares.Remove(share)) return;
            _taken -= share.Granted;
            share.Granted = 0;
        }
    }

    public bool TryGrow(HandlerShare share, int open, long now)
    {
        lock (_gate)
        {
            if (TryGrowLocked(share, open)) return true;
            if (_countedAt == long.MinValue || now - _countedAt >= RecountInterval)
            {
                _countedAt = now;
                TakeBackLocked();
                if (TryGrowLocked(share, open)) return true;
            }
        }

        refused();
        return false;
    }

    private bool TryGrowLocked(HandlerShare share, int open)
    {
        long missing = open - share.Granted;
        if (missing <= 0) return true; // taken back and given again meanwhile
        long left = limit - _taken - missing;
        if (left < (open == 1 ? 0 : open)) return false; // as many as it has itself; one where there is any
        long more = missing + Math.Min(Math.Min(Portion, limit / ((long)Reserve * Math.Max(1, _shares.Count))), Math.Max(0, left - open) / 16); // single ones when little is left
        share.Granted += (int)more;
        _taken += more;
        return true;
    }

    private void TakeBackLocked()
    {
        _taken = 0;
        foreach (var share in _shares)
        {
            share.Granted = Math.Min(share.Granted, Math.Max(0, share.Open));
            _taken += share.Granted;
        }
    }
}
