using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Mux.Runtime;

/// <summary>
/// Keeps finished objects of one type for reuse: magazines of 32 per thread, exchanged through a shared depot when one is empty or full. A thread that only
/// rents and a thread that only returns need one lock per 32 objects; a thread that does both needs none.
/// </summary>
/// <remarks>
/// The caller resets objects and returns each at most once. The pool holds at most 32 objects per thread and <see cref="MaxDepot"/> full magazines; the garbage
/// collector frees the rest. Thread-safe.
/// </remarks>
internal sealed class ObjectPool<T>
    where T : class
{
    /// <summary>2,048 objects: enough for the largest burst of the load shapes (2,000 concurrent calls).</summary>
    private const int MaxDepot = 64;

    // Magazines of living threads would keep the types of a plug-in from being unloaded.
    private readonly bool _keepsNothing = typeof(T).IsCollectible;
    private readonly int _number = PoolMagazine.NumberNewPool();
    private readonly Lock _depotGate = new();
    private readonly Stack<PoolMagazine> _depot = new(MaxDepot);

    /// <summary>Magazines that were exchanged for full ones: never more than the depot and the threads hold together.</summary>
    private readonly Stack<PoolMagazine> _empty = new();

    private ObjectPool()
    {
    }

    /// <summary>The pool of the type. Generic code that types share should keep it in a field, because each access costs a lookup there.</summary>
    public static ObjectPool<T> Shared { get; } = new();

    /// <summary>Rents a returned object, or null if there is none.</summary>
    public T? TryRent()
    {
        var magazine = PoolMagazine.OfThread(_number);
        if (magazine is null || magazine.Count == 0)
        {
            magazine = TakeFull();
            if (magazine is null) return null;
        }

        return Unsafe.As<T>(magazine.Pop()); // only Return stores objects in magazines of this number
    }

    /// <summary>Keeps the object, if there is room.</summary>
    public void Return(T item)
    {
        var magazine = PoolMagazine.OfThread(_number);
        if (magazine is null || magazine.Count == PoolMagazine.Size)
        {
            if (_keepsNothing) return;
            magazine = StoreFull(magazine);
        }

        magazine.Push(item);
    }

    private PoolMagazine? TakeFull()
    {
        lock (_depotGate)
        {
            if (!_depot.TryPop(out var full)) return null;
            if (PoolMagazine.OfThread(_number) is { } empty) _empty.Push(empty);
            return PoolMagazine.GiveToThread(_number, full);
        }
    }

    private PoolMagazine StoreFull(PoolMagazine? full)
    {
        lock (_depotGate)
        {
            if (full is not null && _depot.Count < MaxDepot) _depot.Push(full);
            return PoolMagazine.GiveToThread(_number, _empty.TryPop(out var empty) ? empty : new PoolMagazine());
        }
    }
}

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

/// <summary>
/// A queue that most connections never use: it takes no memory until its first item, and its array shrinks with its items.
/// A part of its owner, whose field is not readonly.
/// </summary>
internal struct SeldomQueue<T>
{
    /// <summary>Items for which it keeps its memory.</summary>
    private const int KeptCapacity = 16;

    private static readonly Queue<T> s_empty = new(0); // never filled

    private Queue<T>? _items;

    public readonly int Count => _items is null ? 0 : _items.Count;

    public void Enqueue(T item) => (_items ??= new()).Enqueue(item);

    public readonly bool TryDequeue([MaybeNullWhen(false)] out T item)
    {
        item = default;
        if (Count == 0) return false;
        item = Dequeue();
        return true;
    }

    /// <summary>Takes the first item. The queue must not be empty.</summary>
    public readonly T Dequeue()
    {
        var item = _items!.Dequeue();
        // To twice what it has: so it moves as many items as have left since.
        if (_items.Capacity > KeptCapacity && _items.Count < _items.Capacity / 4) _items.TrimExcess(Math.Max(KeptCapacity, 2 * _items.Count));
        return item;
    }

    /// <summary>Gets the first item. The queue must not be empty.</summary>
    public readonly T Peek() => _items!.Peek();

    public readonly Queue<T>.Enumerator GetEnumerator() => (_items ?? s_empty).GetEnumerator();
}
