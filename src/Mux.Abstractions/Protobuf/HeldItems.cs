using System.Collections;
using System.Collections.Immutable;
using System.ComponentModel;
using System.Runtime.InteropServices;

namespace Mux.Protobuf;

/// <summary>
/// The items, contiguous in memory, of a collection that generated code sees through an interface: in place for a list or an array, otherwise copied to pooled
/// memory. Must be disposed. Lives on the stack of one thread; the collection must not change meanwhile.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct HeldItems<T> : IDisposable
{
    private readonly ReadOnlySpan<T> _direct;
    private readonly bool _isDirect;
    private readonly bool _isCounted;
    private ItemBuffer<T> _copied;

    /// <summary>Gets the items of a collection.</summary>
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

    /// <summary>Gets the items, in the order of the collection.</summary>
    public readonly ReadOnlySpan<T> Items => _isDirect ? _direct : _copied.Items;

    /// <summary>
    /// Gets a value indicating whether protobuf-net writes the items as a packed block, if they may be packed: if the collection knows its count, which is not
    /// 1.
    /// </summary>
    public readonly bool IsBlock => _isCounted && Items.Length != 1;

    /// <summary>Returns the pooled memory.</summary>
    public void Dispose() => _copied.Release();
}
