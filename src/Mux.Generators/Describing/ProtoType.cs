using Mux.Generators.Messages.Models;

namespace Mux.Generators.Describing;

/// <summary>Type of a field.</summary>
/// <param name="Number">Number of the type in FieldDescriptorProto.</param>
/// <param name="Reference">Name of the message or enum; null for other types.</param>
internal readonly record struct ProtoType(int Number, string? Reference = null)
{
    private const int Group = 10;
    private const int Message = 11;

    /// <summary>True for types whose lists can be one block.</summary>
    public bool IsPackable => Number is not (9 or Group or Message or 12);

    public bool IsMessage => Number is Group or Message;

    /// <summary>True for types that can be keys of maps.</summary>
    public bool IsKey => Number is not (1 or 2 or Group or Message or 12 or 14);

    public static ProtoType OfMessage(string reference, bool isGroup) => new(isGroup ? Group : Message, reference);

    public static ProtoType Text => new(9);

    public static ProtoType Bytes => new(12);

    public static ProtoType Of(ScalarModel scalar) => scalar.Enum is { } known ? new ProtoType(14, known.Name.Reference) : new ProtoType(scalar.Scalar switch
    {
        ScalarType.Boolean => 8,
        ScalarType.Single => 2,
        ScalarType.Double => 1,
        ScalarType.SByte or ScalarType.Int16 or ScalarType.Int32 => Select(scalar.Format, 5, 17, 15),
        ScalarType.Int64 or ScalarType.IntPtr => Select(scalar.Format, 3, 18, 16),
        ScalarType.UInt64 or ScalarType.UIntPtr => Select(scalar.Format, 4, 4, 6),
        _ => Select(scalar.Format, 13, 13, 7),
    });

    public static ProtoType Of(FrameworkModel value) => value.Form switch
    {
        FrameworkForm.GuidText or FrameworkForm.DecimalText => Text,
        FrameworkForm.GuidBytes => Bytes,
        FrameworkForm.DateOnly => new ProtoType(5),
        FrameworkForm.TimeOnly => new ProtoType(3),
        _ when value.Wire == Protobuf.WireType.Fixed64 => new ProtoType(16),
        FrameworkForm.Timestamp or FrameworkForm.Duration => OfMessage(".google.protobuf." + value.Form, IsGroup(value)),
        _ => OfMessage(".bcl." + value.Form.ToString().Substring("Bcl".Length), IsGroup(value)),
    };

    private static bool IsGroup(FrameworkModel value) => value.Wire == Protobuf.WireType.StartGroup;

    private static int Select(ScalarFormat format, int varint, int zigZag, int fixedSize) => format switch
    {
        ScalarFormat.ZigZag => zigZag,
        ScalarFormat.Fixed => fixedSize,
        _ => varint,
    };
}
