using System.Collections;
using System.Collections.Immutable;
using System.ComponentModel;
using System.Runtime.InteropServices;

namespace Mux.Serialization;

/// <summary>
/// The items of a collection that generated code sees through an interface, side by side in memory: where they stand in a list or an array,
/// and else in pooled memory. To be disposed. Lives on the stack of one thread; the collection must not change meanwhile.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct HeldItems<T> : IDisposable
{
    private readonly ReadOnlySpan<T> _direct;
    private readonly bool _isDirect;
    private readonly bool _isCounted;
    private ItemBuffer<T> _copied;

    /// <summary>Takes the items.</summary>
    public HeldItems(IEnumerable<T> collection)
    {
        _isDirect = _isCounted = true;
        if (collection.GetType() == typeof(List<T>)) _direct = CollectionsMarshal.AsSpan((List<T>)collection);
        else if (collection is T[] array) _direct = array;
        else if (collection is ImmutableArray<T> immutable) _direct = immutable.AsSpan();
        else
        {
            _isDirect = false;
            _isCounted = collection is IReadOnlyCollection<T> or ICollection<T> or ICollection;
            foreach (var item in collection) _copied.Add(item);
        }
    }

    internal HeldItems(ItemBuffer<T> copied)
    {
        _copied = copied;
        _isCounted = true;
    }

    /// <summary>The items, in the order of the collection.</summary>
    public readonly ReadOnlySpan<T> Items => _isDirect ? _direct : _copied.Items;

    /// <summary>
    /// Whether protobuf-net writes the items as a packed block, where they may be packed: if the collection can say that it has none or several.
    /// </summary>
    public readonly bool IsBlock => _isCounted && Items.Length != 1;

    /// <summary>Gives the pooled memory back.</summary>
    public void Dispose() => _copied.Release();
}
