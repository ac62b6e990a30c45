using System.Diagnostics.CodeAnalysis;

namespace Mux.Buffers;

/// <summary>A queue that most connections never use: it takes no memory until its first item. A part of its owner, whose field is not readonly.</summary>
internal struct SeldomQueue<T>
{
    private static readonly Queue<T> s_empty = new(0); // never filled

    private Queue<T>? _items;

    public readonly int Count => _items is null ? 0 : _items.Count;

    public void Enqueue(T item) => (_items ??= new()).Enqueue(item);

    public readonly bool TryDequeue([MaybeNullWhen(false)] out T item)
    {
        item = default;
        return _items is not null && _items.TryDequeue(out item);
    }

    /// <summary>Takes the first item. The queue must not be empty.</summary>
    public readonly T Dequeue() => _items!.Dequeue();

    /// <summary>Gets the first item. The queue must not be empty.</summary>
    public readonly T Peek() => _items!.Peek();

    public readonly Queue<T>.Enumerator GetEnumerator() => (_items ?? s_empty).GetEnumerator();
}
