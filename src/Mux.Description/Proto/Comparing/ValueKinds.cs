namespace Mux.Description.Proto.Comparing;

/// <summary>Which kinds of values take each other's place.</summary>
internal static class ValueKinds
{
    private const int Varint = 0;
    private const int EightBytes = 1;
    private const int Length = 2;
    private const int Group = 3;
    private const int FourBytes = 5;

    /// <summary>True if both kinds are written with the same tag.</summary>
    public static bool HaveOneWireType(FieldKind one, FieldKind other) => WireTypeOf(one) == WireTypeOf(other);

    /// <summary>True if a value that was written as one kind is the same when it is read as the other, and back.</summary>
    /// <param name="recorded">The recorded field.</param>
    /// <param name="current">That of the code.</param>
    /// <param name="areExact">True if both say how many bits their integers have.</param>
    public static bool IsSameOrWider(ProtoField recorded, ProtoField current, bool areExact) => (recorded.Kind, current.Kind) switch
    {
        _ when areExact && (BitsOf(recorded.Bits) > BitsOf(current.Bits) || BitsOf(recorded.KeyBits) > BitsOf(current.KeyBits)) => false,
        var (was, now) when was == now => true,
        (FieldKind.UInt32, FieldKind.Int32) => areExact && recorded.Bits != 0 && recorded.Bits < BitsOf(current.Bits),
        (FieldKind.Int32, FieldKind.Int64) or (FieldKind.UInt32, FieldKind.UInt64 or FieldKind.Int64) or (FieldKind.SInt32, FieldKind.SInt64) => true,
        (FieldKind.Enum, FieldKind.Int32 or FieldKind.Int64) => recorded.Enum is { IsClosed: false },
        (FieldKind.Int32, FieldKind.Enum) => current.Enum is { IsClosed: false },
        _ => false,
    };

    /// <summary>True if the kind is text in JSON although it is a number: those of 64 bits. Names of enums are neither.</summary>
    public static bool HaveOneJsonForm(FieldKind one, FieldKind other) => JsonFormOf(one) == JsonFormOf(other);

    /// <summary>Describes a type as the file has it.</summary>
    public static string Describe(ProtoField field)
    {
        if (field.IsMap && field.Message!.Fields is { Count: 2 } entry)
            return $"map<{Describe(entry[0])}, {Describe(entry[1])}>";
        var type = field.TypeName ?? field.Kind.ToString().ToLowerInvariant();
        if (field.Kind == FieldKind.Group) type = "group " + type;
        return (field.IsRepeated ? "repeated " + type : type) + (field.Bits == 0 ? string.Empty : $" of {field.Bits} bits");
    }

    // More than any has: those of the type, which the kinds tell.
    private static int BitsOf(int option) => option == 0 ? int.MaxValue : option;

    private static int WireTypeOf(FieldKind kind) => kind switch
    {
        FieldKind.Double or FieldKind.Fixed64 or FieldKind.SFixed64 => EightBytes,
        FieldKind.Float or FieldKind.Fixed32 or FieldKind.SFixed32 => FourBytes,
        FieldKind.String or FieldKind.Bytes or FieldKind.Message => Length,
        FieldKind.Group => Group,
        _ => Varint,
    };

    private static int JsonFormOf(FieldKind kind) => kind switch
    {
        FieldKind.Int64 or FieldKind.UInt64 or FieldKind.SInt64 => 1,
        FieldKind.Enum => 2,
        _ => 0,
    };
}
