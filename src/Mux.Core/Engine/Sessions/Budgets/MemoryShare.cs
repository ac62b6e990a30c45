using Mux.Runtime;

namespace Mux.Engine;

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
