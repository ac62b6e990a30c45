namespace Mux.Tool.Commands;

/// <summary>The command of this process, for its results: when it began and how it was typed. Set once, before the command runs.</summary>
internal static class Invocation
{
    private const string Hidden = "...";

    public static DateTimeOffset StartedAt { get; private set; } = TimeProvider.System.GetUtcNow();

    /// <summary>The command line. Without the values of metadata, which may be secrets.</summary>
    public static string CommandLine { get; private set; } = MuxCommand.Name;

    public static void Begin(IReadOnlyList<string> arguments)
    {
        StartedAt = DateTimeOffset.FromUnixTimeSeconds(TimeProvider.System.GetUtcNow().ToUnixTimeSeconds()); // results show whole seconds
        CommandLine = TextOf(arguments);
    }

    /// <summary>Formats a command line so that a shell takes it.</summary>
    public static string TextOf(IReadOnlyList<string> arguments) =>
        string.Join(' ', [MuxCommand.Name, .. arguments.Select((argument, i) => Quoted(Shown(arguments, i)))]);

    private static string Shown(IReadOnlyList<string> arguments, int i)
    {
        var argument = arguments[i];
        bool isValue = i > 0 && arguments[i - 1] is CallMetadata.Name or CallMetadata.ShortName;
        bool isJoined = !isValue && (argument.StartsWith(CallMetadata.ShortName, StringComparison.Ordinal)
            || argument.StartsWith($"{CallMetadata.Name}=", StringComparison.Ordinal)
                || argument.StartsWith($"{CallMetadata.Name}:", StringComparison.Ordinal));
        if (!isValue && !isJoined) return argument;
        int from = isValue ? 0 : argument.IndexOfAny(['=', ':']) is var first and > 0 && argument.StartsWith("--", StringComparison.Ordinal) ? first + 1 : 0;
        int colon = argument.IndexOf(':', from);
        return colon < 0 ? argument : $"{argument[..colon]}: {Hidden}";
    }

    private static string Quoted(string argument) =>
        argument.Length > 0 && argument.All(letter => char.IsAsciiLetterOrDigit(letter) || "-_./:=,%@+[]".Contains(letter, StringComparison.Ordinal)) ? argument
            : $"'{argument.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
