using System.Diagnostics;

namespace Mux.Engine;

/// <summary>
/// Limits the requests that run in a whole server, or are about to. Requests that wait for their rest or for room do not count. Every connection leaves room
/// for others, so clients that take all they can get share the limit with newcomers instead of locking them out. Safe for concurrent use.
/// </summary>
/// <remarks>
/// What has more is refused first. The last <see cref="FirstPart"/> of the limit is for the first request of a connection, and half of that for addresses with
/// few: so it takes hundreds of connections, of many addresses, to refuse a newcomer. The <see cref="LastPart"/> before it is for connections with few
/// requests. The connections of one address together have a limit of their own, above which the first requests of each of them still go: an address may be
/// that of many clients. Connections are granted portions and keep them, except of the reserved parts; when one finds no room, unused grants are taken back,
/// at most every <see cref="RecountInterval"/>.
/// </remarks>
/// <param name="limit">Requests of the whole server.</param>
/// <param name="refused">Called outside the lock for each request that is refused, with the reason.</param>
/// <param name="perAddress">Requests of all connections of one address; not counted if unbounded.</param>
internal sealed class HandlerLimit(long limit, Action<HandlerLack> refused, long perAddress = BudgetLimits.Unbounded)
{
    /// <summary>1/16 of the limit is reserved for connections with few requests.</summary>
    private const int LastPart = 16;

    /// <summary>1/32 of the limit is reserved for the first request of a connection.</summary>
    private const int FirstPart = 32;

    /// <summary>With more requests than this, an address leaves half of that part to others.</summary>
    private const int FewOfAddress = 16;

    /// <summary>A connection must leave this many times its own requests free, up to the reserved part. Its first request leaves nothing.</summary>
    private const int Left = 4;

    /// <summary>The first request of a connection goes up to a quarter above the limit of its address, the n-th request up to an n-th of that.</summary>
    private const int AbovePart = 4;

    /// <summary>Requests granted at once while there is plenty, so that at most one request in 64 takes the lock.</summary>
    private const int Portion = 64;

    /// <summary>
    /// Bounds what connections may hold unused: the portion of the k-th connection is at most limit / (64 k). In sum that is a ninth of the limit for 1,000
    /// connections and a seventh for 10,000. More would refuse calls while there is room.
    /// </summary>
    private const int Reserve = 64;

    /// <summary>Least time between two recounts, microseconds. A recount visits every connection: 10,000 of them take some 50 microseconds.</summary>
    private const long RecountInterval = 1_000;

    private readonly Lock _gate = new(); // guards what follows
    private readonly List<HandlerShare> _shares = [];
    private readonly Dictionary<string, AddressShare> _addresses = new(StringComparer.Ordinal);
    private long _limit = limit;
    private long _taken;
    private long _countedAt = long.MinValue;

    /// <summary>Requests of all connections. What more of them run when it is lowered runs on.</summary>
    public long Limit
    {
        get => Volatile.Read(ref _limit);
        set => Volatile.Write(ref _limit, value);
    }

    public long PerAddress => perAddress;

    /// <summary>Creates the share of a connection, which ends with <see cref="HandlerShare.Leave"/>; null if nothing is limited.</summary>
    /// <param name="requests">The requests of the connection.</param>
    /// <param name="host">Address of the peer; empty if its address has no limit.</param>
    public HandlerShare? Join(ICountsRequests requests, string host = "")
    {
        if (Limit == BudgetLimits.Unbounded && perAddress == BudgetLimits.Unbounded) return null;
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
            share.Address.Taken -= share.Granted;
            if (--share.Address.Connections == 0) _addresses.Remove(share.Address.Host);
            share.Granted = 0;
        }
    }

    public bool TryGrow(HandlerShare share, int running, long now)
    {
        lock (_gate)
        {
            if (TryGrowLocked(share, running)) return true;
            if (_countedAt != long.MinValue && now - _countedAt < RecountInterval) return false;
            _countedAt = now;
            TakeBackLocked();
            return TryGrowLocked(share, running);
        }
    }

    /// <summary>Reports a request that is refused.</summary>
    public void OnRefused(HandlerLack lack) => refused(lack);

    private bool TryGrowLocked(HandlerShare share, int running)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        long missing = running - share.Granted;
        if (missing <= 0) return true; // taken back and granted again meanwhile
        long left = Limit - _taken - missing;
        if (left < LeftBy(running, share.Address))
        {
            share.Lack = (left < 0 ? HandlerLack.All : HandlerLack.Share, running - 1);
            return false;
        }

        long ofAddress = share.Address.Limit - share.Address.Taken - missing;
        if (ofAddress < -(share.Address.Limit / ((long)AbovePart * running)))
        {
            share.Lack = (HandlerLack.Address, running - 1);
            return false;
        }

        // Single requests when little is left: of the reserved parts, each is asked for.
        long spare = Math.Max(0, Math.Min(left - Math.Max(running, Limit / FirstPart + Limit / LastPart), ofAddress));
        long more = missing + Math.Min(Math.Min(Portion, Limit / ((long)Reserve * Math.Max(1, _shares.Count))), spare / 16);
        Grant(share, (int)more);
        return true;
    }

    /// <summary>Gets what must stay free when a connection runs this many requests.</summary>
    private long LeftBy(int running, AddressShare address)
    {
        long first = Limit / FirstPart;
        if (running == 1) return address.Taken < FewOfAddress ? 0 : first / 2;
        return Math.Max(running, first + Math.Min(Limit / LastPart, (long)running * Left));
    }

    private void TakeBackLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        foreach (var share in _shares) Grant(share, Math.Min(0, Math.Max(0, share.Running) - share.Granted));
    }

    private void Grant(HandlerShare share, int more)
    {
        share.Granted += more;
        _taken += more;
        share.Address.Taken += more;
    }

    /// <summary>Peers without an address have no limit together, and leave the same part to others.</summary>
    private AddressShare JoinAddressLocked(string host)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (!_addresses.TryGetValue(host, out var address))
        {
            _addresses.Add(host, address = new AddressShare(host, host.Length == 0 ? BudgetLimits.Unbounded : perAddress));
        }

        address.Connections++;
        return address;
    }
}

/// <summary>
/// The part of the server's handler limit that is granted to one connection. The usual request costs one comparison: the share grows in portions, and shrinks
/// when others need it (<see cref="HandlerLimit"/>).
/// </summary>
/// <param name="limit">The limit of the server.</param>
/// <param name="requests">The requests of the connection.</param>
/// <param name="address">Grants of all connections of the same address.</param>
internal sealed class HandlerShare(HandlerLimit limit, ICountsRequests requests, AddressShare address)
{
    private const int LackBits = 2;

    private int _granted;
    private int _lack; // a HandlerLack, and above it the requests that ran then: two fields would need more memory

    public AddressShare Address => address;

    /// <summary>Requests granted. Written under the lock of <see cref="HandlerLimit"/>.</summary>
    public int Granted
    {
        get => Volatile.Read(ref _granted);
        set => Volatile.Write(ref _granted, value);
    }

    /// <summary>
    /// What prevented the last request that got no handler, and how many of the connection ran then. Written under the
    /// lock of <see cref="HandlerLimit"/>, and read for messages without it.
    /// </summary>
    public (HandlerLack Reason, int Running) Lack
    {
        get
        {
            int lack = Volatile.Read(ref _lack);
            return ((HandlerLack)(lack & ((1 << LackBits) - 1)), lack >> LackBits);
        }
        set => Volatile.Write(ref _lack, (int)value.Reason | (value.Running << LackBits));
    }

    /// <summary>Requests that run or are about to.</summary>
    public int Running => requests.RunningCount;

    /// <summary>True if one more request may run.</summary>
    /// <param name="running">Requests that run, including the new one.</param>
    /// <param name="now">The current time.</param>
    /// <remarks>
    /// The turn asks for the requests that arrive, and another thread for those that waited. If both ask at once, each may see only its own: one request too
    /// many runs until the next one asks, which asks for all of them.
    /// </remarks>
    public bool TryResume(int running, long now) => running <= Granted || limit.TryGrow(this, running, now);

    /// <summary>Counts a request that is refused because no handler is left for it.</summary>
    public void OnRefused() => limit.OnRefused(Lack.Reason);

    /// <summary>
    /// Counts a request that is refused because those that wait for handlers hold as many bytes as they may.
    /// </summary>
    public void OnParkingFull() => limit.OnRefused(HandlerLack.ParkedBytes);

    /// <summary>Returns all grants. Called when the connection is gone.</summary>
    public void Leave() => limit.Remove(this);
}

/// <summary>Why a connection gets no handler for one more request.</summary>
internal enum HandlerLack
{
    /// <summary>All handlers of the server are in use.</summary>
    All,

    /// <summary>Some are free, and kept for connections or addresses that have fewer.</summary>
    Share,

    /// <summary>The connections of its address have as many as they may.</summary>
    Address,

    /// <summary>Requests of the connection wait for handlers already, and hold as many bytes as they may.</summary>
    ParkedBytes,
}

/// <summary>Handler slots granted to all connections of one address. Guarded by the lock of <see cref="HandlerLimit"/>.</summary>
/// <param name="host">The address in the form <see cref="HandlerLimit"/> looks it up.</param>
/// <param name="limit">Requests of all its connections.</param>
internal sealed class AddressShare(string host, long limit)
{
    public string Host => host;

    public long Limit => limit;

    /// <summary>Number of connections of this address.</summary>
    public int Connections { get; set; }

    /// <summary>Requests granted to these connections.</summary>
    public long Taken { get; set; }
}

/// <summary>Counts the requests of one connection that need a place of the server's handlers.</summary>
internal interface ICountsRequests
{
    /// <summary>Number of requests that run or are about to, and are not answered. Never too low. Any thread.</summary>
    int RunningCount { get; }
}
