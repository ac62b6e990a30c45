namespace Mux.Runtime;

/// <summary>
/// Objects of one <see cref="ObjectPool{T}"/>, used by one thread at a time. Not generic, and found by the number of its pool: in shared generic code, thread
/// statics cost a call into the runtime, which was 5 % of a small call.
/// </summary>
internal sealed class PoolMagazine
{
    public const int Size = 32;

    private static int s_pools;

    [ThreadStatic]
    private static PoolMagazine?[]? t_byPool;

    private readonly Item[] _items = new Item[Size];

    /// <summary>Number of objects.</summary>
    public int Count { get; private set; }

    /// <summary>Numbers a new pool. Pools are one per type and never released, so numbers stay small unless types are loaded again and again.</summary>
    public static int NumberNewPool() => Interlocked.Increment(ref s_pools) - 1;

    /// <summary>Gets this thread's magazine of a pool, or null.</summary>
    public static PoolMagazine? OfThread(int pool)
    {
        var byPool = t_byPool;
        return byPool is not null && (uint)pool < (uint)byPool.Length ? byPool[pool] : null;
    }

    /// <summary>Sets this thread's magazine of a pool.</summary>
    public static PoolMagazine GiveToThread(int pool, PoolMagazine magazine)
    {
        if (t_byPool is null || t_byPool.Length <= pool) Array.Resize(ref t_byPool, Volatile.Read(ref s_pools));
        t_byPool[pool] = magazine;
        return magazine;
    }

    /// <summary>Removes an object. The magazine must not be empty.</summary>
    public object Pop()
    {
        ref var last = ref _items[--Count];
        var item = last.Value!;
        last.Value = null;
        return item;
    }

    /// <summary>Adds an object. The magazine must not be full.</summary>
    public void Push(object item) => _items[Count++].Value = item;

    /// <summary>Wraps an object: a store into an array of objects would check its type.</summary>
    private struct Item
    {
        public object? Value;
    }
}
