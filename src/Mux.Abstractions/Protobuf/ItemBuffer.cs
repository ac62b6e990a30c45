using System.Buffers;
using System.ComponentModel;
using System.Runtime.CompilerServices;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>
/// Collects the items of one array or collection for generated code, because their number is known only after the last field of the message. It grows with the
/// items that are present, in pooled memory, so that decoding allocates only the array. It copies each item a bounded number of times, however often the field
/// is repeated. Lives on the stack of one thread.
/// </summary>
/// <remarks>If decoding fails, the pooled memory is left to the garbage collector.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct ItemBuffer<T>
{
    private const int FirstSize = 16;

    private T[]? _items;
    private int _count;
    private bool _isOwned; // not from the pool: allocated for a block that is probably the whole array

    /// <summary>Gets a value indicating whether there are no items.</summary>
    public readonly bool IsEmpty => _count == 0;

    /// <summary>The items.</summary>
    internal readonly Span<T> Items => _items.AsSpan(0, _count);

    /// <summary>Adds an item.</summary>
    public void Add(T item)
    {
        if (_items is null || _count == _items.Length) Grow(1);
        _items![_count++] = item;
    }

    /// <summary>Removes all items.</summary>
    public void Clear() => _count = 0;

    /// <summary>Adds items, which the caller must write.</summary>
    /// <returns>The place of the new items, not cleared.</returns>
    internal Span<T> Extend(int count)
    {
        if (_items is null || count > _items.Length - _count) Grow(count);
        var room = _items.AsSpan(_count, count);
        _count += count;
        return room;
    }

    /// <summary>Makes room for the items of a block. Usually there is only one block, and the room becomes the array.</summary>
    /// <param name="count">Number of items; all of their bytes are present.</param>
    internal void Reserve(int count)
    {
        if (count == 0 || (_items is not null && count <= _items.Length - _count)) return;
        if (_items is not null)
        {
            Grow(count);
            return;
        }

        _items = new T[count];
        _isOwned = true;
    }

    /// <summary>Creates the array and returns the pooled memory.</summary>
    /// <param name="reader">Reader of the message, which is charged for items that were in an array before.</param>
    /// <param name="existing">Items that come first, or null.</param>
    /// <exception cref="InvalidMessageException">The message makes the same items be copied too often.</exception>
    public T[] ToArray(scoped ref MessageReader reader, T[]? existing)
    {
        if (_items is null) return existing ?? [];
        // a writable span would reject covariant arrays
        if (existing is { Length: > 0 } || !_isOwned || _count != _items.Length) return ToArray(ref reader, new ReadOnlySpan<T>(existing));
        var whole = _items;
        this = default;
        return whole;
    }

    /// <inheritdoc cref="ToArray(ref MessageReader, T[])"/>
    public T[] ToArray(scoped ref MessageReader reader, ReadOnlySpan<T> existing)
    {
        if (!existing.IsEmpty) reader.PayForCopy((long)existing.Length * Unsafe.SizeOf<T>());

        T[] array = [.. existing, .. _items.AsSpan(0, _count)];
        Release();
        return array;
    }

    /// <summary>Returns the pooled memory and removes all items.</summary>
    internal void Release()
    {
        if (_items is not null && !_isOwned) ArrayPool<T>.Shared.Return(_items, clearArray: RuntimeHelpers.IsReferenceOrContainsReferences<T>());
        this = default;
    }

    private void Grow(int count)
    {
        var larger = ArrayPool<T>.Shared.Rent(BufferGrowth.Next(_count, count, FirstSize));
        int taken = _count;
        Items.CopyTo(larger);
        Release();
        _items = larger;
        _count = taken;
    }
}
