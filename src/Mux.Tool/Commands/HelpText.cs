using System.CommandLine;
using System.CommandLine.Invocation;
using Mux.Tool.Reporting;

namespace Mux.Tool.Commands;

/// <summary>Help of a command, 80 columns wide: what it does, its usage, its options in groups, and examples.</summary>
internal sealed class HelpText : SynchronousCommandLineAction
{
    private const int Width = 80;
    private const int LeftColumn = 26;
    private const string Indent = "  ";

    // As wide as a short name and its comma, so that long names are in one column.
    private const string NoShortName = "    ";

    /// <summary>True, as a user who asks for help need not give what is required.</summary>
    public override bool ClearsParseErrors => true;

    public override int Invoke(ParseResult parseResult)
    {
        foreach (var line in Lines(parseResult.CommandResult.Command))
            parseResult.InvocationConfiguration.Output.WriteLine(line);
        return ExitCode.Success;
    }

    public static IEnumerable<string> Lines(Command command)
    {
        var lines = new List<string>(TextLines.Wrap(command.Description!, Width)) { "", $"Usage: {UsageOf(command)}" };
        Append(lines, "Arguments", command.Arguments.Select(argument => (argument.Name, argument.Description!)));
        Append(lines, "Commands", command.Subcommands.Where(each => !each.Hidden)
            .Select(each => (each.Name, each.Description!)));
        if (command is ToolCommand { Groups: var groups })
        {
            foreach (var (group, options) in groups)
            {
                Append(lines, TitleOf(group, command),
                    options.Where(option => !option.Hidden)
                        .Select(option => (HeadOf(option), $"{option.Description}{DefaultNote(option)}")));
            }
        }

        Append(lines, "Other", (IEnumerable<(string, string)>)[
            ("-h, --help", "Show this help"),
                .. command.Name == MuxCommand.Name ? [($"{NoShortName}--version", "Show the version of the tool")]
                    : Array.Empty<(string, string)>()]);
        if (command is not ToolCommand { Examples: { Count: > 0 } examples }) return lines;
        lines.AddRange(["", "Examples"]);
        foreach (var example in examples)
            lines.AddRange([$"{Indent}{example.Line}", $"{Indent}{NoShortName}{example.Says}"]);
        return lines;
    }

    /// <summary>Gets the default of an option as its parser takes it; null if it has none.</summary>
    public static string? DefaultOf(Option option)
    {
        if (!option.HasDefaultValue || option.ValueType == typeof(bool)) return null;
        return option.GetDefaultValue() is int[] numbers ? string.Join(',', numbers)
            : option.GetDefaultValue()?.ToString();
    }

    private static string DefaultNote(Option option) => DefaultOf(option) is { } value ? $" [default: {value}]" : "";

    private static string UsageOf(Command command)
    {
        if (command.Name == MuxCommand.Name) return $"{MuxCommand.Name} COMMAND [options]";
        var parts = command.Arguments
            .Select(argument => argument.Arity.MinimumNumberOfValues == 0 ? $"[{argument.Name}]" : argument.Name)
            .Concat(command.Options.Where(option => option.Required)
                .Select(option => $"{option.Name} {option.HelpName}"));
        if (command.Subcommands.Count > 0) parts = ["COMMAND"];
        return string.Join(' ', [PathOf(command), .. parts, "[options]"]);
    }

    /// <summary>Gets a command as it is typed, such as <c>mux contract update</c>.</summary>
    public static string PathOf(Command command) =>
        command.Parents.OfType<Command>().FirstOrDefault() is { } parent ? $"{PathOf(parent)} {command.Name}"
            : command.Name;

    private static string TitleOf(OptionGroup group, Command command) => group switch
    {
        OptionGroup.Role when command.Arguments.Count == 0 => "Listening",
        OptionGroup.Streams => "Streams and bulk",
        OptionGroup.Server when command.Arguments.Count > 0 => "The server that the command starts",
        OptionGroup.Identity => "Authentication",
        _ => group.ToString(),
    };

    private static string HeadOf(Option option)
    {
        var shortName = option.Aliases.FirstOrDefault(IsShort);
        var names =
            new[] { option.Name }.Concat(option.Aliases.Where(alias => !IsShort(alias)).Order(StringComparer.Ordinal));
        return $"{(shortName is null ? NoShortName : $"{shortName}, ")}{string.Join(", ", names)}{(option.HelpName is null ? "" : $" {option.HelpName}")}";
    }

    private static bool IsShort(string name) => !name.StartsWith("--", StringComparison.Ordinal);

    private static void Append(List<string> lines, string title, IEnumerable<(string Head, string Text)> entries)
    {
        bool isFirst = true;
        foreach (var (head, text) in entries)
        {
            if (isFirst) lines.AddRange(["", title]);
            isFirst = false;
            var left = Indent + head;
            foreach (var line in TextLines.Wrap(text, Width - LeftColumn))
            {
                if (left.Length > LeftColumn - Indent.Length)
                {
                    lines.Add(left);
                    left = "";
                }

                lines.Add(left.PadRight(LeftColumn) + line);
                left = "";
            }
        }
    }
}
