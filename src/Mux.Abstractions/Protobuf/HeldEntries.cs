using System.ComponentModel;

namespace Mux.Protobuf;

/// <summary>Gets the entries of a map that generated code sees through an interface.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class HeldEntries
{
    /// <summary>Gets the entries; those of a Dictionary without an enumerator on the heap.</summary>
    public static HeldItems<KeyValuePair<TKey, TValue>> Of<TKey, TValue>(IEnumerable<KeyValuePair<TKey, TValue>> map)
        where TKey : notnull
    {
        if (map.GetType() != typeof(Dictionary<TKey, TValue>)) return new HeldItems<KeyValuePair<TKey, TValue>>(map);
        var copied = default(ItemBuffer<KeyValuePair<TKey, TValue>>);
        foreach (var entry in (Dictionary<TKey, TValue>)map) copied.Add(entry);
        return new HeldItems<KeyValuePair<TKey, TValue>>(copied);
    }
}
