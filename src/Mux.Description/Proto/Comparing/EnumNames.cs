namespace Mux.Description.Proto.Comparing;

/// <summary>Finds the values of an enum by their names and numbers.</summary>
internal sealed class EnumNames(ProtoEnum type)
{
    private Dictionary<string, ProtoEnumValue>? _byName;
    private Dictionary<int, ProtoEnumValue>? _byNumber;
    private HashSet<string>? _reserved;

    /// <summary>Finds the value with a name; null if there is none.</summary>
    public ProtoEnumValue? Find(string name) => (_byName ??= ByName()).TryGetValue(name, out var value) ? value : null;

    /// <summary>Gets the first of the values with a number; null if there is none.</summary>
    public ProtoEnumValue? First(int number) =>
        (_byNumber ??= ByNumber()).TryGetValue(number, out var value) ? value : null;

    /// <summary>True if it has a value with the name and number of one of another enum.</summary>
    public bool Has(ProtoEnumValue other) => Find(other.Name) is { } value && value.Number == other.Number;

    public bool ReservesName(string name) =>
        (_reserved ??= new HashSet<string>(type.ReservedNames, StringComparer.Ordinal)).Contains(name);

    // Of code that is being typed, two values may have one name. The first one remains, so the last is set first.
    private Dictionary<string, ProtoEnumValue> ByName()
    {
        var values = new Dictionary<string, ProtoEnumValue>(type.Values.Count, StringComparer.Ordinal);
        for (int i = type.Values.Count - 1; i >= 0; i--) values[type.Values[i].Name] = type.Values[i];
        return values;
    }

    private Dictionary<int, ProtoEnumValue> ByNumber()
    {
        var values = new Dictionary<int, ProtoEnumValue>(type.Values.Count);
        for (int i = type.Values.Count - 1; i >= 0; i--) values[type.Values[i].Number] = type.Values[i];
        return values;
    }
}
