using Mux.Buffers;

namespace Mux.Connections.Budgets;

/// <summary>What one connection holds of the memory of its server. Safe for concurrent use.</summary>
/// <param name="budget">Of the server.</param>
/// <param name="address">What it shares with others of its address; null where that does not count.</param>
internal sealed class MemoryShare(MemoryBudget budget, AddressMemory? address) : IHeldMemory
{
    private long _used;

    public MemoryBudget Budget => budget;

    /// <summary>Guarded by the lock of <see cref="MemoryBudget"/>.</summary>
    public AddressMemory? Address { get; set; } = address;

    /// <summary>Bytes. Written under the lock of <see cref="MemoryBudget"/>.</summary>
    public long Used
    {
        get => Volatile.Read(ref _used);
        set => Volatile.Write(ref _used, value);
    }

    public bool IsShort => Used is > 0 and var own && budget.IsShort(own);

    /// <summary>Takes bytes, if there is room for them.</summary>
    public MemoryVerdict TryTake(long bytes) => budget.TryTake(this, bytes);

    public void Take(long bytes) => budget.Add(this, bytes);

    public void Release(long bytes) => budget.Add(this, -bytes);

    /// <summary>The peer is known: its address counts no more.</summary>
    public void LeaveAddress() => budget.LeaveAddress(this);

    /// <summary>The connection is gone, and nothing more is asked for.</summary>
    public void Leave() => budget.LeaveAddress(this);

    /// <summary>What a peer is told of what has no room.</summary>
    /// <param name="what">That has none: "request".</param>
    /// <param name="bytes">Its length.</param>
    /// <param name="verdict">Why.</param>
    public string Describe(string what, long bytes, MemoryVerdict verdict) => verdict == MemoryVerdict.NoRoomForAddress
        ? $"There is no room for the {what} of {bytes} bytes: the connections of its address make the server hold as much as Limits.MaxHeldBytesPerAddress allows, {budget.PerAddress} bytes."
        : $"There is no room for the {what} of {bytes} bytes: peers make the server hold {budget.Used} bytes, of which this connection has its share, and Limits.MaxHeldBytes allows {budget.Limit}.";
}
