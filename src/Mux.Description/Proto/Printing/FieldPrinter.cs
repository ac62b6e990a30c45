using Mux.Description.Proto.Descriptors;
using Mux.Description.Reading;

namespace Mux.Description.Proto.Printing;

/// <summary>Writes fields on one line.</summary>
internal sealed class FieldPrinter(NameScope names, ProtoSyntax syntax)
{
    public string Field(ProtoField field, ProtoMessage message) =>
        $"{LabelOf(field)}{TypeOf(field, message)} {field.Name} = {field.Number}{Options(field, message)};";

    /// <summary>Writes the beginning of a group, which the fields of its message follow.</summary>
    public string Group(ProtoField field, ProtoMessage message) =>
        $"{LabelOf(field)}group {field.Message!.Name} = {field.Number}{Options(field, message)}";

    /// <summary>True if a field of a message, or of those in it, has options of mux/options.proto.</summary>
    public static bool HasOptions(ProtoMessage message) =>
        message.Fields.Exists(static field => OwnOptions(field).Any()) || message.Messages.Exists(HasOptions);

    private static IEnumerable<string> OwnOptions(ProtoField field)
    {
        if (field.Bits != 0) yield return $"bits = {field.Bits}";
        if (field.KeyBits != 0) yield return $"key_bits = {field.KeyBits}";
        if (field.Absent is { } absent) yield return $"absent = {ProtoLiteral.Text(absent)}";
    }

    private string LabelOf(ProtoField field)
    {
        if (field.IsMap || field.Oneof is not null) return string.Empty;
        if (field.IsRepeated) return "repeated ";
        return syntax switch
        {
            ProtoSyntax.Proto2 => field.IsRequired ? "required " : "optional ",
            ProtoSyntax.Proto3 => field is { HasPresence: true, Message: null } ? "optional " : string.Empty,
            _ => string.Empty,
        };
    }

    private string TypeOf(ProtoField field, ProtoMessage message)
    {
        if (!field.IsMap) return field.TypeName is { } name ? names.Refer(name, message.FullName) : ProtoLiteral.Scalar(field.Kind);
        var entry = field.Message!.Fields;
        return $"map<{TypeOf(entry.Find(static part => part.Number == 1)!, message)}, {TypeOf(entry.Find(static part => part.Number == 2)!, message)}>";
    }

    private string Options(ProtoField field, ProtoMessage message)
    {
        var options = new List<string>();
        if (field.Default is { } value) options.Add($"default = {ProtoLiteral.Default(field.Kind, value)}");
        if (field.JsonName.Length > 0 && field.JsonName != NameRules.JsonName(field.Name)) options.Add($"json_name = {ProtoLiteral.Text(field.JsonName)}");
        bool isOther = field.IsRepeated && FieldReader.IsPackable(field.Kind) && field.IsPacked != FeatureSet.Of(syntax).IsPacked;
        bool isEdition = syntax == ProtoSyntax.Edition2023;
        if (isOther && !isEdition) options.Add(field.IsPacked ? "packed = true" : "packed = false");
        if (field.IsDeprecated) options.Add("deprecated = true");
        if (isEdition)
        {
            if (field.IsRequired) options.Add("features.field_presence = LEGACY_REQUIRED");
            else if (field is { IsRepeated: false, HasPresence: false }) options.Add("features.field_presence = IMPLICIT");
            if (isOther) options.Add("features.repeated_field_encoding = EXPANDED");
            if (field.Kind == FieldKind.Group) options.Add("features.message_encoding = DELIMITED");
        }

        options.AddRange(OwnOptions(field).Select(option => $"{names.Option("mux.field", message.FullName)}.{option}"));
        return options.Count == 0 ? string.Empty : $" [{string.Join(", ", options)}]";
    }
}
