using System.Collections.Immutable;
using System.ComponentModel;
using System.Runtime.InteropServices;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>Adds the items of one field to an immutable collection, for generated code, as <see cref="CollectionDecoder"/> does with others.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ImmutableDecoder
{
    // Each key is a node of the tree of hashes, with the bucket of all keys with its hash.
    private const int KeyOverhead = 48;

    /// <summary>Creates a collection of the existing items and those of the field.</summary>
    /// <param name="items">The items of the field.</param>
    /// <param name="reader">Reader of the message, which is charged.</param>
    /// <param name="tag">Tag of the field, for errors.</param>
    /// <param name="existing">Current value of the member; null and a default count as empty.</param>
    /// <returns>New value of the member.</returns>
    /// <exception cref="InvalidMessageException">The objects of the message would take far more memory than its bytes, or its keys were chosen to
    /// collide.</exception>
    public static ImmutableArray<T> AppendTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, ImmutableArray<T> existing)
    {
        reader.Blame(tag);
        var array = items.ToArray(ref reader, ImmutableCollectionsMarshal.AsArray(existing));
        return ImmutableCollectionsMarshal.AsImmutableArray(array);
    }

    /// <inheritdoc cref="AppendTo{T}(ref ItemBuffer{T}, ref MessageReader, uint, ImmutableArray{T})"/>
    public static ImmutableList<T> AppendTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, ImmutableList<T>? existing)
    {
        items.Pay(ref reader, tag, CollectionDecoder.NodeSize);
        var appended = (existing ?? []).AddRange(items.Items.ToArray());
        items.Release();
        return appended;
    }

    /// <inheritdoc cref="AppendTo{T}(ref ItemBuffer{T}, ref MessageReader, uint, ImmutableArray{T})"/>
    public static IImmutableList<T> AppendTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, IImmutableList<T>? existing)
    {
        items.Pay(ref reader, tag, CollectionDecoder.NodeSize);
        var appended = (existing ?? ImmutableList<T>.Empty).AddRange(items.Items.ToArray());
        items.Release();
        return appended;
    }

    /// <inheritdoc cref="AppendTo{T}(ref ItemBuffer{T}, ref MessageReader, uint, ImmutableArray{T})"/>
    public static ImmutableQueue<T> AppendTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, ImmutableQueue<T>? existing)
    {
        items.Pay(ref reader, tag, CollectionDecoder.NodeSize);
        var appended = existing ?? [];
        foreach (var item in items.Items) appended = appended.Enqueue(item);
        items.Release();
        return appended;
    }

    /// <inheritdoc cref="AppendTo{T}(ref ItemBuffer{T}, ref MessageReader, uint, ImmutableArray{T})"/>
    public static IImmutableQueue<T> AppendTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, IImmutableQueue<T>? existing)
    {
        items.Pay(ref reader, tag, CollectionDecoder.NodeSize);
        var appended = existing ?? ImmutableQueue<T>.Empty;
        foreach (var item in items.Items) appended = appended.Enqueue(item);
        items.Release();
        return appended;
    }

    /// <summary>Creates a stack with the items on top, the first one uppermost.</summary>
    /// <inheritdoc cref="AppendTo{T}(ref ItemBuffer{T}, ref MessageReader, uint, ImmutableArray{T})"/>
    public static ImmutableStack<T> AppendTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, ImmutableStack<T>? existing)
    {
        items.Pay(ref reader, tag, CollectionDecoder.NodeSize);
        var appended = existing ?? [];
        for (int i = items.Items.Length - 1; i >= 0; i--) appended = appended.Push(items.Items[i]);
        items.Release();
        return appended;
    }

    /// <inheritdoc cref="AppendTo{T}(ref ItemBuffer{T}, ref MessageReader, uint, ImmutableStack{T})"/>
    public static IImmutableStack<T> AppendTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, IImmutableStack<T>? existing)
    {
        items.Pay(ref reader, tag, CollectionDecoder.NodeSize);
        var appended = existing ?? ImmutableStack<T>.Empty;
        for (int i = items.Items.Length - 1; i >= 0; i--) appended = appended.Push(items.Items[i]);
        items.Release();
        return appended;
    }

    /// <inheritdoc cref="AppendTo{T}(ref ItemBuffer{T}, ref MessageReader, uint, ImmutableArray{T})"/>
    public static ImmutableSortedSet<T> AppendTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, ImmutableSortedSet<T>? existing)
    {
        items.Pay(ref reader, tag, CollectionDecoder.NodeSize);
        var appended = (existing ?? []).Union(items.Items.ToArray());
        items.Release();
        return appended;
    }

    /// <inheritdoc cref="AppendTo{T}(ref ItemBuffer{T}, ref MessageReader, uint, ImmutableArray{T})"/>
    public static ImmutableHashSet<T> AppendTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, ImmutableHashSet<T>? existing)
    {
        existing ??= [];
        items.Pay(ref reader, tag, KeyOverhead);
        int keys = existing.Count + items.Items.Length;
        var appended = existing.ToBuilder();
        if (KeySpread.IsNeeded<T>(keys))
        {
            reader.PayForCopy((long)existing.Count * KeyOverhead);
            using var spread = new KeySpread(ref reader, keys, KeySpread.AtRandom);
            foreach (var item in existing) spread.Put(KeySpread.HashOf(existing.KeyComparer, item));
            foreach (var item in items.Items)
            {
                int hash = KeySpread.HashOf(existing.KeyComparer, item);
                spread.Look(ref reader, hash);
                if (appended.Add(item)) spread.Put(hash);
            }
        }
        else
        {
            foreach (var item in items.Items) appended.Add(item);
        }

        items.Release();
        return appended.ToImmutable();
    }

    /// <inheritdoc cref="AppendTo{T}(ref ItemBuffer{T}, ref MessageReader, uint, ImmutableArray{T})"/>
    public static IImmutableSet<T> AppendTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, IImmutableSet<T>? existing)
    {
        switch (existing)
        {
            case null or ImmutableHashSet<T>:
                return items.AppendTo(ref reader, tag, (ImmutableHashSet<T>?)existing);
            case ImmutableSortedSet<T> sorted:
                return items.AppendTo(ref reader, tag, sorted);
        }

        items.Pay(ref reader, tag, KeyOverhead);
        KeySpread.CheckUnknown<T>(ref reader, existing.Count, items.Items.Length);
        var appended = existing.Union(items.Items.ToArray());
        items.Release();
        return appended;
    }
}
