namespace Mux.Description.Proto.Comparing;

/// <summary>Finds the fields of a message by their numbers and names.</summary>
internal sealed class FieldNumbers(ProtoMessage message)
{
    private Dictionary<int, ProtoField>? _byNumber;
    private Dictionary<string, ProtoField>? _byName;
    private Dictionary<string, ProtoField>? _byType;
    private Dictionary<string, List<ProtoField>>? _byJsonNames;

    /// <param name="number">The number.</param>
    /// <param name="index">Where the other message has it: most declare the same fields in the same order, and need no table.</param>
    /// <returns>Null if the message has no such field.</returns>
    public ProtoField? Find(int number, int index)
    {
        var fields = message.Fields;
        if (index < fields.Count && fields[index].Number == number) return fields[index];
        return (_byNumber ??= ByNumber()).TryGetValue(number, out var field) ? field : null;
    }

    /// <inheritdoc cref="Find(int, int)"/>
    public ProtoField? Find(int number) => Find(number, message.Fields.Count);

    /// <summary>Finds the field with a name; null if there is none.</summary>
    public ProtoField? Named(string name) =>
        (_byName ??= By(static field => field.Name)).TryGetValue(name, out var field) ? field : null;

    /// <summary>Finds the first field of a message or enum; null if there is none.</summary>
    public ProtoField? OfType(string type) =>
        (_byType ??= By(static field => field.TypeName)).TryGetValue(type, out var field) ? field : null;

    /// <summary>Finds the fields that have a name of another one: readers of JSON accept both names of a field.</summary>
    public IEnumerable<ProtoField> WithJsonNameOf(ProtoField other)
    {
        _byJsonNames ??= ByJsonNames();
        if (_byJsonNames.TryGetValue(other.Name, out var fields))
        {
            foreach (var field in fields) yield return field;
        }

        if (other.JsonName == other.Name || !_byJsonNames.TryGetValue(other.JsonName, out var others)) yield break;
        foreach (var field in others) yield return field;
    }

    private Dictionary<string, ProtoField> By(Func<ProtoField, string?> key)
    {
        var fields = new Dictionary<string, ProtoField>(message.Fields.Count, StringComparer.Ordinal);
        foreach (var field in message.Fields)
        {
            if (key(field) is { } text && !fields.ContainsKey(text)) fields.Add(text, field);
        }

        return fields;
    }

    private Dictionary<string, List<ProtoField>> ByJsonNames()
    {
        var fields = new Dictionary<string, List<ProtoField>>(StringComparer.Ordinal);
        foreach (var field in message.Fields)
        {
            Add(field.Name, field);
            if (field.JsonName != field.Name) Add(field.JsonName, field);
        }

        return fields;

        void Add(string name, ProtoField field)
        {
            if (fields.TryGetValue(name, out var same)) same.Add(field);
            else fields.Add(name, [field]);
        }
    }

    private Dictionary<int, ProtoField> ByNumber()
    {
        var fields = new Dictionary<int, ProtoField>(message.Fields.Count);
        foreach (var field in message.Fields) fields[field.Number] = field;
        return fields;
    }
}
