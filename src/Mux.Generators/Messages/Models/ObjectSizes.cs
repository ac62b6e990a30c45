namespace Mux.Generators.Messages.Models;

/// <summary>
/// Bytes that a collection takes when it is made and, but for those that say otherwise, holds its first items of 8 bytes, about, on a 64-bit machine: what
/// decoding pays for it. Items beyond the first are bounded by the bytes that they arrive in. An object has a header of 16 bytes and an array one of 24.
/// </summary>
internal static class ObjectSizes
{
    /// <summary>A List, Queue or Stack without items: the header, 16, an array of all, 8, a count and a version, 2 * 4.</summary>
    public const int EmptyList = 32;

    /// <summary>A Dictionary or HashSet without items: the header, 16, five references of 8, a multiplier of 8 and four counters of 4.</summary>
    public const int EmptyTable = 80;

    /// <summary>A List, Queue or Stack: 32, and an array of 4 items, 24 + 4 * 8. Lists of one's own and sorted ones have no less.</summary>
    public const int List = 88;

    /// <summary>
    /// A Dictionary or HashSet: 80, three buckets, 24 + 3 * 4 in steps of 8, and three entries of hash, link, key and value, 24 + 3 * 24: 216.
    /// </summary>
    public const int Table = 220;

    /// <summary>A ConcurrentQueue or ConcurrentBag: 32 slots of 16 bytes, and two counters on cache lines of their own, 3 * 64: 704.</summary>
    public const int Concurrent = 700;

    /// <summary>
    /// A ConcurrentDictionary: 31 buckets of 8, and for each processor a lock of 24 with its place of 8 and a counter of 4: 1,976 with 48 of them.
    /// </summary>
    public const int ConcurrentTable = 2000;
}
