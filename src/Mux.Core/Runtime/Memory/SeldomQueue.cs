using System.Diagnostics.CodeAnalysis;

namespace Mux.Runtime;

/// <summary>
/// A queue that most connections never use: it takes no memory until its first item, and its array shrinks with its items.
/// A part of its owner, whose field is not readonly.
/// </summary>
internal struct SeldomQueue<T>
{
    /// <summary>Items for which it keeps its memory.</summary>
    private const int KeptCapacity = 16;

    private static readonly Queue<T> s_empty = new(0); // never filled

    private Queue<T>? _items;

    public readonly int Count => _items is null ? 0 : _items.Count;

    public void Enqueue(T item) => (_items ??= new()).Enqueue(item);

    public readonly bool TryDequeue([MaybeNullWhen(false)] out T item)
    {
        item = default;
        if (Count == 0) return false;
        item = Dequeue();
        return true;
    }

    /// <summary>Takes the first item. The queue must not be empty.</summary>
    public readonly T Dequeue()
    {
        var item = _items!.Dequeue();
        // To twice what it has: so it moves as many items as have left since.
        if (_items.Capacity > KeptCapacity && _items.Count < _items.Capacity / 4) _items.TrimExcess(Math.Max(KeptCapacity, 2 * _items.Count));
        return item;
    }

    /// <summary>Gets the first item. The queue must not be empty.</summary>
    public readonly T Peek() => _items!.Peek();

    public readonly Queue<T>.Enumerator GetEnumerator() => (_items ?? s_empty).GetEnumerator();
}
