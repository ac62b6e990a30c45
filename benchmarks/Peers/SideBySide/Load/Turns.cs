namespace SideBySide.Load;

/// <summary>The order in which things are measured.</summary>
internal static class Turns
{
    // Shares no factor with the number of shapes or stacks, so each stack begins about as often as any other.
    private const int PerRound = 5;

    /// <summary>The same items in another order for each round and each place in it: the first ones come last.</summary>
    /// <param name="items">In any order.</param>
    /// <param name="round">From 0.</param>
    /// <param name="place">In the round, from 0.</param>
    public static IEnumerable<T> Of<T>(IReadOnlyList<T> items, int round, int place) =>
        Enumerable.Range(round * PerRound + place, items.Count).Select(at => items[at % items.Count]);
}
