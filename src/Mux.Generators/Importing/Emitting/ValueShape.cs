using Mux.Description;
using Mux.Description.Proto;
using Mux.Generators.Importing.Naming;

namespace Mux.Generators.Importing.Emitting;

/// <summary>A value of a field, an item of a list, or the key or value of a map.</summary>
/// <param name="TypeName">The C# type, without a mark for null.</param>
/// <param name="Format">Name of protobuf-net's DataFormat; null for the default.</param>
/// <param name="Framework">The C# type in place of a message; null for others.</param>
internal sealed record ValueShape(string TypeName, string? Format, FrameworkValue? Framework)
{
    public static ValueShape Of(ProtoField field, CSharpNames names, bool isInMap)
    {
        if (FrameworkValues.Of(field, isInMap) is { } framework) return new ValueShape(framework.TypeName, FormatOf(field.Kind), framework);
        var type = field.Kind switch
        {
            FieldKind.Double => "double",
            FieldKind.Float => "float",
            FieldKind.Int64 or FieldKind.SFixed64 or FieldKind.SInt64 => "long",
            FieldKind.UInt64 or FieldKind.Fixed64 => "ulong",
            FieldKind.Int32 or FieldKind.SFixed32 or FieldKind.SInt32 => "int",
            FieldKind.UInt32 or FieldKind.Fixed32 => "uint",
            FieldKind.Bool => "bool",
            FieldKind.String => "string",
            FieldKind.Bytes => "byte[]",
            _ => names.CodeOf(field.TypeName!),
        };
        return new ValueShape(type, FormatOf(field.Kind), null);
    }

    private static string? FormatOf(FieldKind kind) => kind switch
    {
        FieldKind.Fixed32 or FieldKind.Fixed64 or FieldKind.SFixed32 or FieldKind.SFixed64 => "FixedSize",
        FieldKind.SInt32 or FieldKind.SInt64 => "ZigZag",
        FieldKind.Group => "Group",
        _ => null,
    };
}
