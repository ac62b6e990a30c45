namespace Mux.Sessions.Budgets;

/// <summary>What the connections of one address hold together. Safe for concurrent use.</summary>
/// <param name="host">The address.</param>
internal sealed class AddressMemory(string host)
{
    private long _used;

    public string Host => host;

    /// <summary>How many share it. Guarded by the lock of <see cref="MemoryBudget"/>.</summary>
    public int Connections { get; set; }

    /// <summary>Bytes.</summary>
    public long Used => Volatile.Read(ref _used);

    public void Add(long bytes) => Interlocked.Add(ref _used, bytes);

    /// <summary>Counts bytes, if they and what is there are no more than a limit.</summary>
    public bool TryAdd(long bytes, long limit)
    {
        long used = Used;
        while (limit - used >= bytes)
        {
            long seen = Interlocked.CompareExchange(ref _used, used + bytes, used);
            if (seen == used) return true;
            used = seen;
        }

        return false;
    }
}
