using System.CommandLine;
using System.CommandLine.Parsing;

namespace Mux.Tool.Commands;

/// <summary>Finds an argument that a command line lacks, or an option without its value, and says what it is.</summary>
internal static class MissingValue
{
    /// <returns>The message, or null if nothing is missing.</returns>
    public static string? Describe(ParseResult parsed)
    {
        var command = parsed.CommandResult;
        var option = command.Children.OfType<OptionResult>().FirstOrDefault(static given => !given.Implicit && Lacks(given));
        if (option is not null) return $"{option.Option.Name} has no value. {option.Option.Description}.";
        var argument = command.Command.Arguments.FirstOrDefault(each => Lacks(command.GetResult(each), each.Arity));
        return argument is null ? null : $"{argument.Name} is missing. {argument.Description}.";
    }

    private static bool Lacks(OptionResult given) => Lacks(given, given.Option.Arity);

    private static bool Lacks(SymbolResult? given, ArgumentArity arity) =>
        (given?.Tokens.Count ?? 0) < arity.MinimumNumberOfValues;
}
