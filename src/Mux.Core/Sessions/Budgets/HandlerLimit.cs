namespace Mux.Sessions.Budgets;

/// <summary>
/// Requests that a whole server may have unanswered. No connection may have more of them than it leaves for others, nor the connections of one address together
/// more than theirs: those that take all they can get share them with whoever comes next, and do not lock it out. The last <see cref="LastPart"/> is for
/// connections with few, so that however many take all they can get, another one finds some. Connections take portions and keep them; when one finds no room,
/// what is not used is taken back, at most every <see cref="RecountInterval"/>. Safe for concurrent use.
/// </summary>
/// <param name="limit">How many.</param>
/// <param name="refused">Told of each request that found no room, outside the lock.</param>
/// <param name="perAddress">How many of the connections of one address; not counted if it is unbounded.</param>
internal sealed class HandlerLimit(long limit, Action refused, long perAddress = BudgetLimits.Unbounded)
{
    /// <summary>The part of the limit, one of so many, that connections with a few requests take, and others leave.</summary>
    private const int LastPart = 16;

    /// <summary>How often a connection has to leave what it has itself, up to that part. Its first request leaves nothing.</summary>
    private const int Left = 4;

    /// <summary>Taken at once while there is plenty: the lock is for one request in so many, at most.</summary>
    private const int Portion = 64;

    /// <summary>
    /// The part of the limit that connections may hold unused, one after the other: the portion of the k-th is at most limit / (64 k), which makes a ninth of
    /// it for 1,000 connections and a seventh for 10,000. More would have calls refused while there is room.
    /// </summary>
    private const int Reserve = 64;

    /// <summary>Microseconds between two counts, each of which looks at every connection: 10,000 of them in some 50.</summary>
    private const long RecountInterval = 1_000;

    private readonly Lock _gate = new(); // guards what follows
    private readonly List<HandlerShare> _shares = [];
    private readonly Dictionary<string, AddressShare> _addresses = new(StringComparer.Ordinal);
    private long _taken;
    private long _countedAt = long.MinValue;

    public long Limit => limit;

    public long PerAddress => perAddress;

    /// <summary>A share for a connection, of which <see cref="HandlerShare.Leave"/> is the end; null where nothing is limited.</summary>
    /// <param name="requests">Of the connection.</param>
    /// <param name="host">Where its peer is; empty where that does not count.</param>
    public HandlerShare? Join(ICountsRequests requests, string host = "")
    {
        if (limit == BudgetLimits.Unbounded && perAddress == BudgetLimits.Unbounded) return null;
        lock (_gate)
        {
            var share = new HandlerShare(this, requests, JoinAddressLocked(host));
            _shares.Add(share);
            return share;
        }
    }

    public void Remove(HandlerShare share)
    {
        lock (_gate)
        {
            if (!_shares.Remove(share)) return;
            _taken -= share.Granted;
            if (share.Address is { } address)
            {
                address.Taken -= share.Granted;
                if (--address.Connections == 0) _addresses.Remove(address.Host);
            }

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
        long spare = left - LeftBy(open);
        if (spare < 0) return false;
        if (share.Address is { } address)
        {
            long ofAddress = perAddress - address.Taken - missing;
            if (ofAddress < 0) return false;
            spare = Math.Min(spare, ofAddress);
        }

        long more = missing + Math.Min(Math.Min(Portion, limit / ((long)Reserve * Math.Max(1, _shares.Count))), spare / 16); // single ones when little is left
        Grant(share, (int)more);
        return true;
    }

    /// <summary>What has to be left when a connection has so many.</summary>
    private long LeftBy(int open) => open == 1 ? 0 : Math.Max(open, Math.Min(limit / LastPart, (long)open * Left));

    private void TakeBackLocked()
    {
        foreach (var share in _shares) Grant(share, Math.Min(0, Math.Max(0, share.Open) - share.Granted));
    }

    private void Grant(HandlerShare share, int more)
    {
        share.Granted += more;
        _taken += more;
        if (share.Address is { } address) address.Taken += more;
    }

    private AddressShare? JoinAddressLocked(string host)
    {
        if (host.Length == 0 || perAddress == BudgetLimits.Unbounded) return null;
        if (!_addresses.TryGetValue(host, out var address)) _addresses.Add(host, address = new AddressShare(host));
        address.Connections++;
        return address;
    }
}
