using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Options;

/// <summary>Reads the values of options as the types of their fields demand.</summary>
internal sealed class ValueReader(FileFaults faults, Func<string, ParsedMessage, ParsedNode, ParsedField?> findExtension)
{
    public bool Set(OptionMessage target, ParsedField field, ParsedValue value, string name, ProtoPosition position, ParsedNode node, bool isInMessage = false)
    {
        var key = OptionInterpreter.KeyOf(field);
        if (value.Kind == ParsedValueKind.List)
        {
            if (!field.Model.IsRepeated) return Fault(value.Position, $"'{name}' accepts one value, not a list.");
            return value.Items.TrueForAll(item => Set(target, field, item, name, position, node, isInMessage));
        }

        if (!field.Model.IsRepeated && target.Has(key)) return Fault(position, $"'{name}' is set twice.");
        if (Read(field, value, name, node, isInMessage) is not { } read) return false;
        target.Add(key, read);
        return true;
    }

    private object? Read(ParsedField field, ParsedValue value, string name, ParsedNode node, bool isInMessage)
    {
        if (field.Message is { } type) return ReadMessage(type, value, name, node);
        if (field.Enum is { } values) return ReadEnum(values, value, name, isInMessage);
        var read = ScalarReader.Read(field.Model.Kind, value, isInMessage, out string expected);
        if (read is null) Fault(value.Position, $"The value of '{name}' is wrong: expected {expected}.");
        return read;
    }

    private string? ReadEnum(ParsedEnum type, ParsedValue value, string name, bool isInMessage)
    {
        if (value is { Kind: ParsedValueKind.Identifier, IsNegative: false } && type.Find(value.Text) is not null) return value.Text;
        if (isInMessage && value.Kind == ParsedValueKind.Integer && value.Integer <= 1UL << 31)
        {
            long number = value.IsNegative ? -(long)value.Integer : (long)value.Integer;
            if (type.Find(number) is { } found) return found.Model.Name;
            if (type.Features.EnumType == "OPEN" && number <= int.MaxValue) return number.ToString(System.Globalization.CultureInfo.InvariantCulture);
        }

        Fault(value.Position, $"The value of '{name}' is wrong: expected the name of a value of {type.Model.FullName}.");
        return null;
    }

    private OptionMessage? ReadMessage(ParsedMessage type, ParsedValue value, string name, ParsedNode node)
    {
        if (value.Kind != ParsedValueKind.Message)
        {
            Fault(value.Position, $"The value of '{name}' is wrong: expected fields of {type.Model.FullName} in braces.");
            return null;
        }

        var message = new OptionMessage();
        var oneofs = new HashSet<ParsedOneof>();
        foreach (var literal in value.Fields)
        {
            if (literal.IsExtension && literal.Name.Any(static character => character == '/') && type.Model.FullName == "google.protobuf.Any") continue;
            if (Find(type, literal, node) is not { } field)
            {
                Fault(literal.Position, $"'{literal.Name}' is not a field of {type.Model.FullName}.");
                return null;
            }

            if (!field.Targets.Allow(node))
            {
                Fault(literal.Position, $"'{literal.Name}' cannot be set here.");
                return null;
            }

            if (field.Oneof is { } oneof && !oneofs.Add(oneof))
                Fault(literal.Position, $"The oneof '{oneof.Model.Name}' of {type.Model.FullName} has a value already.");
            if (field.Message is null && !literal.HasColon) Fault(literal.Position, $"Expected ':' and the value of '{literal.Name}', which is not a message.");
            if (!Set(message, field, literal.Value, literal.Name, literal.Position, node, isInMessage: true)) return null;
        }

        // One fault for each value: those of all missing fields are as many as values and fields multiplied.
        if (type.RequiredFields.FirstOrDefault(field => !message.Has(field.Model.Name)) is { } missing)
            Fault(value.Position, $"The field '{missing.Model.Name}' of {type.Model.FullName} is required.");
        return message;
    }

    private ParsedField? Find(ParsedMessage type, ParsedLiteralField literal, ParsedNode node)
    {
        if (literal.IsExtension) return findExtension("." + literal.Name, type, node) ?? findExtension(literal.Name, type, node);
        if (type.Find(literal.Name) is { } field) return field;
        return type.Find(literal.Name.ToLowerInvariant()) is { Message: { } group } named && group.Model.Name == literal.Name ? named : null;
    }

    private bool Fault(ProtoPosition position, string message)
    {
        faults.Error(position, message);
        return false;
    }
}
