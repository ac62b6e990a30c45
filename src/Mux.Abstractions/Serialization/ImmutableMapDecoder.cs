using System.Collections.Immutable;
using System.ComponentModel;

namespace Mux.Serialization;

/// <summary>Adds the entries of one field to an immutable map, for generated code, as <see cref="MapDecoder"/> does with others.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ImmutableMapDecoder
{
    // A key is a node of the tree of hashes, with the bucket of all keys of its hash in it.
    private const int KeyOverhead = 48;

    /// <summary>Makes a map of what it holds already and the entries.</summary>
    /// <param name="items">What was read.</param>
    /// <param name="reader">Of the message, which pays.</param>
    /// <param name="tag">Of the field, for errors.</param>
    /// <param name="existing">What the member holds, or null.</param>
    /// <param name="isUnique">Whether a key that is there already is refused; else the last entry counts.</param>
    /// <returns>What the member holds from now on.</returns>
    /// <exception cref="InvalidMessageException">
    /// The objects of the message take far more than its bytes; its keys were chosen to collide; or a key comes twice and must not.
    /// </exception>
    public static ImmutableDictionary<TKey, TValue> AppendTo<TKey, TValue>(
        this ref ItemBuffer<KeyValuePair<TKey, TValue>> items, scoped ref MessageReader reader, uint tag, ImmutableDictionary<TKey, TValue>? existing,
            bool isUnique)
        where TKey : notnull
    {
        existing ??= ImmutableDictionary<TKey, TValue>.Empty;
        items.Pay(ref reader, tag, KeyOverhead);
        items.CheckKeys(ref reader);
        int keys = existing.Count + items.Items.Length;
        var appended = existing.ToBuilder();
        if (!KeySpread.IsNeeded<TKey>(keys)) appended.Add(ref reader, items.Items, isUnique);
        else
        {
            reader.PayForCopy((long)existing.Count * KeyOverhead);
            using var spread = new KeySpread(ref reader, keys, KeySpread.AtRandom);
            foreach (var entry in existing) spread.Put(KeySpread.HashOf(existing.KeyComparer, entry.Key));
            for (int i = 0; i < items.Items.Length; i++)
            {
                int hash = KeySpread.HashOf(existing.KeyComparer, items.Items[i].Key);
                int before = appended.Count;
                spread.Look(ref reader, hash);
                appended.Add(ref reader, items.Items.Slice(i, 1), isUnique);
                if (appended.Count > before) spread.Put(hash);
            }
        }

        items.Release();
        return appended.ToImmutable();
    }

    /// <inheritdoc
    /// cref="AppendTo{TKey, TValue}(ref ItemBuffer{KeyValuePair{TKey, TValue}}, ref MessageReader, uint, ImmutableDictionary{TKey, TValue}, bool)"/>
    public static ImmutableSortedDictionary<TKey, TValue> AppendTo<TKey, TValue>(
        this ref ItemBuffer<KeyValuePair<TKey, TValue>> items, scoped ref MessageReader reader, uint tag, ImmutableSortedDictionary<TKey, TValue>? existing,
            bool isUnique)
        where TKey : notnull
    {
        items.Pay(ref reader, tag, CollectionDecoder.NodeSize);
        items.CheckKeys(ref reader);
        var appended = (existing ?? ImmutableSortedDictionary<TKey, TValue>.Empty).ToBuilder();
        appended.Add(ref reader, items.Items, isUnique);
        items.Release();
        return appended.ToImmutable();
    }

    /// <inheritdoc
    /// cref="AppendTo{TKey, TValue}(ref ItemBuffer{KeyValuePair{TKey, TValue}}, ref MessageReader, uint, ImmutableDictionary{TKey, TValue}, bool)"/>
    public static IImmutableDictionary<TKey, TValue> AppendTo<TKey, TValue>(
        this ref ItemBuffer<KeyValuePair<TKey, TValue>> items, scoped ref MessageReader reader, uint tag, IImmutableDictionary<TKey, TValue>? existing,
            bool isUnique)
        where TKey : notnull
    {
        switch (existing)
        {
            case null or ImmutableDictionary<TKey, TValue>:
                return items.AppendTo(ref reader, tag, (ImmutableDictionary<TKey, TValue>?)existing, isUnique);
            case ImmutableSortedDictionary<TKey, TValue> sorted:
                return items.AppendTo(ref reader, tag, sorted, isUnique);
        }

        items.Pay(ref reader, tag, KeyOverhead);
        items.CheckKeys(ref reader);
        KeySpread.CheckUnknown<TKey>(ref reader, existing.Count, items.Items.Length);
        foreach (var entry in items.Items)
        {
            if (isUnique && existing.ContainsKey(entry.Key)) reader.ThrowValue(MapDecoder.Twice);
            existing = existing.SetItem(entry.Key, entry.Value);
        }

        items.Release();
        return existing;
    }

    private static void Add<TKey, TValue>(
        this IDictionary<TKey, TValue> builder, scoped ref MessageReader reader, ReadOnlySpan<KeyValuePair<TKey, TValue>> entries, bool isUnique)
    {
        foreach (var entry in entries)
        {
            if (isUnique && builder.ContainsKey(entry.Key)) reader.ThrowValue(MapDecoder.Twice);
            builder[entry.Key] = entry.Value;
        }
    }
}
