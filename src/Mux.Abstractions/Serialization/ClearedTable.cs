using System.ComponentModel;

namespace Mux.Serialization;

/// <summary>Clears what is replaced by the items that come, for generated code.</summary>
/// <remarks>
/// A table looks at all the places that it ever had when it is cleared, however few of them are taken: a message that comes again pays for them.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ClearedTable
{
    private const int PlaceSize = sizeof(int);

    /// <summary>Clears a collection.</summary>
    /// <param name="reader">Of the message, which pays.</param>
    /// <param name="target">The collection, or null.</param>
    /// <exception cref="InvalidMessageException">The message makes ever the same table be cleared.</exception>
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
