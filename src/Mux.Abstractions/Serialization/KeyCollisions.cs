using System.Buffers;
using System.ComponentModel;
using System.Runtime.InteropServices;

namespace Mux.Serialization;

/// <summary>
/// Finds integer keys in received bytes that an attacker chose to collide, for serializers that pass the bytes to a library which puts integers into hash
/// tables. The hashes of integers are public, and colliding keys take steps with the square of their number: 40,000 keys in 400 KB take seconds. Used by one
/// thread.
/// </summary>
/// <remarks>
/// The keys of several tables may be checked together: a repeated key counts each time, and a table with some of the keys takes no more steps than a table of
/// the same capacity with all of them. Strings need no check: their hashes have a random seed.
/// </remarks>
/// <param name="isLong">True if the keys have 64 bits; of shorter ones the lower 32 bits count.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class KeyCollisions(bool isLong)
{
    // This many keys may collide: half a million steps, about a millisecond.
    private const int Harmless = 1024;

    // Normal keys take about one step each; pairs of small numbers in the two halves of a long take a hundred.
    private const int StepsPerKey = 128;

    private static readonly uint[] s_capacities =
    [
        197, 431, 919, 1931, 4049, 8419, 17519, 36353, 75431, 156437, 324449, 672827, 1395263, 2893249, 5999471, 11998949, 23997907, 47995853, 95991737,
            191983481, 383966977, 767933981, 1535867969,
    ];

    private readonly List<long> _keys = [];

    /// <summary>
    /// Capacities of the framework's tables as they grow, from the first at which a key may take more than <see cref="StepsPerKey"/> steps.
    /// </summary>
    internal static ReadOnlySpan<uint> Capacities => s_capacities;

    /// <summary>Adds a key, which takes eight bytes of memory. Repeated keys must be added too, because a table looks for them.</summary>
    public void Add(long key) => _keys.Add(isLong ? key : (int)key);

    /// <summary>
    /// Returns true if a table would take far more steps for these keys than for normal keys: more than a million, plus, for each key, 128 and the mean number
    /// of keys per bucket.
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
            // All keys are checked, although a table of this capacity holds only as many as fit before it grows. Keys that spread well share a bucket with as
            // many others as there are keys per bucket.
            long expected = StepsPerKey + (distinct / capacity);
            if (StepsIn(capacity, keys) > ((long)Harmless * Harmless) + (expected * keys.Length)) return true;
            if (capacity >= distinct) return false;
        }

        return false;
    }

    // Each colliding key is compared with those before it, on average with half of them. A repeated key may be compared with all.
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
