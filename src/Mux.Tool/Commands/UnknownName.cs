using System.CommandLine;
using System.CommandLine.Parsing;
using Mux.Description.Json;

namespace Mux.Tool.Commands;

/// <summary>Finds an unknown command or option on a command line, and the known one that was probably meant.</summary>
internal static class UnknownName
{
    /// <returns>The message, or null if all commands and options are known.</returns>
    public static string? Describe(ParseResult parsed)
    {
        var command = parsed.CommandResult.Command;
        Token[] values = [.. parsed.CommandResult.Children.OfType<OptionResult>().SelectMany(option => option.Tokens)];
        Token[] words = [.. parsed.Tokens.Where(token => token.Type == TokenType.Argument && !values.Contains(token))];
        if (command.Name == MuxCommand.Name && words is [{ Value: var name }, ..] && !name.StartsWith('-'))
        {
            return Describe("command", name, command.Subcommands.Select(each => each.Name), prefix: 0,
                "'mux --help' lists all commands.");
        }

        if (words.FirstOrDefault(token => IsOption(token.Value)) is not { } word) return null;
        var given = word.Value.Split('=', ':')[0];
        if (!given.StartsWith("--", StringComparison.Ordinal)) given = given[..2]; // the value may follow at once: -x5
        var path = command.Name == MuxCommand.Name ? command.Name : $"{MuxCommand.Name} {command.Name}";
        var known = command.Options.Where(option => !option.Hidden).Select(option => option.Name).ToArray();
        return known.Contains(given)
            ? $"'{given}' is in front of the command: expected it after '{path}'."
            : Describe("option", given, known, prefix: "--".Length, $"'{path} --help' lists what is allowed.");
    }

    // A dash with a digit begins a number.
    private static bool IsOption(string text) =>
        text is ['-', '-', _, ..] || (text is ['-', var letter, ..] && char.IsAsciiLetter(letter));

    private static string Describe(string kind, string given, IEnumerable<string> known, int prefix, string otherwise)
    {
        return NearName.Find(given, known, prefix) is { } nearest
            ? $"Unknown {kind} '{given}'; did you mean '{nearest}'?"
            : $"Unknown {kind} '{given}'. {otherwise}";
    }
}
