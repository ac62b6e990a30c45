namespace Mux.Description;

/// <summary>A field of a message.</summary>
public sealed class Field
{
    internal Field(string name, string jsonName, int number, FieldKind kind)
    {
        Name = name;
        JsonName = jsonName;
        Number = number;
        Kind = kind;
    }

    /// <summary>Gets the name in protobuf, such as <c>last_name</c>.</summary>
    public string Name { get; }

    /// <summary>Gets the name in JSON, such as <c>lastName</c>.</summary>
    public string JsonName { get; }

    /// <summary>Gets the field number.</summary>
    public int Number { get; }

    /// <summary>Gets the type of the value, or of an item.</summary>
    public FieldKind Kind { get; }

    /// <summary>Gets the message; null for other kinds.</summary>
    public MessageType? Message { get; internal set; }

    /// <summary>Gets the enum; null for other kinds.</summary>
    public EnumType? Enum { get; internal set; }

    /// <summary>Gets a value indicating whether the field holds any number of items.</summary>
    public bool IsRepeated { get; internal init; }

    /// <summary>Gets a value indicating whether the items are entries of a map, with the fields <c>key</c> and <c>value</c>.</summary>
    public bool IsMap => IsRepeated && Message is { IsMapEntry: true };

    /// <summary>Gets a value indicating whether items are written as one block. Readers accept both forms.</summary>
    public bool IsPacked { get; internal init; }

    /// <summary>Gets a value indicating whether an absent value and zero differ.</summary>
    public bool HasPresence { get; internal init; }

    /// <summary>Gets the value of an absent field as protobuf writes it in descriptors; null for zero.</summary>
    public string? Default { get; internal init; }

    /// <summary>Gets the name of the group of fields of which at most one is present; null for none.</summary>
    public string? Oneof { get; internal init; }

    /// <inheritdoc/>
    public override string ToString() => $"{Number} {Name}";
}
