using System.CommandLine;
using System.Text.RegularExpressions;
using Mux.Tool.Commands;

namespace Mux.Tool.Tests.Processes;

/// <summary>What the help of a command shows.</summary>
[Collection(ProcessesWithoutLoad.Name)]
public sealed partial class HelpTests
{
    public static TheoryData<string> Commands => ["bench", "capacity", "sweep", "compare", "spec", "serve", "ping", "health", "ls", "describe", "chaos", "gateway", "contract", "call", "watch", "completion"];

    [Theory]
    [InlineData("bench", "mux+pipe://name", "mux+wss://host:port/path")]
    [InlineData("capacity", "mux+pipe://name", "mux+wss://host:port/path")]
    [InlineData("sweep", "mux+pipe://name", "mux+wss://host:port/path")]
    [InlineData("spec", "mux+pipe://name", "mux+wss://host:port/path")]
    [InlineData("serve", "mux+unix:///path", "mux+pipe://name")]
    public async Task Help_names_every_kind_of_address_that_a_command_takes(string command, string first, string second)
    {
        var result = await ToolInside.RunAsync(command, "--help");

        var help = string.Join(' ', string.Join(' ', result.Output).Split(' ', StringSplitOptions.RemoveEmptyEntries));
        Assert.Contains(first, help, StringComparison.Ordinal);
        Assert.Contains(second, help, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task Help_names_every_option_of_a_command_once(string name)
    {
        var result = await ToolInside.RunAsync(name, "--help");

        var shown = result.Output.Select(line => Head().Match(line)).Where(match => match.Success)
            .SelectMany(match => match.Value.Split([' ', ','], StringSplitOptions.RemoveEmptyEntries)).Order(StringComparer.Ordinal).ToArray();
        var known = Find(name).Options.Where(option => !option.Hidden).SelectMany(option => option.Aliases.Append(option.Name)).Concat(["-h", "--help"]);
        Assert.Equal(known.Order(StringComparer.Ordinal), shown);
    }

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task Help_fits_80_columns_and_ends_with_examples_that_can_be_typed(string name)
    {
        var result = await ToolInside.RunAsync(name, "--help");

        Assert.All(result.Output, line => Assert.InRange(line.Length, 0, 80));
        var examples = ((ToolCommand)Find(name)).Examples;
        Assert.True(examples.Count >= 2, result.ToString());
        Assert.Equal($"      {examples[^1].Says}", result.Output[^1]);
        foreach (var example in examples)
        {
            Assert.Contains($"  {example.Line}", result.Output);
            Assert.Equal(["mux", name], example.Line.Split(' ')[..2]);
            var parsed = MuxCommand.Create().Parse(System.CommandLine.Parsing.CommandLineParser.SplitCommandLine(example.Line).Skip(1).ToArray(), MuxCommand.Parsing);
            Assert.Empty(parsed.Errors);
        }
    }

    [Theory]
    [MemberData(nameof(Commands))]
    public void The_parser_takes_every_default_that_help_shows(string name)
    {
        foreach (var option in Find(name).Options.Where(option => !option.Hidden))
        {
            if (HelpText.DefaultOf(option) is not { } value) continue;
            var parsed = MuxCommand.Create().Parse([name, option.Name, value]);
            Assert.DoesNotContain(parsed.Errors, error => error.Message.Contains(option.Name, StringComparison.Ordinal));
            Assert.Equal(option.GetDefaultValue(), parsed.GetResult(option.Name) is { } result ? ((System.CommandLine.Parsing.OptionResult)result).GetValueOrDefault<object>() : null);
        }
    }

    [Fact]
    public async Task Sweep_shows_its_lists_with_commas()
    {
        var help = Joined(await ToolInside.RunAsync("sweep", "--help"));

        Assert.Contains("[default: 1,4,16]", help, StringComparison.Ordinal);
        Assert.Contains("[default: 64,4096]", help, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("capacity", "bulk")]
    [InlineData("sweep", "streams")]
    [InlineData("sweep", "open loop")]
    [InlineData("compare", "--engine")]
    [InlineData("compare", "--loops")]
    [InlineData("", "--engine")]
    public async Task Help_is_silent_about_what_does_not_apply(string name, string text)
    {
        var result = await ToolInside.RunAsync([.. name.Length == 0 ? Array.Empty<string>() : [name], "--help"]);

        Assert.DoesNotContain($" {text} ", Joined(result).Replace(",", "", StringComparison.Ordinal).Replace("epoll portable streams", "", StringComparison.Ordinal), StringComparison.OrdinalIgnoreCase);
    }

    [Theory]
    [InlineData("bench", "Load", "Calls", "Streams and bulk", "Results", "The server that the command starts", "Connections", "Authentication", "Examples")]
    [InlineData("serve", "Listening", "Server", "Connections", "Examples")]
    public async Task Options_are_in_groups(string name, params string[] titles)
    {
        var result = await ToolInside.RunAsync(name, "--help");

        Assert.Equal(titles, result.Output.Where(line => titles.Contains(line)));
    }

    [Theory]
    [InlineData("bench", "-c 3 -r 2k -z 3s", "--connections 3 --rate 2k --duration 3s")]
    [InlineData("capacity", "--slo p99<2ms -c3", "--slo p99<2ms --connections 3")]
    [InlineData("sweep", "-c 3,4 -z 3s", "--connections 3,4 --duration 3s")]
    public void Short_options_are_those_of_other_load_generators(string name, string brief, string full)
    {
        ParseResult first = MuxCommand.Create().Parse($"{name} {brief}"), second = MuxCommand.Create().Parse($"{name} {full}");

        Assert.Empty(first.Errors);
        Assert.Empty(second.Errors);
        foreach (var option in full.Split(' ').Where(word => word.StartsWith('-'))) Assert.Equal(Value(second), Value(first));

        string Value(ParseResult parsed) => string.Join(' ', parsed.CommandResult.Children.OfType<System.CommandLine.Parsing.OptionResult>()
            .Where(result => !result.Implicit).Select(result => $"{result.Option.Name} {string.Join(' ', result.Tokens)}"));
    }

    [Fact]
    public async Task The_hidden_option_stays_hidden()
    {
        var result = await ToolInside.RunAsync("serve", "--help");

        Assert.Equal(ExitCode.Success, result.ExitCode);
        Assert.Contains(result.Output, line => line.Contains("--listen", StringComparison.Ordinal));
        Assert.DoesNotContain(result.Output, line => line.Contains("--fault", StringComparison.Ordinal));
    }

    private static string Joined(ToolResult result) => string.Join(' ', string.Join(' ', result.Output).Split(' ', StringSplitOptions.RemoveEmptyEntries));

    private static Command Find(string name) => MuxCommand.Create().Subcommands.Single(command => command.Name == name);

    [GeneratedRegex(@"^ {2}(?:-\w, | {4})--[\w-]+(?:, --[\w-]+)*")]
    private static partial Regex Head();
}
