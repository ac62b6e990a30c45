using Mux.Description.Proto.Parsing.Options;
using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Checking;

/// <summary>Checks what the syntax allows of fields, and their options.</summary>
internal static class FieldChecks
{
    public static void Check(ParsedFile file)
    {
        var extensions = new HashSet<(ParsedMessage, int)>();
        foreach (var field in NodeWalk.All(file).OfType<ParsedField>())
        {
            if (file.IsProto3) CheckProto3(field);
            if (file.IsEdition) FeatureChecks.Check(field);
            CheckOptions(field);
            if (field.IsExtension) CheckExtension(field);
            if (field.IsExtension && !extensions.Add((field.ExtendedMessage!, field.Model.Number)))
                file.Faults.Error(field.NumberPosition,
                    $"The number {field.Model.Number} is already used: another extension of {field.ExtendedMessage!.Model.FullName} has it.");
            if (field.Message is { Model.IsMapEntry: true } entry) CheckMap(field, entry);
        }
    }

    private static void CheckProto3(ParsedField field)
    {
        var faults = field.File.Faults;
        if (field.IsExtension && !OptionSchema.IsOptionsOfElement(field.ExtendedMessage!))
            faults.Error(field.Extended.Position, "Extensions are not allowed in proto3, except those of options.");
        if (field.Model.IsRequired) faults.Error(field.Position, "Required fields are not allowed in proto3.");
        if (field.Model.Default is not null) faults.Error(field.DefaultPosition, "Defaults are not allowed in proto3.");
        if (field.Enum is { Model.IsClosed: true } type)
            faults.Error(field.TypePosition, $"The enum {type.Model.FullName} is closed: fields of proto3 cannot use enums of proto2.");
        if (field.Model.Kind == FieldKind.Group) faults.Error(field.TypePosition, "Groups are not allowed in proto3.");
    }

    private static void CheckOptions(ParsedField field)
    {
        if (field.Values is not { } values) return;
        var faults = field.File.Faults;
        if ((values.Flag("lazy") == true || values.Flag("unverified_lazy") == true) && field.Model.Kind != FieldKind.Message)
            faults.Error(field.Position, "The options lazy and unverified_lazy are for messages only.");
        if (values.Flag("unverified_lazy") == true && field.IsExtension)
            faults.Error(field.Position, "The option unverified_lazy is not allowed for extensions.");
        if (values.Flag("packed") == true && !field.IsPackable)
            faults.Error(field.Position, "The option packed is for repeated fields of numbers, bools and enums only.");
        if (values.Text("jstype") is { } type && type != "JS_NORMAL"
            && field.Model.Kind is not (FieldKind.Int64 or FieldKind.UInt64 or FieldKind.SInt64 or FieldKind.Fixed64 or FieldKind.SFixed64))
            faults.Error(field.Position, "The option jstype is for integers of 64 bits only.");
    }

    private static void CheckExtension(ParsedField field)
    {
        var faults = field.File.Faults;
        var extended = field.ExtendedMessage!;
        if (!extended.AllowsExtension(field.Model.Number))
            faults.Error(field.NumberPosition, $"The message {extended.Model.FullName} has no number {field.Model.Number} for extensions.");
        if (field.Label == ParsedLabel.Required) faults.Error(field.Position, "Extensions cannot be required.");
        if (field.HasJsonName && field.Model.JsonName != Linking.JsonNames.Of(field.Model.Name)) faults.Error(field.Position, "Extensions have no json_name.");
        if (extended.IsMessageSet && (field.Model.IsRepeated || field.Model.IsRequired || field.Model.Kind != FieldKind.Message))
            faults.Error(field.Position, "Extensions of messages with message_set_wire_format are messages, and not repeated.");
        if (field.File.IsLite && !extended.File.IsLite)
            faults.Error(field.Position, "A file with optimize_for = LITE_RUNTIME cannot extend messages of files without this option.");
    }

    private static void CheckMap(ParsedField field, ParsedMessage entry)
    {
        var faults = field.File.Faults;
        if (field.Container != entry.Container || field.Position != entry.Position)
        {
            faults.Error(field.TypePosition, $"{entry.Model.FullName} is the entry of a map: other fields cannot use it as their type.");
            return;
        }

        var key = entry.Fields[0];
        if (key.Model.Kind is FieldKind.Enum or FieldKind.Float or FieldKind.Double or FieldKind.Message or FieldKind.Group or FieldKind.Bytes)
            faults.Error(key.TypePosition, "The key of a map is an integer, a bool or a string.");
        if (entry.Fields[1].Enum is { } type && type.Members[0].Model.Number != 0)
            faults.Error(entry.Fields[1].TypePosition, $"The first value of {type.Model.FullName} is not 0: enums in maps need a first value of 0.");
    }
}
