using Mux.Buffers;

namespace Mux.Sessions.Budgets;

/// <summary>What one connection holds of the memory of its server. Safe for concurrent use.</summary>
/// <param name="budget">Of the server.</param>
/// <param name="address">What it shares with others of its address; null where that does not count.</param>
internal sealed class MemoryShare(MemoryBudget budget, AddressMemory? address) : IHeldMemory
{
    private const long Left = 1;

    // twice the bytes, and whether the address does not count: what is counted while it leaves is on one side of that
    private long _state = address is null ? Left : 0;

    public MemoryBudget Budget => budget;

    /// <summary>What it counts for now; null where that does not count, or no more.</summary>
    public AddressMemory? Address => (Volatile.Read(ref _state) & Left) == 0 ? Joined : null;

    /// <summary>What it counted for at first.</summary>
    public AddressMemory? Joined => address;

    /// <summary>Bytes.</summary>
    public long Used => Volatile.Read(ref _state) >> 1;

    public bool IsShort => Used is > 0 and var own && budget.IsShort(own);

    /// <summary>Takes bytes, if there is room for them.</summary>
    public MemoryVerdict TryTake(long bytes) => budget.TryTake(this, bytes);

    public void Take(long bytes) => budget.Add(this, bytes);

    public void Release(long bytes) => budget.Add(this, -bytes);

    /// <summary>The peer is known: its address counts no more.</summary>
    public void LeaveAddress() => budget.LeaveAddress(this);

    /// <summary>The connection is gone, and nothing more is asked for.</summary>
    public void Leave() => budget.LeaveAddress(this);

    /// <summary>For <see cref="MemoryBudget"/>: counts bytes, or fewer than none.</summary>
    /// <returns>Whether the address has to count them too.</returns>
    public bool Count(long bytes) => (Interlocked.Add(ref _state, bytes << 1) & Left) == 0;

    /// <summary>For <see cref="MemoryBudget"/>: from now on the address counts nothing of this.</summary>
    /// <param name="used">What it has counted.</param>
    /// <returns>Whether it counted until now.</returns>
    public bool TryLeaveAddress(out long used)
    {
        long before = Interlocked.Or(ref _state, Left);
        used = before >> 1;
        return (before & Left) == 0;
    }

    /// <summary>What a peer is told of what has no room.</summary>
    /// <param name="what">That has none: "request".</param>
    /// <param name="bytes">Its length.</param>
    /// <param name="verdict">Why.</param>
    public string Describe(string what, long bytes, MemoryVerdict verdict) => verdict == MemoryVerdict.NoRoomForAddress
        ? $"There is no room for the {what} of {bytes} bytes: the connections of its address make the server hold as much as Limits.MaxHeldBytesPerAddress " +
            $"allows, {budget.PerAddress} bytes."
        : $"There is no room for the {what} of {bytes} bytes: peers make the server hold what Limits.MaxHeldBytes allows, {budget.Limit} bytes, but for " +
            $"what is left for connections that hold little.";
}
