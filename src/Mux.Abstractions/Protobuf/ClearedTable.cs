using System.ComponentModel;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>Clears, for generated code, a collection that received items replace.</summary>
/// <remarks>
/// Clearing a hash table visits all places that it ever had, however few are used. A message that repeats a field is charged for them.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ClearedTable
{
    private const int PlaceSize = sizeof(int);

    /// <summary>Clears a collection.</summary>
    /// <param name="reader">Reader of the message, which is charged.</param>
    /// <param name="target">The collection, or null.</param>
    /// <exception cref="InvalidMessageException">The message makes the same table be cleared too often.</exception>
    public static void Clear<T>(scoped ref MessageReader reader, ICollection<T>? target)
    {
        if (target is HashSet<T> { Count: > 0 } set) reader.PayForCopy((long)set.Capacity * PlaceSize);
        target?.Clear();
    }

    /// <inheritdoc cref="Clear{T}(ref MessageReader, ICollection{T})"/>
    public static void Clear<TKey, TValue>(scoped ref MessageReader reader, IDictionary<TKey, TValue>? target)
        where TKey : notnull
    {
        if (target is Dictionary<TKey, TValue> { Count: > 0 } table) reader.PayForCopy((long)table.Capacity * PlaceSize);
        target?.Clear();
    }
}
