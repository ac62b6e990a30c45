using System.CommandLine;
using System.CommandLine.Help;
using Mux.Tool.Serving;

namespace Mux.Tool.Commands;

/// <summary>The root command.</summary>
internal static class MuxCommand
{
    public const string Name = "mux";

    /// <remarks>Not a RootCommand, whose name would be that of the executable: Mux.Tool, or dotnet.</remarks>
    public static Command Create()
    {
        var command = new Command(Name, "Load generator and test server of Mux.")
        {
            ServeCommand.Create(), BenchCommand.Create(), CapacityCommand.Create(), SweepCommand.Create(), CompareCommand.Create(), SpecCommand.Create(),
            Engine.Option, Engine.Loops, Engine.PollTime, new HelpOption(), new VersionOption(),
        };
        command.SetAction(int (_) => throw new ToolException(ExitCode.Usage, "Expected a command, such as serve or bench; 'mux --help' lists all commands."));
        return command;
    }
}
