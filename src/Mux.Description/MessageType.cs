using Mux.Description.Json;

namespace Mux.Description;

/// <summary>A message of a description.</summary>
public sealed class MessageType
{
    private readonly Dictionary<int, Field> _byNumber = [];
    private readonly Dictionary<string, Field> _byName = new(StringComparer.Ordinal);
    private Field[] _fields = [];

    internal MessageType(string fullName) => FullName = fullName;

    /// <summary>Gets the name with package and the messages around it, such as <c>hr.Employee</c>.</summary>
    public string FullName { get; }

    /// <summary>Gets the fields by number.</summary>
    public IReadOnlyList<Field> Fields => _fields;

    /// <summary>Gets a value indicating whether it is the entry of a map.</summary>
    public bool IsMapEntry { get; internal set; }

    /// <summary>Gets the message as JSON has it, prepared at the first use. Threads that are first together prepare it twice, which does no harm.</summary>
    internal JsonType Json => field ??= new JsonType(this);

    /// <summary>Finds a field by its number; null if there is none.</summary>
    public Field? Find(int number) => _byNumber.GetValueOrDefault(number);

    /// <summary>Finds a field by its name in protobuf or JSON; null if there is none.</summary>
    public Field? Find(string name) => _byName.GetValueOrDefault(name);

    /// <inheritdoc/>
    public override string ToString() => FullName;

    /// <returns>The field in the way; null if the fields were set.</returns>
    internal Field? TrySetFields(List<Field> fields)
    {
        foreach (var field in fields)
        {
            if (!_byNumber.TryAdd(field.Number, field) || !_byName.TryAdd(field.Name, field)) return field;
        }

        // Where the JSON name of one field is the name of another, the name wins.
        foreach (var field in fields) _byName.TryAdd(field.JsonName, field);
        _fields = [.. fields.OrderBy(static field => field.Number)];
        return null;
    }
}
