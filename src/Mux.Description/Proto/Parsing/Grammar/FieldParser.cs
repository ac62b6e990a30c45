using System.Text;
using Mux.Description.Proto.Parsing.Text;
using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Grammar;

/// <summary>Reads fields, maps and groups.</summary>
internal sealed class FieldParser(TokenReader tokens, ParsedFile file, OptionParser options, MessageParser messages)
{
    private readonly DefaultParser _defaults = new(tokens);

    public static FieldKind? KindOf(string type) => type switch
    {
        "double" => FieldKind.Double,
        "float" => FieldKind.Float,
        "int64" => FieldKind.Int64,
        "uint64" => FieldKind.UInt64,
        "int32" => FieldKind.Int32,
        "fixed64" => FieldKind.Fixed64,
        "fixed32" => FieldKind.Fixed32,
        "bool" => FieldKind.Bool,
        "string" => FieldKind.String,
        "group" => FieldKind.Group,
        "bytes" => FieldKind.Bytes,
        "uint32" => FieldKind.UInt32,
        "sfixed32" => FieldKind.SFixed32,
        "sfixed64" => FieldKind.SFixed64,
        "sint32" => FieldKind.SInt32,
        "sint64" => FieldKind.SInt64,
        _ => null,
    };

    /// <param name="container">The message around it; null for an extension outside of messages.</param>
    /// <param name="extended">The message that it extends, if it is an extension.</param>
    public bool ReadLabeled(ParsedMessage? container, ParsedName extended)
    {
        var field = Begin(container);
        field.Extended = extended;
        field.Label = tokens.Current.Text switch
        {
            "optional" => ParsedLabel.Optional,
            "required" => ParsedLabel.Required,
            "repeated" => ParsedLabel.Repeated,
            _ => ParsedLabel.None,
        };
        if (file.IsEdition && field.Label is ParsedLabel.Optional or ParsedLabel.Required)
            tokens.Fault($"The label '{tokens.Current.Text}' is not allowed in editions: use features.field_presence.");
        if (field.Label != ParsedLabel.None) tokens.Next();
        return Read(field);
    }

    public bool ReadOfOneof(ParsedMessage message, ParsedOneof oneof)
    {
        var field = Begin(message);
        field.Oneof = oneof;
        if (tokens.Is("required") || tokens.Is("optional") || tokens.Is("repeated"))
        {
            tokens.Fault($"Fields of a oneof have no label '{tokens.Current.Text}'.");
            tokens.Next();
        }

        return Read(field);
    }

    /// <param name="what">What the name is of.</param>
    /// <param name="name">The name.</param>
    public bool ReadTypeName(string what, out string name)
    {
        if (KindOf(tokens.Current.Text) is null) return NameParser.Read(tokens, what, out name);
        name = tokens.Current.Text;
        tokens.Fault($"Expected the name of {what}, not the type '{name}'.");
        tokens.Next();
        return true;
    }

    private ParsedField Begin(ParsedMessage? container) => new(new ProtoField { Comment = tokens.Current.Comment }, file, container);

    private bool Read(ParsedField field)
    {
        if (!tokens.TakeMember() || !ReadType(field, out var entry)) return false;
        var model = field.Model;
        if (!tokens.TakeName("a field", out var name)) return false;
        (model.Name, model.Position, model.IsRepeated) = (name.Text, name.Position, field.Label == ParsedLabel.Repeated);
        if (!tokens.Take("=")) return false;
        field.NumberPosition = tokens.Position;
        if (!tokens.TakeInt32("the number of the field", out int number)) return false;
        model.Number = number;
        if (!ReadOptions(field)) return false;
        Add(field);
        if (field.Model.Kind == FieldKind.Group && !field.IsKindOpen) return ReadGroup(field, name);
        return tokens.Take(";") && (entry is not { } map || AddEntry(field, map));
    }

    private void Add(ParsedField field)
    {
        if (field.IsExtension)
        {
            (field.Container?.Extensions ?? file.Extensions).Add(field);
            return;
        }

        field.Model.Oneof = field.Oneof?.Model;
        field.Container!.Fields.Add(field);
        field.Container.Model.Fields.Add(field.Model);
    }

    private bool ReadType(ParsedField field, out (ParsedField Key, ParsedField Value)? entry)
    {
        entry = null;
        var map = tokens.Current;
        field.TypePosition = tokens.Position;
        if (tokens.TryTake("map"))
        {
            if (tokens.Is("<")) return ReadMap(field, out entry);
            if (!NeedLabel(field)) return false;
            (field.Model.TypeName, field.IsKindOpen) = (map.Text, true); // a message with this name
            return true;
        }

        return NeedLabel(field) && ReadSimpleType(field);
    }

    // Reports what is missing and continues: the rest of the field is read as if the word were there.
    private bool NeedLabel(ParsedField field)
    {
        if (field.Label == ParsedLabel.None && field.Oneof is null && file.Model.Syntax == ProtoSyntax.Proto2)
            tokens.Fault("Expected 'optional', 'required' or 'repeated': files without syntax = \"proto3\" need one of them.");
        return true;
    }

    private bool ReadSimpleType(ParsedField field)
    {
        field.TypePosition = tokens.Position;
        if (KindOf(tokens.Current.Text) is { } kind)
        {
            if (kind == FieldKind.Group && file.IsEdition)
                tokens.Fault("Groups are not allowed in editions: use features.message_encoding = DELIMITED.");
            field.Model.Kind = kind;
            tokens.Next();
            return true;
        }

        if (!NameParser.Read(tokens, "a type", out var name)) return false;
        (field.Model.TypeName, field.IsKindOpen) = (name, true);
        return true;
    }

    private bool ReadMap(ParsedField field, out (ParsedField Key, ParsedField Value)? entry)
    {
        entry = null;
        if (field.Oneof is not null) return tokens.Fault("Maps are not allowed in a oneof.");
        if (field.Label != ParsedLabel.None) return tokens.Fault("Maps have no label.");
        if (field.IsExtension) return tokens.Fault("Maps are not allowed as extensions.");
        field.Label = ParsedLabel.Repeated;
        tokens.Next();
        var key = new ParsedField(new ProtoField { Name = "key", Number = 1 }, file, null) { NumberPosition = tokens.Position };
        if (!ReadSimpleType(key) || !tokens.Take(",")) return false;
        var value = new ParsedField(new ProtoField { Name = "value", Number = 2 }, file, null) { NumberPosition = tokens.Position };
        if (!ReadSimpleType(value) || !tokens.Take(">")) return false;
        entry = (key, value);
        return true;
    }

    private bool AddEntry(ParsedField field, (ParsedField Key, ParsedField Value) map)
    {
        if (messages.Add(field.Container, new ProtoToken(ProtoTokenKind.Identifier, EntryName(field.Model.Name), field.Position, null), null) is not { } entry)
            return false;
        entry.Model.IsMapEntry = true;
        foreach (var source in new[] { map.Key, map.Value })
        {
            source.Model.Position = source.TypePosition;
            var copy = new ParsedField(source.Model, file, entry)
            {
                IsKindOpen = source.IsKindOpen,
                TypePosition = source.TypePosition,
                NumberPosition = source.NumberPosition,
            };
            copy.Options.AddRange(field.Options.Where(static option => option.Name[0] is { Text: "features", IsExtension: false }));
            entry.Fields.Add(copy);
            entry.Model.Fields.Add(copy.Model);
        }

        (field.Message, field.Model.Kind, field.IsKindOpen) = (entry, FieldKind.Message, false);
        return true;
    }

    private static string EntryName(string field)
    {
        var name = new StringBuilder();
        bool isStart = true;
        foreach (char character in field)
        {
            if (character != '_') name.Append(isStart && character is >= 'a' and <= 'z' ? (char)(character - 32) : character);
            isStart = character == '_';
        }

        return name.Append("Entry").ToString();
    }

    private bool ReadGroup(ParsedField field, ProtoToken name)
    {
        if (name.Text[0] is < 'A' or > 'Z') tokens.FaultAt(name.Position, "The name of a group begins with a capital letter.");
        field.Model.Name = name.Text.ToLowerInvariant();
        if (!tokens.Is("{")) return tokens.Fault("Expected '{' and the fields of the group.");
        if (messages.Add(field.Container, name, field.Model.Comment) is not { } group) return false;
        field.Message = group;
        return messages.ReadBlock(group);
    }

    private bool ReadOptions(ParsedField field)
    {
        if (!tokens.TryTake("[")) return true;
        do
        {
            bool isRead = tokens.Current.Text switch
            {
                "default" => _defaults.Read(field),
                "json_name" => ReadJsonName(field),
                _ => options.Read(field.Options),
            };
            if (!isRead) return false;
        }
        while (tokens.TryTake(","));
        return tokens.Take("]");
    }

    private bool ReadJsonName(ParsedField field)
    {
        if (field.HasJsonName) tokens.Fault("The field has a json_name already.");
        tokens.Next();
        var position = tokens.Position;
        if (!tokens.Take("=") || !tokens.TakeText("the name in JSON", out var name)) return false;
        if (name.Any(static character => character == '\0')) tokens.FaultAt(position, "The name in JSON has the character U+0000, which is not allowed.");
        (field.Model.JsonName, field.HasJsonName) = (name, true);
        return true;
    }
}
