using Google.Protobuf.Reflection;
using Mux.Serialization.Oracles.Values;

namespace Mux.Serialization.Oracles.Wire;

/// <summary>How fields are written, by their type in the .proto file.</summary>
internal static class FieldForms
{
    /// <summary>The wire type of one value.</summary>
    public static WireType WireTypeOf(FieldDescriptor field) => field.FieldType switch
    {
        FieldType.Fixed32 or FieldType.SFixed32 or FieldType.Float => WireType.Fixed32,
        FieldType.Fixed64 or FieldType.SFixed64 or FieldType.Double => WireType.Fixed64,
        FieldType.Message or FieldType.Group when FieldHints.Of(field).IsGroup => WireType.StartGroup,
        FieldType.String or FieldType.Bytes or FieldType.Message => WireType.Bytes,
        _ => WireType.Varint,
    };

    /// <summary>Whether a value is a number, which may stand in a packed block.</summary>
    public static bool IsNumber(FieldDescriptor field) => WireTypeOf(field) is WireType.Varint or WireType.Fixed32 or WireType.Fixed64;

    public static bool IsMessage(FieldDescriptor field) => field.FieldType is FieldType.Message or FieldType.Group;

    /// <summary>Whether the number has 32 bits or fewer.</summary>
    public static bool IsNarrow(FieldDescriptor field) =>
        field.FieldType is FieldType.Bool or FieldType.Int32 or FieldType.UInt32 or FieldType.SInt32 or FieldType.Enum or FieldType.Fixed32 or FieldType.SFixed32;
}
