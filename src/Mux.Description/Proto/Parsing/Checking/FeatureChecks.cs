using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Checking;

/// <summary>Checks features of fields.</summary>
internal static class FeatureChecks
{
    public static void Check(ParsedField field)
    {
        if (field.Values?.Has("packed") == true) Report(field, "The option packed is not allowed in editions: use features.repeated_field_encoding.");
        if (!field.Model.IsRepeated && !field.Model.HasPresence)
        {
            if (field.Model.Default is not null) Report(field, "Fields with implicit presence have no default.");
            if (field.Enum is { Model.IsClosed: true }) Report(field, "Fields with implicit presence can have open enums only.");
        }

        if (field.IsExtension && field.Model.IsRequired) Report(field, "Extensions cannot be required.");
        if (field.Container is { Model.IsMapEntry: true } || field.Values?.Message("features") is not { } own) return;
        if (own.Text("field_presence") is { } presence) CheckPresence(field, presence);
        if (own.Has("repeated_field_encoding") && !field.Model.IsRepeated) Report(field, "The feature repeated_field_encoding is for repeated fields only.");
        if (own.Has("utf8_validation") && field.Model.Kind != FieldKind.String && !IsStringMap(field))
            Report(field, "The feature utf8_validation is for strings only.");
        if (own.Text("repeated_field_encoding") == "PACKED" && !field.IsPackable)
            Report(field, "Only repeated fields of numbers, bools and enums can be PACKED.");
        if (own.Has("message_encoding") && (field.Message is null || field.IsMap)) Report(field, "The feature message_encoding is for messages only.");
    }

    private static void CheckPresence(ParsedField field, string presence)
    {
        if (field.Oneof is not null) Report(field, "The feature field_presence is not allowed in a oneof.");
        else if (field.Model.IsRepeated) Report(field, "The feature field_presence is not allowed for repeated fields.");
        else if (field.IsExtension && presence != "LEGACY_REQUIRED") Report(field, "The feature field_presence is not allowed for extensions.");
        else if (field.Message is not null && presence == "IMPLICIT") Report(field, "Messages have no implicit presence.");
    }

    private static bool IsStringMap(ParsedField field) => field.IsMap && field.Message!.Fields.Exists(static part => part.Model.Kind == FieldKind.String);

    private static void Report(ParsedField field, string message) => field.File.Faults.Error(field.Position, message);
}
