using System.Buffers;
using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Mux.Serialization;

/// <summary>
/// Collects the items of one array member for generated code, because their number is known only behind the last field of the message. Grows
/// with the items that are really there, in pooled memory, so that decoding allocates nothing but the array, and copies each item a bounded
/// number of times however often the field comes. Lives on the stack of one thread.
/// </summary>
/// <remarks>If decoding fails in between, the pooled memory is left to the garbage collector.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct ItemBuffer<T>
{
    private const int FirstSize = 16;

    private T[]? _items;
    private int _count;

    /// <summary>Whether nothing was taken.</summary>
    public readonly bool IsEmpty => _count == 0;

    /// <summary>Takes an item.</summary>
    public void Add(T item)
    {
        if (_items is null || _count == _items.Length) Grow(1);
        _items![_count++] = item;
    }

    /// <summary>Makes room for items that come behind those that were taken, and counts them as taken.</summary>
    /// <returns>The room, not cleared.</returns>
    internal Span<T> Extend(int count)
    {
        if (_items is null || count > _items.Length - _count) Grow(count);
        var room = _items.AsSpan(_count, count);
        _count += count;
        return room;
    }

    /// <summary>Makes the array and gives the pooled memory back.</summary>
    /// <param name="reader">Of the message, which pays for items that were in an array before.</param>
    /// <param name="existing">Items that come first, or null.</param>
    /// <exception cref="InvalidMessageException">The message makes ever the same items be copied.</exception>
    public T[] ToArray(scoped ref MessageReader reader, T[]? existing)
    {
        if (_items is null) return existing ?? [];
        if (existing is { Length: > 0 }) reader.PayForCopy((long)existing.Length * Unsafe.SizeOf<T>());

        T[] array = [.. new ReadOnlySpan<T>(existing), .. _items.AsSpan(0, _count)]; // a span that may be written refuses covariant arrays
        Return(_items);
        _items = null;
        _count = 0;
        return array;
    }

    private void Grow(int count)
    {
        var larger = ArrayPool<T>.Shared.Rent(Math.Max(FirstSize, _count + Math.Max(_count, count)));
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
