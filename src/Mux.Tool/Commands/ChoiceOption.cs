using System.CommandLine;
using System.Text.Json;

namespace Mux.Tool.Commands;

/// <summary>Options whose values are the members of an enum.</summary>
internal static class ChoiceOption
{
    /// <summary>Creates a choice of enum members, whose names are words joined by dashes.</summary>
    /// <param name="name">Name of the option.</param>
    /// <param name="fallback">Default.</param>
    /// <param name="description">Description of the option.</param>
    /// <param name="allowed">Members to choose from; empty for all.</param>
    public static Option<string> Create<T>(string name, T fallback, string description, params T[] allowed)
        where T : struct, Enum
    {
        var names =
            Array.ConvertAll(allowed.Length == 0 ? Enum.GetValues<T>() : allowed, member => NameOf(member.ToString()));
        return new Option<string>(name)
        {
            Description = $"{description}: {string.Join(", ", names)}",
            HelpName = "NAME",
            CompletionSources = { names },
            DefaultValueFactory = _ => NameOf(fallback.ToString()),
            CustomParser = result => names.Contains(result.Tokens[0].Value)
                ? result.Tokens[0].Value
                : CheckedOption.Reject<string>(result, name, $"expected one of {string.Join(", ", names)}"),
        };
    }

    /// <summary>Gets the value of an option made by <see cref="Create"/>.</summary>
    public static T Chosen<T>(this ParseResult result, Option<string> option)
        where T : struct, Enum => Enum.Parse<T>(
            result.GetRequiredValue(option).Replace("-", "", StringComparison.Ordinal), ignoreCase: true);

    private static string NameOf(string member) => JsonNamingPolicy.KebabCaseLower.ConvertName(member);
}
