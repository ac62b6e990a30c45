using Mux.Description.Reading;

namespace Mux.Description.Proto.Comparing;

/// <summary>
/// Names that JSON has of fields, or that are reserved. Names such as last_name and lastName are one: a field of the first
/// name is read by both.
/// </summary>
internal sealed class JsonNameSet
{
    private readonly Dictionary<string, string> _names = new(StringComparer.Ordinal);

    public JsonNameSet(IEnumerable<string> names)
    {
        foreach (var name in names) _names[NameRules.JsonName(name)] = name;
    }

    /// <summary>Gets the names that a field has in JSON, which may be one.</summary>
    public static IEnumerable<string> Of(ProtoField field) =>
        NameRules.JsonName(field.Name) == NameRules.JsonName(field.JsonName) ? [field.Name] : [field.Name, field.JsonName];

    /// <summary>Gets the names of a field that can be reserved: names in JSON may have any characters.</summary>
    public static IEnumerable<string> ReservableOf(ProtoField field) => Of(field).Where(NameRules.IsWord);

    /// <summary>Gets the name of the set that is the same; null if there is none.</summary>
    public string? Find(string name) => _names.TryGetValue(NameRules.JsonName(name), out var known) ? known : null;
}
