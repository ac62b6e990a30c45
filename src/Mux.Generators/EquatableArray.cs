using System.Collections;
using System.Collections.Immutable;

namespace Mux.Generators;

/// <summary>An immutable array that equals another one with equal items, so that the incremental pipeline can detect unchanged values.</summary>
internal readonly struct EquatableArray<T>(ImmutableArray<T> items) : IEquatable<EquatableArray<T>>, IEnumerable<T>
    where T : IEquatable<T>
{
    private readonly ImmutableArray<T> _items = items;

    public static EquatableArray<T> Empty => new([]);

    public int Count => _items.IsDefault ? 0 : _items.Length;

    public ReadOnlyMemory<T> Memory => _items.AsMemory();

    public T this[int index] => _items[index];

    public bool Equals(EquatableArray<T> other) => _items.AsSpan().SequenceEqual(other._items.AsSpan());

    public override bool Equals(object? obj) => obj is EquatableArray<T> other && Equals(other);

    public override int GetHashCode()
    {
        int hash = Count;
        foreach (var item in this) hash = unchecked(hash * 31 + item.GetHashCode());
        return hash;
    }

    public ImmutableArray<T>.Enumerator GetEnumerator() => (_items.IsDefault ? [] : _items).GetEnumerator();

    IEnumerator<T> IEnumerable<T>.GetEnumerator() => ((IEnumerable<T>)(_items.IsDefault ? [] : _items)).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => ((IEnumerable<T>)this).GetEnumerator();
}
