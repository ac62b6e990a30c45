using System.Buffers;
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Mux.Serialization;

/// <summary>
/// Counts the steps that a hash table takes to find the keys of one message, and refuses those that somebody chose to fall into the same
/// bucket: a hundred thousand of them would take minutes. Nothing that falls as keys fall by themselves is refused, however many they are.
/// </summary>
/// <remarks>
/// A table of the framework has as many buckets as its capacity says and takes the one at hash modulo capacity. Strings need none of this:
/// their hashes are of a random seed. Lives on the stack of one thread.
/// </remarks>
internal ref struct KeySpread : IDisposable
{
    /// <summary>How hashes become buckets in tables of the framework.</summary>
    public const uint AsInTables = 1;

    // So few keys are not counted: they take no more steps than the bytes that they come in allow.
    private const int Uncounted = 32;

    // Where only equal hashes meet, they are searched for in a tree, which takes longer than a step in a table.
    private const int StepInTree = 2;

    // Of tables whose buckets cannot be known: 50 million steps if all keys fall together.
    private const int MaxUnknown = 10_000;

    private const string Chosen = "its keys were chosen to have the same place in a hash table";

    private static readonly uint s_multiplier = (uint)Random.Shared.Next() * 2 + 1;

    private readonly int[] _counts;
    private readonly uint _buckets;
    private readonly uint _multiplier;

    /// <param name="reader">Of the message, which pays for as many counts as there are buckets: a table that was large once may stay so.</param>
    /// <param name="buckets">Of the table; it must not grow before this is disposed.</param>
    /// <param name="multiplier"><see cref="AsInTables"/> or <see cref="AtRandom"/>.</param>
    /// <exception cref="InvalidMessageException">The message makes ever the same table be looked through.</exception>
    public KeySpread(scoped ref MessageReader reader, int buckets, uint multiplier)
    {
        reader.PayForCopy((long)buckets * sizeof(int));
        _counts = ArrayPool<int>.Shared.Rent(buckets);
        _counts.AsSpan(0, buckets).Clear();
        _buckets = (uint)buckets;
        _multiplier = multiplier;
    }

    /// <summary>How hashes become buckets where only equal hashes meet: at random, so that nobody can choose keys that do.</summary>
    public static uint AtRandom => s_multiplier;

    /// <summary>Whether so many keys of the type can do harm.</summary>
    public static bool IsNeeded<T>(int count)
    {
        return count > Uncounted && (RuntimeHelpers.IsReferenceOrContainsReferences<T>() ? typeof(T) != typeof(string) : Unsafe.SizeOf<T>() > sizeof(short));
    }

    /// <summary>
    /// Refuses more keys than are harmless in a table of any kind, and counts those that it holds already as if each that comes met them all.
    /// </summary>
    public static void CheckUnknown<T>(ref MessageReader reader, int kept, int added)
    {
        if (!IsNeeded<T>(kept + added)) return;
        if (!reader.TryStep((long)kept * added)) reader.ThrowValue(Chosen);
        if (kept + added > MaxUnknown)
            reader.ThrowValue($"it has more than {MaxUnknown} keys that are no strings, which is safe in collections of hash tables that are a Dictionary " +
                $"or HashSet only");
    }

    /// <summary>The hash by which a table finds a key.</summary>
    public static int HashOf<T>(IEqualityComparer<T> comparer, T key) => key is null ? 0 : comparer.GetHashCode(key);

    /// <summary>Counts the steps to where a key is or will be.</summary>
    /// <exception cref="InvalidMessageException">The keys take far more steps than keys that nobody has chosen.</exception>
    public void Look(scoped ref MessageReader reader, int hash)
    {
        long steps = _counts[BucketOf(hash)];
        if (!reader.TryStep(_multiplier == AsInTables ? steps : steps * StepInTree)) reader.ThrowValue(Chosen);
    }

    /// <summary>Takes note of a key that the table holds from now on.</summary>
    public readonly void Put(int hash) => _counts[BucketOf(hash)]++;

    public readonly void Dispose() => ArrayPool<int>.Shared.Return(_counts);

    private readonly uint BucketOf(int hash)
    {
        Debug.Assert(_buckets > 0);
        if (_multiplier == AsInTables) return (uint)hash % _buckets;
        // the upper bits: the lower ones are those of the hash, of which multiples of a power of two have none
        return (uint)((ulong)unchecked((uint)hash * _multiplier) * _buckets >> 32);
    }
}
