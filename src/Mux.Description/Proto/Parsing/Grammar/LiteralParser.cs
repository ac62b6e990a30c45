using Mux.Description.Proto.Parsing.Text;
using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Grammar;

/// <summary>Reads messages in braces, in protobuf's format for text.</summary>
internal sealed class LiteralParser(TokenReader tokens)
{
    private int _depth;

    public bool ReadMessage(out ParsedValue value)
    {
        value = new ParsedValue(ParsedValueKind.Message, tokens.Position);
        if (_depth >= ProtoLimits.Depth) return tokens.Fault($"Values are nested more than {ProtoLimits.Depth} deep.");
        string end = tokens.Is("<") ? ">" : "}";
        tokens.Next();
        _depth++;
        while (!tokens.Is(end))
        {
            if (tokens.IsAtEnd) return Leave(tokens.Fault($"Expected '{end}'; the file ends here."));
            if (SkipComment()) continue;
            if (!ReadField(value.Fields)) return Leave(false);
            if (!tokens.TryTake(",")) tokens.TryTake(";");
        }

        tokens.Next();
        return Leave(true);
    }

    // Protobuf's format for text has other comments than files have.
    private bool SkipComment()
    {
        if (!tokens.Is("#")) return false;
        int line = tokens.Position.Line;
        while (!tokens.IsAtEnd && tokens.Position.Line == line) tokens.Next();
        return true;
    }

    private bool Leave(bool isRead)
    {
        _depth--;
        return isRead;
    }

    private bool ReadField(List<ParsedLiteralField> fields)
    {
        if (!tokens.TakeMember()) return false;
        var position = tokens.Position;
        bool isExtension = tokens.Is("[");
        if (!ReadName(isExtension, out var name)) return false;
        bool hasColon = tokens.TryTake(":");
        if (!hasColon && !tokens.Is("{") && !tokens.Is("<")) return tokens.Fault("Expected ':', or fields in braces.");
        if (!ReadValue(out var value)) return false;
        fields.Add(new ParsedLiteralField(name, isExtension, hasColon, value, position));
        return true;
    }

    private bool ReadName(bool isExtension, out string name)
    {
        if (!isExtension)
        {
            bool isRead = tokens.TakeName("a field", out var simple);
            name = simple.Text;
            return isRead;
        }

        tokens.Next();
        if (!NameParser.Read(tokens, "an extension", out name)) return false;
        if (!tokens.TryTake("/")) return tokens.Take("]");
        if (!NameParser.Read(tokens, "a message", out var message)) return false;
        name += "/" + message;
        return tokens.Take("]");
    }

    private bool ReadValue(out ParsedValue value)
    {
        var position = tokens.Position;
        if (tokens.Is("{") || tokens.Is("<")) return ReadMessage(out value);
        if (tokens.Is("[")) return ReadList(out value);
        value = new ParsedValue(ParsedValueKind.String, position);
        if (tokens.Is(ProtoTokenKind.String))
        {
            bool isRead = tokens.TakeString("a value", out var bytes);
            value.Bytes = bytes;
            return isRead;
        }

        bool isNegative = tokens.TryTake("-");
        var token = tokens.Current;
        if (token.Kind is not (ProtoTokenKind.Identifier or ProtoTokenKind.Integer or ProtoTokenKind.Float)) return tokens.Fault("Expected a value.");
        tokens.Next();
        if (token.Kind == ProtoTokenKind.Identifier)
        {
            value = new ParsedValue(ParsedValueKind.Identifier, position) { Text = token.Text, IsNegative = isNegative };
        }
        else if (token.Kind == ProtoTokenKind.Integer && ProtoLiterals.TryInteger(token.Text, ulong.MaxValue, out ulong integer))
        {
            value = new ParsedValue(ParsedValueKind.Integer, position) { IsNegative = isNegative, Integer = integer };
        }
        else
        {
            double number = ProtoLiterals.Float(token.Text);
            value = new ParsedValue(ParsedValueKind.Number, position) { Number = isNegative ? -number : number };
        }

        return true;
    }

    private bool ReadList(out ParsedValue value)
    {
        value = new ParsedValue(ParsedValueKind.List, tokens.Position);
        tokens.Next();
        if (tokens.TryTake("]")) return true;
        do
        {
            if (!tokens.TakeMember()) return false;
            if (tokens.Is("[")) return tokens.Fault("Lists cannot contain lists.");
            if (!ReadValue(out var item)) return false;
            value.Items.Add(item);
        }
        while (tokens.TryTake(","));
        return tokens.Take("]");
    }
}
