namespace Mux.Sessions.Budgets;

/// <summary>
/// Bytes that the peers of a whole server may make it hold: messages that are not whole, windows of streams, requests whose handlers run or that wait, and
/// large replies that are not sent. A connection may have as much as it leaves for others, so those that take all they can get leave some for the next one.
/// Safe for concurrent use.
/// </summary>
/// <remarks>
/// Requests ask it for room, and bulk does under the lock of its connection: so it counts without a lock. The sums are exact, and neither limit is ever passed
/// by <see cref="TryTake"/>; what a connection leaves for others is looked at before, so that two threads of one connection may each be granted the last of its
/// share.
/// </remarks>
/// <param name="limit">Of all connections.</param>
/// <param name="perAddress">Of the connections of one address; not counted if it is unbounded.</param>
internal sealed class MemoryBudget(long limit, long perAddress)
{
    /// <summary>The part of the limit, one of so many, that connections with little take, and others leave.</summary>
    private const int LastPart = 16;

    /// <summary>How often a connection has to leave what it has itself, up to that part.</summary>
    private const int Left = 4;

    /// <summary>A connection that has no more than this leaves nothing: one message of one frame.</summary>
    private const long Little = 64 * 1024;

    private readonly Lock _gate = new(); // guards the addresses, which connections join and leave
    private readonly Dictionary<string, AddressMemory> _addresses = new(StringComparer.Ordinal);
    private long _used;

    public long Limit => limit;

    public long PerAddress => perAddress;

    /// <summary>What all connections hold.</summary>
    public long Used => Volatile.Read(ref _used);

    /// <summary>A share for a connection, of which <see cref="MemoryShare.Leave"/> is the end.</summary>
    /// <param name="host">Where its peer is; empty where that does not count.</param>
    public MemoryShare Join(string host) => new(this, JoinAddress(host));

    public MemoryVerdict TryTake(MemoryShare share, long bytes)
    {
        // The address first: what it has no room for never counts for the others.
        var address = share.Address;
        if (address is not null && !address.TryAdd(bytes, perAddress)) return MemoryVerdict.NoRoomForAddress;
        if (!TryAdd(share, bytes))
        {
            address?.Add(-bytes);
            return MemoryVerdict.NoRoom;
        }

        if (!share.Count(bytes)) address?.Add(-bytes); // the connection has left its address meanwhile
        return MemoryVerdict.Granted;
    }

    public void Add(MemoryShare share, long bytes)
    {
        Interlocked.Add(ref _used, bytes);
        if (share.Count(bytes)) share.Joined!.Add(bytes);
    }

    /// <summary>Whether a connection that has so much should have no more.</summary>
    public bool IsShort(long own) => limit - Used < LeftBy(own);

    /// <summary>The peer's address counts no more: the peer is known.</summary>
    public void LeaveAddress(MemoryShare share)
    {
        if (!share.TryLeaveAddress(out long used)) return;
        var address = share.Joined!;
        address.Add(-used);
        lock (_gate)
        {
            if (--address.Connections == 0) _addresses.Remove(address.Host);
        }
    }

    private static long Times(long own) => own > long.MaxValue / Left ? long.MaxValue : own * Left;

    /// <summary>What has to be left when a connection has so much.</summary>
    private long LeftBy(long own) => own <= Little ? 0 : Math.Max(own, Math.Min(limit / LastPart, Times(own)));

    private bool TryAdd(MemoryShare share, long bytes)
    {
        long used = Used;
        while (limit - used - bytes >= LeftBy(share.Used + bytes))
        {
            long seen = Interlocked.CompareExchange(ref _used, used + bytes, used);
            if (seen == used) return true;
            used = seen;
        }

        return false;
    }

    private AddressMemory? JoinAddress(string host)
    {
        if (host.Length == 0 || perAddress == BudgetLimits.Unbounded) return null;
        lock (_gate)
        {
            if (!_addresses.TryGetValue(host, out var address)) _addresses.Add(host, address = new AddressMemory(host));
            address.Connections++;
            return address;
        }
    }
}
