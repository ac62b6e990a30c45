namespace Mux.Description.Proto;

/// <summary>A field. Features and syntax are resolved: <see cref="HasPresence"/> and <see cref="IsPacked"/> are what is true of it.</summary>
internal sealed class ProtoField : ProtoElement
{
    public int Number { get; set; }

    /// <summary>Gets or sets the kind. <see cref="FieldKind.Group"/> is also a message in the form DELIMITED of editions.</summary>
    public FieldKind Kind { get; set; }

    /// <summary>
    /// Gets or sets the full name of the message or enum, without a dot before it; null for other kinds. Until names are resolved, as the text has it.
    /// </summary>
    public string? TypeName { get; set; }

    /// <summary>Gets or sets the message; null for other kinds.</summary>
    public ProtoMessage? Message { get; set; }

    /// <summary>Gets or sets the enum; null for other kinds.</summary>
    public ProtoEnum? Enum { get; set; }

    public bool IsRepeated { get; set; }

    /// <summary>Gets or sets a value indicating whether readers of other programs refuse a message without it.</summary>
    public bool IsRequired { get; set; }

    /// <summary>Gets or sets a value indicating whether an absent value and zero differ.</summary>
    public bool HasPresence { get; set; }

    public bool IsPacked { get; set; }

    /// <summary>Gets or sets the group of which it is a member; null for none, and for <c>optional</c> fields of proto3.</summary>
    public ProtoOneof? Oneof { get; set; }

    /// <summary>Gets or sets the value of an absent field as descriptors write it; null for zero.</summary>
    public string? Default { get; set; }

    /// <summary>Gets or sets the number of bits of its integers, or of the values of a map; 0 if they have all those of their type.</summary>
    public int Bits { get; set; }

    /// <summary>Gets or sets <see cref="Bits"/> of the keys of a map.</summary>
    public int KeyBits { get; set; }

    /// <summary>
    /// Gets or sets the value that the program has for an absent field, where protobuf knows no such default; null if it has nothing or zero.
    /// </summary>
    public string? Absent { get; set; }

    /// <summary>Gets or sets the name in JSON, derived from the name or chosen.</summary>
    public string JsonName { get; set; } = string.Empty;

    /// <summary>Gets a value indicating whether its items are entries of a map.</summary>
    public bool IsMap => IsRepeated && Message is { IsMapEntry: true };

    private bool IsInteger => Kind is FieldKind.Int32 or FieldKind.UInt32 or FieldKind.SInt32 or FieldKind.Fixed32 or FieldKind.SFixed32
        or FieldKind.Int64 or FieldKind.UInt64 or FieldKind.SInt64 or FieldKind.Fixed64 or FieldKind.SFixed64;

    /// <summary>Keeps the bits of integers alone, and gives the fields of the entry of a map those that the options of the map say.</summary>
    public void FitBits()
    {
        if (!IsMap)
        {
            (Bits, KeyBits) = (IsInteger ? Bits : 0, 0);
            return;
        }

        foreach (var part in Message!.Fields)
        {
            part.Bits = part.Number == 1 ? KeyBits : Bits;
            part.FitBits();
            if (part.Number == 1) KeyBits = part.Bits;
            else Bits = part.Bits;
        }
    }
}
