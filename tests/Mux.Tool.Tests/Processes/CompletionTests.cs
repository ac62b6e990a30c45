using System.Diagnostics;

namespace Mux.Tool.Tests.Processes;

/// <summary>Shells complete command lines of the tool.</summary>
[Collection(ProcessesWithoutLoad.Name)]
public sealed class CompletionTests
{
    [Theory]
    [InlineData("mux cont", "contract")]
    [InlineData("mux contract ", "check", "update")]
    [InlineData("mux contract update --no-b", "--no-build")]
    [InlineData("mux call --emit", "--emit-defaults")]
    [InlineData("  mux   completion po", "powershell")]
    [InlineData("mux ls --output j", "json")]
    public async Task A_line_goes_on_with_what_the_parser_takes(string line, params string[] words)
    {
        var result = await ToolInside.RunAsync("complete", line);

        Assert.Equal(0, result.ExitCode);
        Assert.Equal(words, result.Output);
    }

    [Fact]
    public async Task The_command_that_shells_ask_is_in_no_list()
    {
        Assert.DoesNotContain("complete", (await ToolInside.RunAsync("--help")).Output.SelectMany(static line => line.Split(' ')));
        Assert.DoesNotContain("complete", (await ToolInside.RunAsync("complete", "mux c")).Output);
    }

    [Fact]
    public async Task Bash_completes_with_the_script()
    {
        var script = string.Join('\n', (await ToolInside.RunAsync("completion", "bash")).Output);
        var tool = typeof(Mux.Tool.Commands.CommandLine).Assembly.Location;
        var test = $"mux() {{ dotnet '{tool}' \"$@\"; }}\n{script}\nCOMP_LINE='mux contract up'; COMP_POINT=15; _mux; echo \"<${{COMPREPLY[*]}}>\"";
        using var bash = Process.Start(new ProcessStartInfo("bash", ["-c", test]) { RedirectStandardOutput = true })!;

        Assert.Equal("<update>", (await bash.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken)).Trim());
        await bash.WaitForExitAsync(TestContext.Current.CancellationToken);
    }

    [Fact]
    public async Task An_unknown_shell_is_refused_with_those_that_are_known()
    {
        var result = await ToolInside.RunAsync("completion", "tcsh");

        Assert.Equal(ExitCode.Usage, result.ExitCode);
        Assert.Contains("bash, zsh, fish, powershell", string.Join(' ', result.Errors), StringComparison.Ordinal);
    }
}
