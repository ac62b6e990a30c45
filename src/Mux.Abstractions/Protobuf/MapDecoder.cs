using System.ComponentModel;
using System.Runtime.CompilerServices;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>Puts the entries of one field into the map that holds them, for generated code, as <see cref="CollectionDecoder"/> does with items.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class MapDecoder
{
    internal const string Twice = "two entries have the same key, and the member does not say which one counts";

    /// <summary>Adds the entries.</summary>
    /// <param name="items">The entries of the field.</param>
    /// <param name="reader">Reader of the message, which is charged.</param>
    /// <param name="tag">Tag of the field, for errors.</param>
    /// <param name="target">The map.</param>
    /// <param name="isUnique">True if a repeated key is rejected; otherwise the last entry counts.</param>
    /// <exception cref="InvalidMessageException"> The objects of the message would take far more memory than its bytes; its keys were chosen to collide; or a
    /// key is repeated and must not be.
    /// </exception>
    public static void AddTo<TKey, TValue>(
        this ref ItemBuffer<KeyValuePair<TKey, TValue>> items, scoped ref MessageReader reader, uint tag, Dictionary<TKey, TValue> target, bool isUnique)
        where TKey : notnull
    {
        items.Pay(ref reader, tag, CollectionDecoder.SlotOverhead);
        items.CheckKeys(ref reader);
        int kept = target.Count;
        // EnsureCapacity grows to exactly what is requested: doubling keeps repeated fields cheap
        if (kept + items.Items.Length > target.Capacity) target.EnsureCapacity(Math.Max(kept + items.Items.Length, 2 * kept));
        if (KeySpread.IsNeeded<TKey>(kept + items.Items.Length))
        {
            reader.PayForCopy((long)kept * (Unsafe.SizeOf<KeyValuePair<TKey, TValue>>() + CollectionDecoder.SlotOverhead));
            using var spread = new KeySpread(ref reader, target.Capacity, KeySpread.AsInTables);
            foreach (var entry in target) spread.Put(KeySpread.HashOf(target.Comparer, entry.Key));
            foreach (var entry in items.Items)
            {
                int hash = KeySpread.HashOf(target.Comparer, entry.Key);
                spread.Look(ref reader, hash);
                if (target.TryAdd(entry.Key, entry.Value)) spread.Put(hash);
                else if (isUnique) reader.ThrowValue(Twice);
                else target[entry.Key] = entry.Value;
            }
        }
        else
        {
            foreach (var entry in items.Items)
            {
                if (!isUnique) target[entry.Key] = entry.Value;
                else if (!target.TryAdd(entry.Key, entry.Value)) reader.ThrowValue(Twice);
            }
        }

        items.Release();
    }

    /// <summary>Adds the entries to a map of any type.</summary>
    /// <inheritdoc cref="AddTo{TKey, TValue}(ref ItemBuffer{KeyValuePair{TKey, TValue}}, ref MessageReader, uint, Dictionary{TKey, TValue}, bool)"/>
    public static void AddTo<TKey, TValue>(
        this ref ItemBuffer<KeyValuePair<TKey, TValue>> items, scoped ref MessageReader reader, uint tag, IDictionary<TKey, TValue> target, bool isUnique)
        where TKey : notnull
    {
        switch (target)
        {
            case Dictionary<TKey, TValue> table:
                items.AddTo(ref reader, tag, table, isUnique);
                return;
            case SortedList<TKey, TValue> list:
                items.AddTo(ref reader, tag, list, isUnique);
                return;
            case not SortedDictionary<TKey, TValue>:
                reader.Blame(tag);
                KeySpread.CheckUnknown<TKey>(ref reader, target.Count, items.Items.Length);
                break;
        }

        items.Pay(ref reader, tag, CollectionDecoder.NodeSize);
        items.CheckKeys(ref reader);
        foreach (var entry in items.Items)
        {
            if (!isUnique) target[entry.Key] = entry.Value;
            else if (target.ContainsKey(entry.Key)) reader.ThrowValue(Twice);
            else target.Add(entry.Key, entry.Value);
        }

        items.Release();
    }

    /// <summary>Adds the entries to a map, or to a new map with its entries if the map cannot be changed.</summary>
    /// <param name="items">The entries of the field.</param>
    /// <param name="reader">Reader of the message, which is charged.</param>
    /// <param name="tag">Tag of the field, for errors.</param>
    /// <param name="existing">Current value of the member, or null.</param>
    /// <param name="isUnique">True if a repeated key is rejected; otherwise the last entry counts.</param>
    /// <returns>New value of the member.</returns>
    /// <exception cref="InvalidMessageException">The same as for a map whose type is known.</exception>
    public static IDictionary<TKey, TValue> AppendTo<TKey, TValue>(
        this ref ItemBuffer<KeyValuePair<TKey, TValue>> items, scoped ref MessageReader reader, uint tag, IDictionary<TKey, TValue>? existing, bool isUnique)
        where TKey : notnull
    {
        if (existing is not { IsReadOnly: false }) existing = Copy(ref reader, tag, existing);
        items.AddTo(ref reader, tag, existing, isUnique);
        return existing;
    }

    /// <inheritdoc cref="AppendTo{TKey, TValue}(ref ItemBuffer{KeyValuePair{TKey, TValue}}, ref MessageReader, uint, IDictionary{TKey, TValue}, bool)"/>
    public static IReadOnlyDictionary<TKey, TValue> AppendTo<TKey, TValue>(
        this ref ItemBuffer<KeyValuePair<TKey, TValue>> items, scoped ref MessageReader reader, uint tag, IReadOnlyDictionary<TKey, TValue>? existing,
            bool isUnique)
        where TKey : notnull
    {
        if (existing is not IDictionary<TKey, TValue> { IsReadOnly: false } target) target = Copy(ref reader, tag, existing);
        items.AddTo(ref reader, tag, target, isUnique);
        return (IReadOnlyDictionary<TKey, TValue>)target;
    }

    /// <summary>
    /// Rejects null keys, such as an empty URI or the result of a surrogate's conversion. Texts are never null, even if they are missing.
    /// </summary>
    internal static void CheckKeys<TKey, TValue>(this ref ItemBuffer<KeyValuePair<TKey, TValue>> items, scoped ref MessageReader reader)
    {
        if (default(TKey) is not null || typeof(TKey) == typeof(string)) return;
        foreach (ref readonly var entry in items.Items)
        {
            if (entry.Key is null) reader.ThrowValue("the key of an entry is null, which no map can hold");
        }
    }

    // An insertion before the end moves the entries after it. So entries are added in order, and a message that repeats the field is charged.
    private static void AddTo<TKey, TValue>(
        this ref ItemBuffer<KeyValuePair<TKey, TValue>> items, scoped ref MessageReader reader, uint tag, SortedList<TKey, TValue> target, bool isUnique)
        where TKey : notnull
    {
        items.Pay(ref reader, tag, overhead: 0);
        items.CheckKeys(ref reader);
        foreach (var entry in items.Items.ToArray().OrderBy(static entry => entry.Key, target.Comparer))
        {
            int count = target.Count;
            if (count > 0 && target.Comparer.Compare(entry.Key, target.GetKeyAtIndex(count - 1)) < 0)
            {
                reader.PayForCopy((long)count * Unsafe.SizeOf<KeyValuePair<TKey, TValue>>());
            }

            if (!isUnique) target[entry.Key] = entry.Value;
            else if (!target.TryAdd(entry.Key, entry.Value)) reader.ThrowValue(Twice);
        }

        items.Release();
    }

    private static Dictionary<TKey, TValue> Copy<TKey, TValue>(scoped ref MessageReader reader, uint tag, IEnumerable<KeyValuePair<TKey, TValue>>? existing)
        where TKey : notnull
    {
        reader.Blame(tag);
        var copy = reader.PayForMemory(existing is null ? [] : new Dictionary<TKey, TValue>(existing), CollectionDecoder.MadeSize);
        reader.PayForCopy((long)copy.Count * (Unsafe.SizeOf<KeyValuePair<TKey, TValue>>() + CollectionDecoder.SlotOverhead));
        return copy;
    }
}
