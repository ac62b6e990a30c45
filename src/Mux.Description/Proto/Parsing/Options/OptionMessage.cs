namespace Mux.Description.Proto.Parsing.Options;

/// <summary>The values of options by the names of their fields; names of extensions are full and in brackets. Values of enums are their names.</summary>
internal sealed class OptionMessage
{
    private readonly Dictionary<string, List<object>> _values = new(StringComparer.Ordinal);

    public IEnumerable<string> Names => _values.Keys;

    public bool Has(string name) => _values.ContainsKey(name);

    public IReadOnlyList<object> All(string name) => _values.TryGetValue(name, out var values) ? values : [];

    public string? Text(string name) => Last(name) as string;

    public bool? Flag(string name) => Last(name) as bool?;

    public long? Integer(string name) => Last(name) as long?;

    public OptionMessage? Message(string name) => Last(name) as OptionMessage;

    public void Add(string name, object value)
    {
        if (!_values.TryGetValue(name, out var values)) _values.Add(name, values = []);
        values.Add(value);
    }

    private object? Last(string name) => _values.TryGetValue(name, out var values) ? values[values.Count - 1] : null;
}
