using System.Buffers;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>
/// Counts the steps in which a hash table finds the keys of one message, and rejects keys that an attacker chose to fall into one bucket: a hundred thousand of
/// them would take minutes. Any number of normal keys is accepted.
/// </summary>
/// <remarks>
/// A table of the framework has as many buckets as its capacity, and uses the one at hash modulo capacity. Strings need no check: their hashes have a random
/// seed. Lives on the stack of one thread.
/// </remarks>
internal ref struct KeySpread : IDisposable
{
    /// <summary>Multiplier for tables of the framework, which use the hash itself.</summary>
    public const uint AsInTables = 1;

    // Fewer keys are not counted: they take no more steps than their bytes allow.
    private const int Uncounted = 32;

    // Collections in which only equal hashes collide search in a tree, which takes longer than a step in a table.
    private const int StepInTree = 2;

    // For tables with unknown buckets: 50 million steps if all keys collide.
    private const int MaxUnknown = 10_000;

    private const string Chosen = "its keys were chosen to have the same place in a hash table";

    private static readonly uint s_multiplier = (uint)Random.Shared.Next() * 2 + 1;

    private readonly int[] _counts;
    private readonly uint _buckets;
    private readonly uint _multiplier;

    /// <param name="reader">Reader of the message, which is charged for a counter per bucket: a table that was large once may stay large.</param>
    /// <param name="buckets">Number of buckets of the table, which must not grow before this is disposed.</param>
    /// <param name="multiplier"><see cref="AsInTables"/> or <see cref="AtRandom"/>.</param>
    /// <exception cref="InvalidMessageException">The message makes the same table be searched too often.</exception>
    public KeySpread(scoped ref MessageReader reader, int buckets, uint multiplier)
    {
        reader.PayForCopy((long)buckets * sizeof(int));
        _counts = ArrayPool<int>.Shared.Rent(buckets);
        _counts.AsSpan(0, buckets).Clear();
        _buckets = (uint)buckets;
        _multiplier = multiplier;
    }

    /// <summary>Multiplier for collections in which only equal hashes collide: random, so that colliding keys cannot be chosen.</summary>
    public static uint AtRandom => s_multiplier;

    /// <summary>True if this many keys of the type can be harmful.</summary>
    public static bool IsNeeded<T>(int count)
    {
        return count > Uncounted && (RuntimeHelpers.IsReferenceOrContainsReferences<T>() ? typeof(T) != typeof(string) : Unsafe.SizeOf<T>() > sizeof(short));
    }

    /// <summary>
    /// Rejects more keys than are harmless in any kind of table, and charges for existing keys as if each new key were compared with all of them.
    /// </summary>
    public static void CheckUnknown<T>(ref MessageReader reader, int kept, int added)
    {
        if (!IsNeeded<T>(kept + added)) return;
        if (!reader.TryStep((long)kept * added)) reader.ThrowValue(Chosen);
        if (kept + added > MaxUnknown)
        {
            reader.ThrowValue($"it has more than {MaxUnknown} keys that are not strings; of the collections with hash tables, only a Dictionary or HashSet " +
                "can safely hold more");
        }
    }

    /// <summary>Gets the hash by which a table finds a key.</summary>
    public static int HashOf<T>(IEqualityComparer<T> comparer, T key) => key is null ? 0 : comparer.GetHashCode(key);

    /// <summary>Charges the steps to the place of a key.</summary>
    /// <exception cref="InvalidMessageException">The keys take far more steps than normal keys.</exception>
    public void Look(scoped ref MessageReader reader, int hash)
    {
        long steps = _counts[BucketOf(hash)];
        if (!reader.TryStep(_multiplier == AsInTables ? steps : steps * StepInTree)) reader.ThrowValue(Chosen);
    }

    /// <summary>Counts a key that the table now has.</summary>
    public readonly void Put(int hash) => _counts[BucketOf(hash)]++;

    public readonly void Dispose() => ArrayPool<int>.Shared.Return(_counts);

    private readonly uint BucketOf(int hash)
    {
        Debug.Assert(_buckets > 0);
        if (_multiplier == AsInTables) return (uint)hash % _buckets;
        // uses the upper bits: the lower ones are those of the hash, which are all 0 for multiples of a power of two
        return (uint)((ulong)unchecked((uint)hash * _multiplier) * _buckets >> 32);
    }
}
