using System.CommandLine;
using System.CommandLine.Parsing;

namespace Mux.Tool.Commands;

/// <summary>Finds an unknown option on a command line, and the known one that was probably meant.</summary>
internal static class UnknownOption
{
    /// <summary>Maximum number of wrong characters for a suggestion, and at most half of the name.</summary>
    private const int MaxDistance = 3;

    /// <returns>The message, or null if all options are known.</returns>
    public static string? Describe(ParseResult parsed)
    {
        var token = parsed.Tokens.FirstOrDefault(
            token => token.Type == TokenType.Argument && token.Value.StartsWith("--", StringComparison.Ordinal) && token.Value.Length > 2);
        if (token is null) return null;
        var given = token.Value.Split('=', ':')[0];
        var command = parsed.CommandResult.Command;
        var nearest = command.Options.Where(option => !option.Hidden).Select(option => option.Name).MinBy(name => Distance(given, name));
        if (nearest is not null && Distance(given, nearest) <= Math.Min(MaxDistance, (nearest.Length - 2) / 2))
        {
            return $"Unknown option '{given}'; did you mean '{nearest}'?";
        }

        var path = command.Name == MuxCommand.Name ? command.Name : $"{MuxCommand.Name} {command.Name}";
        return $"Unknown option '{given}'. '{path} --help' lists what is allowed.";
    }

    /// <summary>Gets the number of characters to insert, remove or replace to turn one text into the other.</summary>
    private static int Distance(string from, string to)
    {
        int[] row = [.. Enumerable.Range(0, to.Length + 1)];
        for (int i = 1; i <= from.Length; i++)
        {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.Length; j++)
            {
                int replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.Min(replaced, Math.Min(row[j], row[j - 1]) + 1);
            }
        }

        return row[^1];
    }
}
