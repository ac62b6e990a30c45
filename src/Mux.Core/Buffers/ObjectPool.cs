using System.Runtime.CompilerServices;

namespace Mux.Buffers;

/// <summary>
/// Keeps finished objects of one type for reuse: per-thread magazines of 32, exchanged through a shared depot when one is empty or full. So a thread that
/// only rents and a thread that only returns meet at one lock per 32 objects, and a thread that does both meets no lock at all.
/// </summary>
/// <remarks>
/// The caller resets objects and returns each at most once. Bounded: 32 objects per thread and <see cref="MaxDepot"/> full magazines; the garbage collector
/// takes what is above. Safe for concurrent use.
/// </remarks>
internal sealed class ObjectPool<T>
    where T : class
{
    /// <summary>2,048 objects: what the largest burst of the load shapes (2,000 calls in flight) leaves behind.</summary>
    private const int MaxDepot = 64;

    // Threads that live on would keep a plug-in's types from being unloaded.
    private readonly bool _keepsNothing = typeof(T).IsCollectible;
    private readonly int _number = PoolMagazine.NumberNewPool();
    private readonly Lock _depotGate = new();
    private readonly Stack<PoolMagazine> _depot = new(MaxDepot);

    /// <summary>Magazines that were exchanged for full ones: as many as went through the depot, so never more than it and the threads hold.</summary>
    private readonly Stack<PoolMagazine> _empty = new();

    private ObjectPool()
    {
    }

    /// <summary>
    /// The one pool of the type. Generic code that is shared by types pays for each look at this: it keeps the pool in a field.
    /// </summary>
    public static ObjectPool<T> Shared { get; } = new();

    /// <summary>A returned object, or null if there is none at hand.</summary>
    public T? TryRent()
    {
        var magazine = PoolMagazine.OfThread(_number);
        if (magazine is null || magazine.Count == 0)
        {
            magazine = TakeFull();
            if (magazine is null) return null;
        }

        return Unsafe.As<T>(magazine.Pop()); // only Return puts objects into magazines of this number
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
