namespace Mux.Generators.Tests.Containers;

/// <summary>A type of map that contracts declare.</summary>
/// <param name="Name">For C# identifiers.</param>
/// <param name="Type">The C# type; K and V are those of keys and values.</param>
/// <param name="Of">C# for one with the entries of <c>map</c>, a SortedDictionary.</param>
/// <param name="Made">The C# type of what stands in a member that held null, if it is not the declared one.</param>
public sealed record MapKind(string Name, string Type, string Of, string? Made = null)
{
    public static IReadOnlyList<MapKind> All { get; } =
    [
        new("Dictionary", "Dictionary<K, V>", "new TYPE(map)"),
        new("Derived", "OwnMap<K, V>", "new TYPE().With(map)"),
        new("SortedDictionary", "SortedDictionary<K, V>", "map"),
        new("SortedList", "SortedList<K, V>", "new TYPE(map)"),
        new("ConcurrentDictionary", "ConcurrentDictionary<K, V>", "new TYPE(map)"),
        new("IDictionary", "IDictionary<K, V>", "map", "Dictionary<K, V>"),
        new("IReadOnlyDictionary", "IReadOnlyDictionary<K, V>", "new Dictionary<K, V>(map)", "Dictionary<K, V>"),
        new("ImmutableDictionary", "ImmutableDictionary<K, V>", "map.ToImmutableDictionary()"),
        new("ImmutableSortedDictionary", "ImmutableSortedDictionary<K, V>", "map.ToImmutableSortedDictionary()"),
        new("IImmutableDictionary", "IImmutableDictionary<K, V>", "map.ToImmutableDictionary()", "ImmutableDictionary<K, V>"),
    ];

    public static string Classes => """
        public class OwnMap<K, V> : Dictionary<K, V> { public OwnMap<K, V> With(SortedDictionary<K, V> map) { foreach (var entry in map) Add(entry.Key, entry.Value); return this; } }

        """;

    public bool IsImmutable => Name.Contains("Immutable", StringComparison.Ordinal);

    public string TypeOf(string key, string value) => Typed(Type, key, value);

    public string MadeOf(string key, string value) => Typed(Made ?? Type, key, value);

    /// <summary>C# for a map of entries that are written in C#: <c>[1] = 2, [3] = 4</c>.</summary>
    public string Value(string key, string value, string entries)
    {
        var made = Typed(Of.Replace("TYPE", TypeOf(key, value), StringComparison.Ordinal), key, value);
        return $"((Func<SortedDictionary<{key}, {value}>, {TypeOf(key, value)}>)(map => {made}))(new SortedDictionary<{key}, {value}> {{ {entries} }})";
    }

    public override string ToString() => Name;

    private static string Typed(string type, string key, string value) => type.Replace("<K, V>", $"<{key}, {value}>", StringComparison.Ordinal);
}
