using System.Collections.Immutable;
using System.ComponentModel;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>Adds the entries of one field to an immutable map, for generated code, as <see cref="MapDecoder"/> does with others.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ImmutableMapDecoder
{
    // Each key is a node of the tree of hashes, with the bucket of all keys with its hash.
    private const int KeyOverhead = 48;

    /// <summary>Creates a map of the existing entries and those of the field.</summary>
    /// <param name="items">The entries of the field.</param>
    /// <param name="reader">Reader of the message, which is charged.</param>
    /// <param name="tag">Tag of the field, for errors.</param>
    /// <param name="existing">Current value of the member, or null.</param>
    /// <param name="isUnique">True if a repeated key is rejected; otherwise the last entry counts.</param>
    /// <returns>New value of the member.</returns>
    /// <exception cref="InvalidMessageException"> The objects of the message would take far more memory than its bytes; its keys were chosen to collide; or a
    /// key is repeated and must not be.
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
