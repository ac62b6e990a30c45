using System.Collections;

namespace Mux.Serialization.Oracles.Contracts;

/// <summary>A collection of one's own: all that is known of it is its interface.</summary>
public sealed class NumberCollection : ICollection<long>
{
    private readonly List<long> _items = [];

    public int Count => _items.Count;

    public bool IsReadOnly => false;

    public void Add(long item) => _items.Add(item);

    public void Clear() => _items.Clear();

    public bool Contains(long item) => _items.Contains(item);

    public void CopyTo(long[] array, int arrayIndex) => _items.CopyTo(array, arrayIndex);

    public bool Remove(long item) => _items.Remove(item);

    public IEnumerator<long> GetEnumerator() => _items.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
