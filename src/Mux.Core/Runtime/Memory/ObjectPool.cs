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
