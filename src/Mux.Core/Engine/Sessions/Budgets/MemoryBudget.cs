using Mux.Runtime;

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

/// <summary>Counts the server memory that one connection holds. Safe for concurrent use.</summary>
/// <param name="budget">The budget of the server.</param>
/// <param name="address">Bytes of all connections of the same address; null if its address does not count.</param>
internal sealed class MemoryShare(MemoryBudget budget, AddressMemory? address) : IHeldMemory
{
    private const long Left = 1;

    // Twice the bytes, plus Left once the address no longer counts: one atomic word, so bytes counted during the change fall on one side of it.
    private long _state = address is null ? Left : 0;
    private bool _isSlow;

    public MemoryBudget Budget => budget;

    /// <summary>The address that counts these bytes; null if none does, or none does anymore.</summary>
    public AddressMemory? Address => (Volatile.Read(ref _state) & Left) == 0 ? Joined : null;

    /// <summary>The address that counted these bytes at first.</summary>
    public AddressMemory? Joined => address;

    /// <summary>Bytes held.</summary>
    public long Used => Volatile.Read(ref _state) >> 1;

    /// <summary>
    /// True if the connection should hold no more: also one that holds nothing, if replies are held beyond the limit.
    /// </summary>
    public bool IsShort => budget.IsShort(Used, IsSlow);

    /// <summary>
    /// True while the peer has been behind with what it reads for some time: then it leaves more to others. Set by the
    /// watch of the server.
    /// </summary>
    public bool IsSlow
    {
        get => Volatile.Read(ref _isSlow);
        set
        {
            if (_isSlow != value) Volatile.Write(ref _isSlow, value);
        }
    }

    /// <summary>Takes bytes if there is room for them.</summary>
    public MemoryVerdict TryTake(long bytes) => budget.TryTake(this, bytes, bytes, isAhead: false);

    /// <summary>Takes bytes if there is room for all that is wanted, which is taken as it arrives.</summary>
    public MemoryVerdict TryBegin(long bytes, long wanted) => budget.TryTake(this, bytes, wanted, isAhead: false);

    /// <summary>Takes bytes for input that has not arrived, if there is much room.</summary>
    public bool TryTakeAhead(long bytes) => budget.TryTake(this, bytes, bytes, isAhead: true) == MemoryVerdict.Granted;

    public void Take(long bytes) => budget.Add(this, bytes);

    public void Release(long bytes) => budget.Add(this, -bytes);

    /// <summary>Stops counting for the address: the peer is known.</summary>
    public void LeaveAddress() => budget.LeaveAddress(this);

    /// <summary>Stops counting for the address: the connection is gone and takes no more.</summary>
    public void Leave() => budget.LeaveAddress(this);

    /// <summary>For <see cref="MemoryBudget"/>: adds bytes, or subtracts them if negative.</summary>
    /// <returns>True if the address must count them too.</returns>
    public bool Count(long bytes) => (Interlocked.Add(ref _state, bytes << 1) & Left) == 0;

    /// <summary>For <see cref="MemoryBudget"/>: from now on the address counts nothing of this connection.</summary>
    /// <param name="used">Bytes counted for the address so far.</param>
    /// <returns>True if the address counted them until now.</returns>
    public bool TryLeaveAddress(out long used)
    {
        long before = Interlocked.Or(ref _state, Left);
        used = before >> 1;
        return (before & Left) == 0;
    }

    /// <summary>Gets the error message for a request or stream without room.</summary>
    /// <param name="what">Names what has no room: "request".</param>
    /// <param name="bytes">Its length.</param>
    /// <param name="verdict">The limit that is reached.</param>
    public string Describe(string what, long bytes, MemoryVerdict verdict)
    {
        var limit = verdict == MemoryVerdict.NoRoomForAddress
            ? $"Limits.MaxHeldBytesPerAddress is {budget.PerAddress} for all connections of one address"
            : $"Limits.MaxHeldBytes is {budget.Limit} for all connections together";
        return $"The server has no memory for the {what} of {bytes} bytes: {limit}.";
    }
}

/// <summary>Counts the memory held for all connections of one address. Safe for concurrent use.</summary>
internal sealed class AddressMemory(string host)
{
    private long _used;

    public string Host => host;

    /// <summary>Number of connections of this address. Guarded by the lock of <see cref="MemoryBudget"/>.</summary>
    public int Connections { get; set; }

    /// <summary>Bytes held.</summary>
    public long Used => Volatile.Read(ref _used);

    public void Add(long bytes) => Interlocked.Add(ref _used, bytes);

    /// <summary>Counts bytes if the sum would stay within the limit with all that is wanted.</summary>
    public bool TryAdd(long bytes, long wanted, long limit)
    {
        long used = Used;
        while (limit - used >= wanted)
        {
            long seen = Interlocked.CompareExchange(ref _used, used + bytes, used);
            if (seen == used) return true;
            used = seen;
        }

        return false;
    }
}

/// <summary>Says whether a connection may hold more memory, and which limit prevents it.</summary>
internal enum MemoryVerdict
{
    Granted,

    /// <summary>The server holds as much as it may, or the connection holds its share of that.</summary>
    NoRoom,

    /// <summary>The connections of the peer's address hold as much as they may.</summary>
    NoRoomForAddress,
}
