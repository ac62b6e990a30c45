namespace Mux.Engine;

/// <summary>
/// Limits the bytes that the peers of a whole server make it hold: incomplete messages, windows of streams, requests that run or wait, and large unsent
/// replies. Every connection leaves room for others, so clients that take all they can get leave some for newcomers. Safe for concurrent use.
/// </summary>
/// <remarks>
/// Counts without a lock: requests ask it for room, and bulk asks under the lock of its connection. The sums are exact, and <see cref="TryTake"/> never exceeds
/// a limit. The room left for others is checked before the sum is taken, so two threads of one connection may each be granted the last of its share.
/// </remarks>
/// <param name="limit">Bytes of all connections.</param>
/// <param name="perAddress">Bytes of the connections of one address; not counted if unbounded.</param>
internal sealed class MemoryBudget(long limit, long perAddress)
{
    /// <summary>1/16 of the limit is reserved for connections that hold little.</summary>
    private const int LastPart = 16;

    /// <summary>A connection must leave this many times its own bytes free, up to the reserved part.</summary>
    private const int Left = 4;

    /// <summary>A connection with at most this much leaves nothing free: one message of 64 KiB with what is kept beside it.</summary>
    private const long Little = 65 * 1024;

    /// <summary>Connections whose peers do not read leave one part of this many free, however little each holds.</summary>
    private const int SlowPart = 2;

    /// <summary>One part of this many is made free when connections end for lack of memory.</summary>
    private const int PlentyPart = 4;

    /// <summary>
    /// Bytes that have not arrived may take one part of this many: arrays are made longer than what has come, so that most messages are not copied while they
    /// grow. The other part can be used up only by bytes that were sent.
    /// </summary>
    private const int AheadPart = 2;

    private readonly Lock _gate = new(); // guards the addresses, which connections join and leave
    private readonly Dictionary<string, AddressMemory> _addresses = new(StringComparer.Ordinal);
    private long _used;

    public long Limit => limit;

    public long PerAddress => perAddress;

    /// <summary>Bytes that all connections hold.</summary>
    public long Used => Volatile.Read(ref _used);

    /// <summary>
    /// Bytes that are held of the part for connections that hold little; not above 0 if all of it is free.
    /// </summary>
    public long Lack => Used - (limit - limit / LastPart);

    /// <summary>True if a large part of the limit is free.</summary>
    public bool HasPlenty => limit - Used >= limit / PlentyPart;

    /// <summary>Creates the share of a connection, which ends with <see cref="MemoryShare.Leave"/>.</summary>
    /// <param name="host">Address of the peer; empty if its address does not count.</param>
    public MemoryShare Join(string host) => new(this, JoinAddress(host));

    /// <summary>Takes bytes if there is room for all that is wanted.</summary>
    /// <param name="share">The share of the connection.</param>
    /// <param name="bytes">Bytes to take now.</param>
    /// <param name="wanted">Bytes for which there must be room, of which the others are taken later.</param>
    /// <param name="isAhead">True if the bytes are taken for input that has not arrived.</param>
    public MemoryVerdict TryTake(MemoryShare share, long bytes, long wanted, bool isAhead)
    {
        int part = isAhead ? AheadPart : 1;
        // The address first, so that bytes without room there never count against other connections.
        var address = share.Address;
        if (address is not null && !address.TryAdd(bytes, wanted, perAddress / part)) return MemoryVerdict.NoRoomForAddress;
        if (!TryAdd(share, bytes, wanted, limit / part))
        {
            address?.Add(-bytes);
            return MemoryVerdict.NoRoom;
        }

        if (!share.Count(bytes)) address?.Add(-bytes); // the connection left its address meanwhile
        return MemoryVerdict.Granted;
    }

    public void Add(MemoryShare share, long bytes)
    {
        Interlocked.Add(ref _used, bytes);
        if (share.Count(bytes)) share.Joined!.Add(bytes);
    }

    /// <summary>True if a connection that holds this much should hold no more.</summary>
    /// <param name="own">Bytes that it holds.</param>
    /// <param name="isSlow">True if its peer has not read them for some time.</param>
    public bool IsShort(long own, bool isSlow) =>
        limit - Used < (isSlow ? Math.Max(LeftBy(own), limit / SlowPart) : LeftBy(own));

    /// <summary>Stops counting the connection for its address: the peer is known, or gone.</summary>
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

    /// <summary>Gets what must stay free when a connection holds this much.</summary>
    private long LeftBy(long own) => own <= Little ? 0 : Math.Max(own, Math.Min(limit / LastPart, Times(own)));

    private bool TryAdd(MemoryShare share, long bytes, long wanted, long most)
    {
        long used = Used;
        while (most - used - wanted >= LeftBy(share.Used + wanted))
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
