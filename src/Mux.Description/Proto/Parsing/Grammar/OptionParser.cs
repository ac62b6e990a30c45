using Mux.Description.Proto.Parsing.Text;
using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Grammar;

/// <summary>Reads options.</summary>
internal sealed class OptionParser(TokenReader tokens)
{
    private readonly LiteralParser _literals = new(tokens);

    /// <summary>Reads a statement that begins with <c>option</c>.</summary>
    public bool ReadStatement(List<ParsedOption> options) => tokens.Take("option") && Read(options) && tokens.Take(";");

    /// <summary>Reads options in brackets, if there are any.</summary>
    public bool ReadList(List<ParsedOption> options)
    {
        if (!tokens.TryTake("[")) return true;
        do
        {
            if (!Read(options)) return false;
        }
        while (tokens.TryTake(","));
        return tokens.Take("]");
    }

    public bool Read(List<ParsedOption> options)
    {
        if (!tokens.TakeMember()) return false;
        var position = tokens.Position;
        var name = new List<ParsedOptionPart>();
        do
        {
            if (!ReadPart(name)) return false;
        }
        while (tokens.TryTake("."));
        if (!tokens.Take("=") || !ReadValue(out var value)) return false;
        options.Add(new ParsedOption(name, value, position));
        return true;
    }

    private bool ReadPart(List<ParsedOptionPart> parts)
    {
        if (parts.Count >= ProtoLimits.Depth) return tokens.Fault($"The name of an option has more than {ProtoLimits.Depth} parts.");
        if (!tokens.TryTake("("))
        {
            if (!tokens.TakeName("an option", out var simple)) return false;
            parts.Add(new ParsedOptionPart(simple.Text, false));
            return true;
        }

        if (!NameParser.Read(tokens, "an option", out var name) || !tokens.Take(")")) return false;
        parts.Add(new ParsedOptionPart(name, true));
        return true;
    }

    private bool ReadValue(out ParsedValue value)
    {
        var position = tokens.Position;
        bool isNegative = tokens.TryTake("-");
        var token = tokens.Current;
        value = new ParsedValue(ParsedValueKind.Identifier, position) { Text = token.Text, IsNegative = isNegative };
        switch (token.Kind)
        {
            case ProtoTokenKind.Identifier when !isNegative:
                tokens.Next();
                return true;
            case ProtoTokenKind.Identifier when token.Text is "inf" or "nan":
            case ProtoTokenKind.Integer or ProtoTokenKind.Float:
                return ReadNumber(token, isNegative, position, out value);
            case ProtoTokenKind.String when !isNegative:
                if (!tokens.TakeString("the value of an option", out var bytes)) return false;
                value = new ParsedValue(ParsedValueKind.String, position) { Bytes = bytes };
                return true;
            case ProtoTokenKind.Symbol when token.Text == "{" && !isNegative:
                return _literals.ReadMessage(out value);
            default:
                return tokens.Fault("Expected the value of an option: a number, a text in quotes, a name, or fields in braces; '-' before numbers only.");
        }
    }

    private bool ReadNumber(ProtoToken token, bool isNegative, ProtoPosition position, out ParsedValue value)
    {
        ulong max = isNegative ? 1UL << 63 : ulong.MaxValue;
        if (token.Kind == ProtoTokenKind.Integer && ProtoLiterals.TryInteger(token.Text, max, out ulong integer))
        {
            tokens.Next();
            value = new ParsedValue(ParsedValueKind.Integer, position) { IsNegative = isNegative, Integer = integer };
            return true;
        }

        bool isRead = tokens.TakeNumber(out double number);
        value = new ParsedValue(ParsedValueKind.Number, position) { Number = isNegative ? -number : number };
        return isRead;
    }
}
