using Mux.Description.Proto.Parsing.Text;
using Mux.Description.Proto.Parsing.Tree;

namespace Mux.Description.Proto.Parsing.Grammar;

/// <summary>Reads reserved names and numbers, and numbers for extensions.</summary>
internal sealed class RangeParser(TokenReader tokens, ParsedFile file, OptionParser options)
{
    public bool ReadExtensions(ParsedMessage message)
    {
        tokens.Next();
        int first = message.ExtensionRanges.Count;
        if (!ReadRanges(message, message.ExtensionRanges, isEnum: false)) return false;
        var shared = new List<ParsedOption>();
        if (!options.ReadList(shared)) return false;
        for (; first < message.ExtensionRanges.Count; first++) message.ExtensionRanges[first].Options = shared;
        return tokens.Take(";");
    }

    public bool ReadReserved(ParsedNode container, List<ParsedRange> ranges, List<ParsedName> names, bool isEnum)
    {
        tokens.Next();
        if (tokens.Is(ProtoTokenKind.String))
            return file.IsEdition ? tokens.Fault("Reserved names have no quotes in editions.") : ReadQuoted(names) && tokens.Take(";");
        if (tokens.Is(ProtoTokenKind.Identifier))
            return file.IsEdition ? ReadNames(names) && tokens.Take(";") : tokens.Fault("Reserved names are in quotes; only editions have them without.");
        return ReadRanges(container, ranges, isEnum) && tokens.Take(";");
    }

    private bool ReadQuoted(List<ParsedName> names)
    {
        do
        {
            var position = tokens.Position;
            if (!tokens.TakeMember() || !tokens.TakeText("a reserved name", out var name)) return false;
            if (!Characters.IsName(name)) tokens.Warn(position, "A field cannot have the reserved name: allowed are letters, digits and '_'.");
            names.Add(new ParsedName(name, position));
        }
        while (tokens.TryTake(","));
        return true;
    }

    private bool ReadNames(List<ParsedName> names)
    {
        do
        {
            if (!tokens.TakeMember() || !tokens.TakeName("something reserved", out var name)) return false;
            names.Add(new ParsedName(name.Text, name.Position));
        }
        while (tokens.TryTake(","));
        return true;
    }

    private bool ReadRanges(ParsedNode container, List<ParsedRange> ranges, bool isEnum)
    {
        do
        {
            var position = tokens.Position;
            if (!tokens.TakeMember() || !ReadNumber(isEnum, out int first)) return false;
            int last = first;
            if (tokens.TryTake("to"))
            {
                if (tokens.TryTake("max")) last = isEnum ? int.MaxValue : ParsedRange.Max;
                else if (!ReadNumber(isEnum, out last)) return false;
            }

            ranges.Add(new ParsedRange(first, last, position, container));
        }
        while (tokens.TryTake(","));
        return true;
    }

    private bool ReadNumber(bool isEnum, out int number)
    {
        if (isEnum) return tokens.TakeSignedInt32("a number", out number);
        return tokens.TakeInt32("a number", out number)
            && (number != int.MaxValue || tokens.Fault($"The number {number} is out of range: allowed are 1 to {int.MaxValue - 1}."));
    }
}
