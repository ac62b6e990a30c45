using System.Text;

namespace Mux.Description.Proto.Parsing.Grammar;

/// <summary>Reads names with dots.</summary>
internal static class NameParser
{
    /// <summary>Reads a name that may begin with a dot.</summary>
    /// <param name="tokens">The file.</param>
    /// <param name="what">What the name is of.</param>
    /// <param name="name">The name.</param>
    public static bool Read(TokenReader tokens, string what, out string name)
    {
        var text = new StringBuilder();
        if (tokens.TryTake(".")) text.Append('.');
        bool isRead = ReadParts(tokens, what, text);
        name = text.ToString();
        return isRead;
    }

    private static bool ReadParts(TokenReader tokens, string what, StringBuilder text)
    {
        var position = tokens.Position;
        while (true)
        {
            if (!tokens.TakeName(what, out var part)) return false;
            text.Append(part.Text);
            if (text.Length > ProtoLimits.FullNameLength)
                return tokens.FaultAt(position, $"The name of {what} has more than {ProtoLimits.FullNameLength} characters.");
            if (!tokens.TryTake(".")) return true;
            text.Append('.');
        }
    }
}
