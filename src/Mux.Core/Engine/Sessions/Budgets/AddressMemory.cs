namespace Mux.Engine;

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
