namespace Mux.Generators.Messages.Models;

/// <summary>
/// Approximate memory of a new collection in bytes on a 64-bit machine, which decoding charges for it. Unless stated otherwise, it includes the first items of
/// 8 bytes. Further items are bounded by the bytes that they arrive in. An object has a header of 16 bytes, an array one of 24.
/// </summary>
internal static class ObjectSizes
{
    /// <summary>An empty List, Queue or Stack: the header, 16, a shared array, 8, a count and a version, 2 * 4.</summary>
    public const int EmptyList = 32;

    /// <summary>An empty Dictionary or HashSet: the header, 16, five references of 8, a multiplier of 8 and four counters of 4.</summary>
    public const int EmptyTable = 80;

    /// <summary>A List, Queue or Stack: 32, and an array of 4 items, 24 + 4 * 8. User-defined and sorted lists take no less.</summary>
    public const int List = 88;

    /// <summary>
    /// A Dictionary or HashSet: 80, three buckets, 24 + 3 * 4 in steps of 8, and three entries of hash, link, key and value, 24 + 3 * 24: 216.
    /// </summary>
    public const int Table = 220;

    /// <summary>A ConcurrentQueue or ConcurrentBag: 32 slots of 16 bytes, and two counters on separate cache lines, 3 * 64: 704.</summary>
    public const int Concurrent = 700;

    /// <summary>
    /// A ConcurrentDictionary: 31 buckets of 8, and for each processor a lock of 24 with its place of 8 and a counter of 4: 1,976 with 48 of them.
    /// </summary>
    public const int ConcurrentTable = 2000;
}
