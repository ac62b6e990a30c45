using System.Collections.Concurrent;
using System.ComponentModel;
using System.Runtime.CompilerServices;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>
/// Puts the items of one field into their collection, for generated code. Every method first charges the message for the memory that the items take in the
/// collection, and returns the memory of the buffer.
/// </summary>
/// <remarks>As in protobuf-net, items are added to those that the collection already has.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class CollectionDecoder
{
    /// <summary>Bytes around an item in its own node, such as in a linked list or a tree.</summary>
    internal const int NodeSize = 40;

    /// <summary>Bytes around an item in a hash table: its hash, a link and a place in the buckets.</summary>
    internal const int SlotOverhead = 12;

    /// <summary>Bytes of a new collection with room for its first items.</summary>
    internal const int MadeSize = 88;

    /// <summary>Charges the message for the memory of a new collection.</summary>
    /// <param name="reader">Reader of the message, which is charged.</param>
    /// <param name="made">The collection.</param>
    /// <param name="bytes">Approximate size of the collection.</param>
    /// <returns>The collection.</returns>
    /// <exception cref="InvalidMessageException">The objects of the message would take far more memory than its bytes.</exception>
    public static T PayForMemory<T>(this ref MessageReader reader, T made, int bytes)
    {
        reader.PayForMemory(bytes);
        return made;
    }

    /// <summary>Adds the items at the end.</summary>
    /// <param name="items">The items of the field.</param>
    /// <param name="reader">Reader of the message, which is charged.</param>
    /// <param name="tag">Tag of the field, for errors.</param>
    /// <param name="target">The collection.</param>
    /// <exception cref="InvalidMessageException">The objects of the message would take far more memory than its bytes.</exception>
    public static void AddTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, List<T> target)
    {
        items.Pay(ref reader, tag, overhead: 0);
        target.AddRange((ReadOnlySpan<T>)items.Items);
        items.Release();
    }

    /// <inheritdoc cref="AddTo{T}(ref ItemBuffer{T}, ref MessageReader, uint, List{T})"/>
    public static void AddTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, Queue<T> target)
    {
        items.Pay(ref reader, tag, overhead: 0);
        target.EnsureCapacity(target.Count + items.Items.Length);
        foreach (var item in items.Items) target.Enqueue(item);
        items.Release();
    }

    /// <summary>Puts the items on top, the first one uppermost: a stack is written from its top, so that it reads back unchanged.</summary>
    /// <inheritdoc cref="AddTo{T}(ref ItemBuffer{T}, ref MessageReader, uint, List{T})"/>
    public static void AddTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, Stack<T> target)
    {
        items.Pay(ref reader, tag, overhead: 0);
        target.EnsureCapacity(target.Count + items.Items.Length);
        for (int i = items.Items.Length - 1; i >= 0; i--) target.Push(items.Items[i]);
        items.Release();
    }

    /// <inheritdoc cref="AddTo{T}(ref ItemBuffer{T}, ref MessageReader, uint, Stack{T})"/>
    public static void AddTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, ConcurrentStack<T> target)
    {
        items.Pay(ref reader, tag, NodeSize);
        for (int i = items.Items.Length - 1; i >= 0; i--) target.Push(items.Items[i]);
        items.Release();
    }

    /// <inheritdoc cref="AddTo{T}(ref ItemBuffer{T}, ref MessageReader, uint, List{T})"/>
    public static void AddTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, ConcurrentQueue<T> target)
    {
        items.Pay(ref reader, tag, SlotOverhead);
        foreach (var item in items.Items) target.Enqueue(item);
        items.Release();
    }

    /// <inheritdoc cref="AddTo{T}(ref ItemBuffer{T}, ref MessageReader, uint, List{T})"/>
    public static void AddTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, ConcurrentBag<T> target)
    {
        items.Pay(ref reader, tag, SlotOverhead);
        foreach (var item in items.Items) target.Add(item);
        items.Release();
    }

    /// <summary>Adds the items that the set does not have.</summary>
    /// <inheritdoc cref="AddTo{T}(ref ItemBuffer{T}, ref MessageReader, uint, List{T})"/>
    public static void AddTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, HashSet<T> target)
    {
        items.Pay(ref reader, tag, SlotOverhead);
        int kept = target.Count;
        // EnsureCapacity grows to exactly what is requested: doubling keeps repeated fields cheap
        if (kept + items.Items.Length > target.Capacity) target.EnsureCapacity(Math.Max(kept + items.Items.Length, 2 * kept));
        if (KeySpread.IsNeeded<T>(kept + items.Items.Length))
        {
            reader.PayForCopy((long)kept * (Unsafe.SizeOf<T>() + SlotOverhead));
            using var spread = new KeySpread(ref reader, target.Capacity, KeySpread.AsInTables);
            foreach (var item in target) spread.Put(KeySpread.HashOf(target.Comparer, item));
            foreach (var item in items.Items)
            {
                int hash = KeySpread.HashOf(target.Comparer, item);
                spread.Look(ref reader, hash);
                if (target.Add(item)) spread.Put(hash);
            }
        }
        else
        {
            foreach (var item in items.Items) target.Add(item);
        }

        items.Release();
    }

    /// <summary>Adds the items to a collection of any type.</summary>
    /// <inheritdoc cref="AddTo{T}(ref ItemBuffer{T}, ref MessageReader, uint, List{T})"/>
    public static void AddTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, ICollection<T> target)
    {
        switch (target)
        {
            case HashSet<T> set:
                items.AddTo(ref reader, tag, set);
                return;
            case List<T> list:
                items.AddTo(ref reader, tag, list);
                return;
            case SortedSet<T> or LinkedList<T>:
                items.Pay(ref reader, tag, NodeSize);
                break;
            case ISet<T>:
                items.Pay(ref reader, tag, NodeSize);
                KeySpread.CheckUnknown<T>(ref reader, target.Count, items.Items.Length);
                break;
            default:
                items.Pay(ref reader, tag, overhead: 0);
                break;
        }

        foreach (var item in items.Items) target.Add(item);
        items.Release();
    }

    /// <summary>Adds the items to a collection, or to a list with its items if the collection cannot be changed.</summary>
    /// <param name="items">The items of the field.</param>
    /// <param name="reader">Reader of the message, which is charged.</param>
    /// <param name="tag">Tag of the field, for errors.</param>
    /// <param name="existing">Current value of the member, or null.</param>
    /// <returns>New value of the member.</returns>
    /// <exception cref="InvalidMessageException">The objects of the message would take far more memory than its bytes.</exception>
    public static IEnumerable<T> AppendTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, IEnumerable<T>? existing)
    {
        if (existing is not ICollection<T> { IsReadOnly: false } target) target = Copied(ref reader, tag, existing is null ? [] : new List<T>(existing));
        items.AddTo(ref reader, tag, target);
        return target;
    }

    /// <summary>Adds the items to a set, or to a new set with its items if the set cannot be changed.</summary>
    /// <inheritdoc cref="AppendTo{T}(ref ItemBuffer{T}, ref MessageReader, uint, IEnumerable{T})"/>
    public static ISet<T> AppendTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, ISet<T>? existing)
    {
        if (existing is not { IsReadOnly: false }) existing = Copied(ref reader, tag, existing is null ? [] : new HashSet<T>(existing));
        items.AddTo(ref reader, tag, existing);
        return existing;
    }

    /// <inheritdoc cref="AppendTo{T}(ref ItemBuffer{T}, ref MessageReader, uint, ISet{T})"/>
    public static IReadOnlySet<T> AppendTo<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, IReadOnlySet<T>? existing)
    {
        if (existing is not ISet<T> { IsReadOnly: false } target) target = Copied(ref reader, tag, existing is null ? [] : new HashSet<T>(existing));
        items.AddTo(ref reader, tag, target);
        return (IReadOnlySet<T>)target;
    }

    // Charged, because a property may make the copy read-only again, so that further items copy it once more.
    private static List<T> Copied<T>(scoped ref MessageReader reader, uint tag, List<T> copy)
    {
        reader.Blame(tag);
        reader.PayForCopy((long)copy.Count * Unsafe.SizeOf<T>());
        return reader.PayForMemory(copy, MadeSize);
    }

    private static HashSet<T> Copied<T>(scoped ref MessageReader reader, uint tag, HashSet<T> copy)
    {
        reader.Blame(tag);
        reader.PayForCopy((long)copy.Count * (Unsafe.SizeOf<T>() + SlotOverhead));
        return reader.PayForMemory(copy, MadeSize);
    }

    /// <summary>Charges the message for the memory that the items take in the collection.</summary>
    internal static void Pay<T>(this ref ItemBuffer<T> items, scoped ref MessageReader reader, uint tag, int overhead)
    {
        reader.Blame(tag);
        reader.PayForMemory((long)items.Items.Length * (Unsafe.SizeOf<T>() + overhead));
    }
}
