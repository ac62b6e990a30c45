using System.Globalization;
using Mux.Description.Reading;

namespace Mux.Description.Proto.Descriptors;

/// <summary>Checks defaults of fields, which are texts in descriptors, and become part of the text of files.</summary>
internal static class DefaultRules
{
    private const NumberStyles Integer = NumberStyles.AllowLeadingSign;

    public static void Check(ProtoField field, string place)
    {
        if (field.Default is not { } text || IsValid(field, text)) return;
        DescriptionFault.Throw(
            place, $"has the field '{field.Name}' with the default {DescriptionFault.Quote(text)}; allowed are values of its type, for fields without items");
    }

    // What .NET accepts beyond numbers of protobuf would make text that compilers refuse.
    private static bool IsNumber(string text) =>
        text.Length > 0 && text[0] != '+' && text.All(static c => c is (>= '0' and <= '9') or '+' or '-' or '.' or 'e' or 'E');

    private static bool IsValid(ProtoField field, string text) => !field.IsRepeated && field.Kind switch
    {
        FieldKind.String or FieldKind.Bytes => true,
        FieldKind.Bool => text is "true" or "false",
        FieldKind.Enum => NameRules.IsWord(text),
        FieldKind.Double or FieldKind.Float when text is "inf" or "-inf" or "nan" or "-nan" => true,
        _ when !IsNumber(text) => false,
        FieldKind.Int32 or FieldKind.SInt32 or FieldKind.SFixed32 => int.TryParse(text, Integer, CultureInfo.InvariantCulture, out _),
        FieldKind.UInt32 or FieldKind.Fixed32 => uint.TryParse(text, Integer, CultureInfo.InvariantCulture, out _),
        FieldKind.Int64 or FieldKind.SInt64 or FieldKind.SFixed64 => long.TryParse(text, Integer, CultureInfo.InvariantCulture, out _),
        FieldKind.UInt64 or FieldKind.Fixed64 => ulong.TryParse(text, Integer, CultureInfo.InvariantCulture, out _),
        FieldKind.Double or FieldKind.Float =>
            double.TryParse(text, Integer | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent, CultureInfo.InvariantCulture, out _),
        _ => false,
    };
}
