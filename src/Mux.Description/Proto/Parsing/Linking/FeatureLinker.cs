using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Linking;

/// <summary>Gives everything of a file the features that apply to it, and the model what follows from them.</summary>
internal static class FeatureLinker
{
    public static void Link(ParsedFile file)
    {
        foreach (var node in NodeWalk.All(file)) node.Features = Merge(node, node.Parent?.Features ?? Default(file));
        foreach (var node in NodeWalk.All(file))
        {
            if (node is ParsedField field) Apply(field);
            else if (node is ParsedEnum type) Apply(type);
        }
    }

    private static Features Default(ParsedFile file) => file.Model.Syntax switch
    {
        ProtoSyntax.Proto2 => Features.Proto2,
        ProtoSyntax.Proto3 => Features.Proto3,
        _ => Features.Edition2023,
    };

    private static Features Merge(ParsedNode node, Features parent)
    {
        if (node.Values?.Message("features") is not { } own) return parent;
        if (!node.File.IsEdition)
        {
            if (own.Names.Any()) node.File.Faults.Error(PositionOf(node), "Features are allowed in editions only: edition = \"2023\".");
            return parent;
        }

        var position = PositionOf(node);
        foreach (var name in own.Names)
        {
            if (name is "enforce_naming_style" or "default_symbol_visibility" or "enforce_proto_limits")
                node.File.Faults.Error(position, $"The feature '{name}' is not of edition 2023.");
            else if (own.Text(name)?.EndsWith("_UNKNOWN", StringComparison.Ordinal) == true)
                node.File.Faults.Error(position, $"The feature '{name}' must have a known value, not {own.Text(name)}.");
        }

        return new Features(
            own.Text("field_presence") ?? parent.Presence,
            own.Text("enum_type") ?? parent.EnumType,
            own.Text("repeated_field_encoding") ?? parent.Repeated,
            own.Text("utf8_validation") ?? parent.Utf8,
            own.Text("message_encoding") ?? parent.Encoding,
            own.Text("json_format") ?? parent.Json);
    }

    private static ProtoPosition PositionOf(ParsedNode node) =>
        node.Options.Find(static option => option.Name[0].Text == "features")?.Position ?? node.Position;

    private static void Apply(ParsedField field)
    {
        var model = field.Model;
        bool isMessage = model.Kind is FieldKind.Message or FieldKind.Group;
        bool isOfEntry = field.Container is { Model.IsMapEntry: true };
        model.IsRequired = field.Label == ParsedLabel.Required || (!model.IsRepeated && field.Features.Presence == "LEGACY_REQUIRED");
        model.HasPresence = !model.IsRepeated
            && (isMessage || field.Oneof is not null || field.IsExtension || field.IsProto3Optional || field.Features.Presence != "IMPLICIT");
        model.IsPacked = field.IsPackable && (field.Values?.Flag("packed") ?? field.Features.Repeated == "PACKED");
        if (model.Kind == FieldKind.Message && field.Features.Encoding == "DELIMITED" && !isOfEntry && !field.IsMap) model.Kind = FieldKind.Group;
        if (!field.HasJsonName) model.JsonName = JsonNames.Of(model.Name);
        model.IsDeprecated = field.Values?.Flag("deprecated") == true;
    }

    private static void Apply(ParsedEnum type)
    {
        type.Model.IsClosed = type.Features.EnumType == "CLOSED";
        type.Model.AllowsAliases = type.Values?.Flag("allow_alias") == true;
    }
}
