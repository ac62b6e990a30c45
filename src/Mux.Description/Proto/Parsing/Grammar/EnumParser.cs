using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Grammar;

/// <summary>Reads enums.</summary>
internal sealed class EnumParser(TokenReader tokens, ParsedFile file, OptionParser options)
{
    private readonly RangeParser _ranges = new(tokens, file, options);

    public bool Read(ParsedMessage? container)
    {
        var comment = tokens.Current.Comment;
        tokens.Next();
        if (!tokens.TakeName("an enum", out var name) || !tokens.TakeType()) return false;
        var type = new ParsedEnum(new ProtoEnum { Name = name.Text, Position = name.Position, Comment = comment }, file, container);
        (container?.Enums ?? file.Enums).Add(type);
        (container?.Model.Enums ?? file.Model.Enums).Add(type.Model);
        if (!tokens.Take("{")) return false;
        while (!tokens.TryTake("}"))
        {
            if (tokens.IsAtEnd) return tokens.Fault($"The enum '{name.Text}' has no end: '}}' is missing.");
            if (!ReadStatement(type)) tokens.SkipStatement();
        }

        return true;
    }

    private bool ReadStatement(ParsedEnum type)
    {
        if (tokens.TryTake(";")) return true;
        return tokens.Current.Text switch
        {
            "option" => options.ReadStatement(type.Options),
            "reserved" => _ranges.ReadReserved(type, type.Reserved, type.ReservedNames, isEnum: true),
            _ => ReadValue(type),
        };
    }

    private bool ReadValue(ParsedEnum type)
    {
        var comment = tokens.Current.Comment;
        if (!tokens.TakeMember() || !tokens.TakeName("a value", out var name) || !tokens.Take("=")) return false;
        var model = new ProtoEnumValue { Name = name.Text, Position = name.Position, Comment = comment };
        var value = new ParsedEnumValue(model, type) { NumberPosition = tokens.Position };
        if (!tokens.TakeSignedInt32("the number of the value", out int number) || !options.ReadList(value.Options) || !tokens.Take(";")) return false;
        value.Model.Number = number;
        type.Members.Add(value);
        type.Model.Values.Add(value.Model);
        return true;
    }
}
