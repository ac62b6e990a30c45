using Microsoft.CodeAnalysis.CSharp;
using Mux.Description;
using Mux.Description.Proto;
using Mux.Description.Proto.Parsing.Text;

namespace Mux.Generators.Importing.Emitting;

/// <summary>Converts defaults of proto2 to C#.</summary>
internal static class DefaultLiteral
{
    /// <summary>Gets the expression; null for a field without a default.</summary>
    /// <param name="field">The field.</param>
    /// <param name="type">Its C# type, without a mark for null.</param>
    public static string? Of(ProtoField field, string type) => field.Default is not { } text || field.IsRepeated ? null : field.Kind switch
    {
        FieldKind.String => SymbolDisplay.FormatLiteral(text, quote: true),
        FieldKind.Bytes => OfBytes(text),
        FieldKind.Message or FieldKind.Group => null,
        FieldKind.Bool => text,
        FieldKind.Float or FieldKind.Double => text switch
        {
            "inf" => type + ".PositiveInfinity",
            "-inf" => type + ".NegativeInfinity",
            "nan" or "-nan" => type + ".NaN",
            _ => text + (field.Kind == FieldKind.Float ? "F" : "D"),
        },
        FieldKind.Enum => field.Enum!.Values.Find(value => value.Name == text) is { } value ? $"({type})({value.Number})" : null,
        FieldKind.Int64 or FieldKind.SInt64 or FieldKind.SFixed64 => text + "L",
        FieldKind.UInt64 or FieldKind.Fixed64 => text + "UL",
        FieldKind.UInt32 or FieldKind.Fixed32 => text + "U",
        _ => text,
    };

    // Descriptors have bytes as the text between quotes.
    private static string OfBytes(string text)
    {
        using var bytes = new MemoryStream();
        StringLiterals.Append(bytes, $"\"{text}\"");
        return $"new byte[] {{ {string.Join(", ", bytes.ToArray())} }}";
    }
}
