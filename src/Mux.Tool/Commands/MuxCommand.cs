using System.CommandLine;
using System.CommandLine.Help;
using Mux.Tool.Serving;

namespace Mux.Tool.Commands;

/// <summary>The command line.</summary>
internal static class MuxCommand
{
    public const string Name = "mux";

    /// <remarks>Not a RootCommand, which is called what the executable is called: Mux.Tool, or dotnet.</remarks>
    public static Command Create()
    {
        var command = new Command(Name, "Load generator and test server of Mux.")
        {
            ServeCommand.Create(), BenchCommand.Create(), CapacityCommand.Create(), SweepCommand.Create(), CompareCommand.Create(), SpecCommand.Create(),
            Engine.Option, Engine.Loops, Engine.PollTime, new HelpOption(), new VersionOption(),
        };
        command.SetAction(int (_) => throw new ToolException(ExitCode.Usage, "Expected a command, such as serve or bench; 'mux --help' tells more."));
        return command;
    }
}
