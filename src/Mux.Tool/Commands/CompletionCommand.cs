using System.CommandLine;

namespace Mux.Tool.Commands;

/// <summary>
/// <c>mux completion</c>: prints the script with which a shell completes command lines of the tool. The script asks
/// <c>mux complete</c>, which the help does not list, for the words that may come next.
/// </summary>
internal static class CompletionCommand
{
    private const string Bash = """
        _mux() {
          mapfile -t COMPREPLY < <(mux complete "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
          compopt -o nosort 2>/dev/null
        }
        complete -o default -F _mux mux
        """;

    private const string Zsh = """
        _mux() {
          local -a found
          found=("${(@f)$(mux complete "${BUFFER[1,CURSOR]}" 2>/dev/null)}")
          [[ -n "$found" ]] && compadd -V mux -- $found || _files
        }
        compdef _mux mux
        """;

    private const string Fish = """
        complete -c mux -a "(mux complete (commandline -cp) 2>/dev/null)"
        """;

    private const string PowerShell = """
        Register-ArgumentCompleter -Native -CommandName mux -ScriptBlock {
          param($word, $line, $position)
          $text = $line.ToString().PadRight($position).Substring(0, $position)
          mux complete $text 2>$null | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
        }
        """;

    private static readonly Dictionary<string, string> s_scripts = new(StringComparer.Ordinal)
    {
        ["bash"] = Bash,
        ["zsh"] = Zsh,
        ["fish"] = Fish,
        ["powershell"] = PowerShell,
    };

    public static Command Create()
    {
        var shell = new Argument<string>("SHELL")
        {
            Description = $"The shell: {string.Join(", ", s_scripts.Keys)}",
            CompletionSources = { s_scripts.Keys.ToArray() },
            CustomParser = result => s_scripts.ContainsKey(result.Tokens[0].Value)
                ? result.Tokens[0].Value
                : CheckedOption.Reject<string>(result, "SHELL", $"expected one of {string.Join(", ", s_scripts.Keys)}"),
        };
        var command = new ToolCommand(
            "completion", "Prints a script with which a shell completes commands and options of this tool. Put it where your shell starts.")
        {
            Arguments = { shell },
            Examples =
            [
                new("mux completion bash", "Append it to ~/.bashrc"),
                new("mux completion zsh", "Append it to ~/.zshrc, below compinit"),
                new("mux completion fish", "Write it to ~/.config/fish/completions/mux.fish"),
                new("mux completion powershell", "Append it to $PROFILE"),
            ],
        };
        command.SetAction(result => result.InvocationConfiguration.Output.WriteLine(
            s_scripts[result.GetRequiredValue(shell)]));
        return command;
    }

    /// <summary>
    /// Creates the command that the scripts call with the line up to the cursor. It prints a word a line.
    /// </summary>
    public static Command CreateAnswer()
    {
        var line = new Argument<string>("LINE") { Description = "The line up to the cursor" };
        var command = new ToolCommand("complete", "Prints the words that may come next on a command line.")
        {
            Hidden = true,
            Arguments = { line },
        };
        command.SetAction(result =>
        {
            foreach (var word in WordsAfter(result.GetRequiredValue(line)))
                result.InvocationConfiguration.Output.WriteLine(word);
        });
        return command;
    }

    /// <summary>
    /// Gets the words that may come where a line ends, in the order of the alphabet. Options only behind a '-'.
    /// </summary>
    private static IEnumerable<string> WordsAfter(string line)
    {
        var typed = line.TrimStart();
        int begin = typed.IndexOf(' ', StringComparison.Ordinal);
        if (begin < 0) return [];
        var arguments = typed[(begin + 1)..];
        bool isOption = arguments[(arguments.LastIndexOf(' ') + 1)..].StartsWith('-');
        return MuxCommand.Create().Parse(arguments, MuxCommand.Parsing).GetCompletions(arguments.Length)
            .Select(static item => item.InsertText ?? item.Label)
            .Where(word => word[0] != '/' && (word[0] == '-') == isOption)
            .Distinct(StringComparer.Ordinal)
            .Order(StringComparer.Ordinal);
    }
}
