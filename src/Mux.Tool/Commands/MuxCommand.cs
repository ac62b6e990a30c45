using System.CommandLine;
using System.CommandLine.Help;
using Mux.Tool.Contracts;
using Mux.Tool.Gateway;

namespace Mux.Tool.Commands;

/// <summary>The root command.</summary>
internal static class MuxCommand
{
    public const string Name = "mux";

    /// <summary>
    /// Gets how command lines are read: <c>@FILE</c> is the value of an option, not a file with more arguments.
    /// </summary>
    public static ParserConfiguration Parsing { get; } = new() { ResponseFileTokenReplacer = null };

    /// <remarks>Not a RootCommand, whose name would be that of the executable: Mux.Tool, or dotnet.</remarks>
    public static Command Create()
    {
        var command = new ToolCommand(Name, "Load generator, test server, protocol tester and fault proxy of Mux.")
        {
            Subcommands =
            {
                ServeCommand.Create(), BenchCommand.Create(), CapacityCommand.Create(), SweepCommand.Create(),
                CompareCommand.Create(), SpecCommand.Create(), PingCommand.Create(), HealthCommand.Create(),
                LsCommand.Create(), DescribeCommand.Create(), ChaosCommand.Create(),
                GatewayCommand.Create(), ContractCommand.Create(), CallCommand.Create(), WatchCommand.Create(),
                CompletionCommand.Create(), CompletionCommand.CreateAnswer(),
            },
            Options = { new HelpOption { Action = new HelpText() }, new VersionOption() },
            Examples =
            [
                new("mux bench", "Measures Mux on this machine"),
                new("mux capacity --slo \"p99<2ms\"", "Finds the highest rate at which 99 % of the calls take less than 2 ms"),
                new("mux spec mux://127.0.0.1:7070", "Tests how a server reacts to bad input"),
                new("mux bench --help", "Lists the options of a command"),
            ],
        };
        command.SetAction(int (_) => throw new ToolException(
            ExitCode.Usage, "Expected a command, such as serve or bench; 'mux --help' lists all commands."));
        return command;
    }
}
