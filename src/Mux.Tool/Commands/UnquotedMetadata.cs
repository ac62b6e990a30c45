using System.CommandLine;
using System.CommandLine.Parsing;

namespace Mux.Tool.Commands;

/// <summary>
/// Finds a value of metadata without quotes around it, which a shell passes as an argument of its own. It may be a secret, so it is told before any message
/// that repeats an argument.
/// </summary>
internal static class UnquotedMetadata
{
    /// <param name="parsed">A command line with errors: one without them may have a name without a value.</param>
    /// <returns>The message; null if no value is like that.</returns>
    public static string? Describe(ParseResult parsed)
    {
        var tokens = parsed.Tokens;
        for (int i = 0; i + 2 < tokens.Count; i++)
        {
            bool isMetadata = tokens[i] is { Type: TokenType.Option, Value: CallMetadata.Name or CallMetadata.ShortName };
            if (!isMetadata || !tokens[i + 1].Value.EndsWith(':') || tokens[i + 2].Type != TokenType.Argument) continue;
            if (tokens[i + 2].Value.Contains("://", StringComparison.Ordinal)) continue; // the address of a server
            return $"{CallMetadata.Name} '{tokens[i + 1].Value}': the value is an argument of its own: expected quotes around name and value, such as " +
                "\"tenant: 7\".";
        }

        return null;
    }
}
