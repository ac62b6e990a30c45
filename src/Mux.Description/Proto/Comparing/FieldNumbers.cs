namespace Mux.Description.Proto.Comparing;

/// <summary>Finds the fields of a message by their numbers.</summary>
internal sealed class FieldNumbers(ProtoMessage message)
{
    private Dictionary<int, ProtoField>? _byNumber;

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

    private Dictionary<int, ProtoField> ByNumber()
    {
        var fields = new Dictionary<int, ProtoField>(message.Fields.Count);
        foreach (var field in message.Fields) fields[field.Number] = field;
        return fields;
    }
}
