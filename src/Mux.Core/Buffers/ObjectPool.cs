namespace Mux.Buffers;

/// <summary>
/// Keeps finished objects of one type for reuse: per-thread magazines of 32, exchanged through a shared depot when one is empty or full. So a thread that
/// only rents and a thread that only returns meet at one lock per 32 objects, and a thread that does both meets no lock at all.
/// </summary>
/// <remarks>
/// The caller resets objects and returns each at most once. Bounded: 32 objects per thread and <see cref="MaxDepot"/> full magazines; the garbage collector
/// takes what is above. Safe for concurrent use.
/// </remarks>
internal static class ObjectPool<T>
    where T : class
{
    private const int MagazineSize = 32;

    /// <summary>2,048 objects: what the largest burst of the load shapes (2,000 calls in flight) leaves behind.</summary>
    private const int MaxDepot = 64;

    private static readonly Lock s_depotGate = new();
    private static readonly Stack<Magazine> s_depot = new(MaxDepot);

    /// <summary>Magazines that were exchanged for full ones: as many as went through the depot, so never more than it and the threads hold.</summary>
    private static readonly Stack<Magazine> s_empty = new();

    [ThreadStatic]
    private static Magazine? t_magazine;

    /// <summary>A returned object, or null if there is none at hand.</summary>
    public static T? TryRent()
    {
        var magazine = t_magazine;
        if (magazine is null || magazine.Count == 0)
        {
            magazine = TakeFull();
            if (magazine is null) return null;
        }

        int last = --magazine.Count;
        var item = magazine.Items[last]!;
        magazine.Items[last] = null;
        return item;
    }

    /// <summary>Keeps the object, if there is room.</summary>
    public static void Return(T item)
    {
        var magazine = t_magazine;
        if (magazine is null || magazine.Count == MagazineSize) magazine = StoreFull(magazine);
        magazine.Items[magazine.Count++] = item;
    }

    private static Magazine? TakeFull()
    {
        lock (s_depotGate)
        {
            if (!s_depot.TryPop(out var full)) return null;
            if (t_magazine is { } empty) s_empty.Push(empty);
            return t_magazine = full;
        }
    }

    private static Magazine StoreFull(Magazine? full)
    {
        lock (s_depotGate)
        {
            if (full is not null && s_depot.Count < MaxDepot) s_depot.Push(full);
            return t_magazine = s_empty.TryPop(out var empty) ? empty : new Magazine();
        }
    }

    private sealed class Magazine
    {
        public readonly T?[] Items = new T?[MagazineSize];
        public int Count;
    }
}
