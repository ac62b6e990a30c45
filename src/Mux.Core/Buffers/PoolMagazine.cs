namespace Mux.Buffers;

/// <summary>
/// Some objects of one <see cref="ObjectPool{T}"/>, one thread's at a time. Not generic, and found by the number of the pool: statics of a thread cost a call
/// into the runtime in generic code that types share, which was 5 % of a small call.
/// </summary>
internal sealed class PoolMagazine
{
    public const int Size = 32;

    private static int s_pools;

    [ThreadStatic]
    private static PoolMagazine?[]? t_byPool;

    private readonly Item[] _items = new Item[Size];

    /// <summary>Objects in it.</summary>
    public int Count { get; private set; }

    /// <summary>Pools are one per type and are never given up, so their numbers stay small where types are not loaded again and again.</summary>
    public static int NumberNewPool() => Interlocked.Increment(ref s_pools) - 1;

    /// <summary>What this thread holds of a pool, if anything.</summary>
    public static PoolMagazine? OfThread(int pool)
    {
        var byPool = t_byPool;
        return byPool is not null && (uint)pool < (uint)byPool.Length ? byPool[pool] : null;
    }

    /// <summary>Makes it what this thread holds of a pool.</summary>
    public static PoolMagazine GiveToThread(int pool, PoolMagazine magazine)
    {
        if (t_byPool is null || t_byPool.Length <= pool) Array.Resize(ref t_byPool, Volatile.Read(ref s_pools));
        t_byPool[pool] = magazine;
        return magazine;
    }

    /// <summary>Takes one out. There is one.</summary>
    public object Pop()
    {
        ref var last = ref _items[--Count];
        var item = last.Value!;
        last.Value = null;
        return item;
    }

    /// <summary>Puts one in. There is room.</summary>
    public void Push(object item) => _items[Count++].Value = item;

    /// <summary>Around an object, because storing into an array of objects asks for their type.</summary>
    private struct Item
    {
        public object? Value;
    }
}
