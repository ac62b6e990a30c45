using System.Buffers;
using System.ComponentModel;
using System.Runtime.InteropServices;

namespace Mux.Serialization;

/// <summary>
/// For serializers that give received bytes to a library which puts integers into hash tables: collects the integers beforehand and finds those that somebody
/// has chosen to fall into the same places. The hashes of integers are known to everybody, and a table takes steps with the square of their number for those
/// that collide: 40,000 of them in 400 KB take seconds. Used by one thread.
/// </summary>
/// <remarks>
/// The keys of several tables may be looked at as one: a key that comes again counts as often as it comes, and a table of some of the keys takes no more steps
/// than one of the same capacity with all of them. Strings need none of this: their hashes are of a random seed.
/// </remarks>
/// <param name="isLong">Whether the keys are of 64 bits; of shorter ones the lower 32 count.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class KeyCollisions(bool isLong)
{
    // So many may fall together: half a million steps, about a millisecond.
    private const int Harmless = 1024;

    // Keys that fall by themselves take about one step each, pairs of small numbers in the two halves of a long a hundred.
    private const int StepsPerKey = 128;

    private static readonly uint[] s_capacities =
    [
        197, 431, 919, 1931, 4049, 8419, 17519, 36353, 75431, 156437, 324449, 672827, 1395263, 2893249, 5999471, 11998949, 23997907, 47995853, 95991737,
            191983481, 383966977, 767933981, 1535867969,
    ];

    private readonly List<long> _keys = [];

    /// <summary>
    /// The capacities that a table of the framework has while it grows, from the first at which a key may take more than <see cref="StepsPerKey"/> steps.
    /// </summary>
    internal static ReadOnlySpan<uint> Capacities => s_capacities;

    /// <summary>Takes a key, which takes eight bytes of memory; also one that came before, since a table looks for it all the same.</summary>
    public void Add(long key) => _keys.Add(isLong ? key : (int)key);

    /// <summary>
    /// Whether a table would take far more steps for the keys than for keys that nobody has chosen: more than a million, 128 for each, and as many for each as
    /// there are keys to a place.
    /// </summary>
    public bool AreChosen()
    {
        if (_keys.Count <= Harmless) return false;
        var keys = CollectionsMarshal.AsSpan(_keys);
        keys.Sort();
        int distinct = 0;
        for (int i = 0; i < keys.Length; i++) distinct += IsFirst(keys, i) ? 1 : 0;
        foreach (uint capacity in s_capacities)
        {
            // All keys are looked at, of which a table of this capacity has no more than fit when it grows: keys that spread well share a place with as many
            // others as there are to a place.
            long expected = StepsPerKey + (distinct / capacity);
            if (StepsIn(capacity, keys) > ((long)Harmless * Harmless) + (expected * keys.Length)) return true;
            if (capacity >= distinct) return false;
        }

        return false;
    }

    // Of those that fall together each looks at the ones before it: at half of them, all in all. One that comes again may look at all.
    private long StepsIn(uint capacity, ReadOnlySpan<long> keys)
    {
        var counts = ArrayPool<int>.Shared.Rent((int)capacity);
        counts.AsSpan(0, (int)capacity).Clear();
        for (int i = 0; i < keys.Length; i++)
        {
            if (IsFirst(keys, i)) counts[PlaceOf(keys[i], capacity)]++;
        }

        long twice = 0;
        for (int i = 0; i < keys.Length; i++) twice += Math.Min(counts[PlaceOf(keys[i], capacity)] - 1, (int)capacity) * (IsFirst(keys, i) ? 1L : 2L);
        ArrayPool<int>.Shared.Return(counts);
        return twice / 2;
    }

    private static bool IsFirst(ReadOnlySpan<long> sorted, int index) => index == 0 || sorted[index] != sorted[index - 1];

    private uint PlaceOf(long key, uint capacity) => (uint)(isLong ? key.GetHashCode() : (int)key) % capacity;
}
