using Mux.Description.Proto.Parsing.Linking;
using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Checking;

/// <summary>Checks names in JSON, and options of messages.</summary>
internal static class MessageChecks
{
    public static void Check(ParsedFile file)
    {
        foreach (var message in NodeWalk.Messages(file))
        {
            if (message.Options.Find(static option => !option.Name[0].IsExtension && option.Name[0].Text == "map_entry") is { } option)
                file.Faults.Error(option.Position, "The option map_entry is not allowed: map<KeyType, ValueType> makes entries.");
            if (file.IsProto3 && message.ExtensionRanges.Count > 0)
                file.Faults.Error(message.ExtensionRanges[0].Position, "Numbers for extensions are not allowed in proto3.");
            if (file.IsProto3 && message.IsMessageSet) file.Faults.Error(message.Position, "The option message_set_wire_format is not allowed in proto3.");
            if (message.IsMessageSet && message.Fields.Count > 0)
                file.Faults.Error(message.Fields[0].Position, "Messages with message_set_wire_format have no fields, only extensions.");
            CheckExtensionDeclarations(message);
            if (message.Values?.Flag("deprecated_legacy_json_field_conflicts") != true) CheckJsonNames(message);
        }
    }

    private static void CheckJsonNames(ParsedMessage message)
    {
        var derived = new Dictionary<string, ParsedField>(StringComparer.Ordinal);
        var chosen = new Dictionary<string, ParsedField>(StringComparer.Ordinal);
        foreach (var field in message.Fields)
        {
            var name = field.Model.JsonName;
            bool isChosen = IsChosen(field);
            if (isChosen && name.Length > 0 && name[0] == '[' && name[name.Length - 1] == ']')
                message.File.Faults.Error(field.Position, $"The name in JSON '{name}' is that of an extension: it cannot begin with '[' and end with ']'.");
            Add(derived, JsonNames.Of(field.Model.Name), field, false);
            if (chosen.TryGetValue(name, out var other) && (isChosen || IsChosen(other))) Report(field, other, name, isDerived: !isChosen || !IsChosen(other));
            else chosen[name] = field;
        }

        void Add(Dictionary<string, ParsedField> names, string name, ParsedField field, bool isChosen)
        {
            if (names.TryGetValue(name, out var other)) Report(field, other, name, isDerived: !isChosen);
            else names.Add(name, field);
        }
    }

    private static bool IsChosen(ParsedField field) => field.HasJsonName && field.Model.JsonName != JsonNames.Of(field.Model.Name);

    private static void Report(ParsedField field, ParsedField other, string name, bool isDerived)
    {
        var message = $"The fields '{other.Model.Name}' and '{field.Model.Name}' have the same name in JSON, '{name}': it must be unique in the message.";
        if (isDerived && field.Container!.Features.Json == "LEGACY_BEST_EFFORT") field.File.Faults.Warn(field.Position, message);
        else field.File.Faults.Error(field.Position, message);
    }

    private static void CheckExtensionDeclarations(ParsedMessage message)
    {
        foreach (var range in message.ExtensionRanges)
        {
            if (range.Values?.Has("declaration") == true && range.Values.Text("verification") == "UNVERIFIED")
                message.File.Faults.Error(range.Position, "Numbers with declarations cannot be UNVERIFIED.");
        }
    }
}
