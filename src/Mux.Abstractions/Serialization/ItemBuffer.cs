using System.Buffers;
using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Mux.Serialization;

/// <summary>
/// Collects the items of an array for generated code, because their number is known only behind the last. Grows with the items that are
/// really there, in pooled memory, so that decoding allocates nothing but the array. Lives on the stack of one thread.
/// </summary>
/// <remarks>If decoding fails in between, the pooled memory is left to the garbage collector.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct ItemBuffer<T>
{
    private const int FirstSize = 16;

    private T[]? _items;
    private int _count;

    /// <summary>Takes an item.</summary>
    public void Add(T item)
    {
        if (_items is null || _count == _items.Length) Grow();
        _items![_count++] = item;
    }

    /// <summary>Makes the array and gives the pooled memory back.</summary>
    /// <param name="existing">Items that come first, or null.</param>
    public T[] ToArray(T[]? existing)
    {
        if (_items is null) return existing ?? [];

        T[] array = [.. new ReadOnlySpan<T>(existing), .. _items.AsSpan(0, _count)]; // a span that may be written refuses covariant arrays
        Return(_items);
        _items = null;
        _count = 0;
        return array;
    }

    private void Grow()
    {
        var larger = ArrayPool<T>.Shared.Rent(Math.Max(FirstSize, 2 * _count));
        if (_items is not null)
        {
            _items.AsSpan(0, _count).CopyTo(larger);
            Return(_items);
        }

        _items = larger;
    }

    private static void Return(T[] items)
    {
        ArrayPool<T>.Shared.Return(items, clearArray: RuntimeHelpers.IsReferenceOrContainsReferences<T>());
    }
}
