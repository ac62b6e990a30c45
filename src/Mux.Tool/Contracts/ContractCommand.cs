using System.CommandLine;
using Mux.Description.Proto.Comparing;
using Mux.Tool.Commands;

namespace Mux.Tool.Contracts;

/// <summary><c>mux contract</c>: the files that record contracts.</summary>
internal static class ContractCommand
{
    private const string DefaultFolder = "Contracts";

    public static Command Create()
    {
        var command = new ToolCommand("contract", "Records contracts in files of protobuf, and compares contracts with what is recorded.")
        {
            Subcommands = { CreateUpdate(), CreateCheck() },
            Examples =
            [
                new("mux contract update --assembly bin/Debug/net10.0/Hr.dll", "Writes Contracts/*.proto"),
                new("mux contract check Contracts bin/Debug/net10.0/Hr.dll", "Compares the contracts with the files"),
            ],
        };
        command.SetAction(int (_) => throw new ToolException(ExitCode.Usage, "Expected update or check; 'mux contract --help' describes both."));
        return command;
    }

    private static ToolCommand CreateUpdate()
    {
        var assembly = new Option<string?>("--assembly") { Description = "The built assembly with the contracts; by default that of the project here" };
        var folder = new Option<string>("--out")
        {
            Description = "The folder of the files; the build compares those below a folder with the name Contracts",
            DefaultValueFactory = static _ => DefaultFolder,
        };
        var reason = new Option<string?>("--accept") { Description = "Why others accept a change that breaks them; it is written into the file" };
        var level = LevelOption();
        var command = new ToolCommand("update", "Writes the files that record the contracts of an assembly. The exit code is 99 if a change is not accepted.")
        {
            Examples =
            [
                new("mux contract update", "Records the contracts of the project in this folder"),
                new("mux contract update --accept \"no client calls it\"", "Accepts a change that breaks others"),
            ],
        };
        command.Add(OptionGroup.Contracts, assembly, folder, reason, level);
        command.SetAction((result, _) =>
        {
            var project = result.GetValue(assembly) is { } path
                ? new ProjectOutput(path, ContractLevel.Wire)
                : ProjectOutput.Find(Environment.CurrentDirectory);
            var updater = new ContractUpdater(result.GetValue(folder)!, result.GetValue(level) ?? project.Level);
            return Task.FromResult(updater.Run(project.Assembly, result.GetValue(reason), Console.Out));
        });
        return command;
    }

    private static ToolCommand CreateCheck()
    {
        var before = new Argument<string>("OLD") { Description = "What is recorded: a folder, a .proto file or an assembly" };
        var after = new Argument<string>("NEW") { Description = "What is compared with it: a folder, a .proto file or an assembly" };
        var level = LevelOption();
        var command = new ToolCommand("check", "Compares two versions of contracts. The exit code is 99 if the new one breaks programs of the old one.")
        {
            Arguments = { before, after },
            Examples =
            [
                new("mux contract check Contracts bin/Release/net10.0/Hr.dll", "The files and the code"),
                new("mux contract check old/hr.proto Contracts/hr.proto", "Two files"),
            ],
        };
        command.Add(OptionGroup.Contracts, level);
        command.SetAction((result, _) => Task.FromResult(
            ContractChecker.Run(result.GetRequiredValue(before), result.GetRequiredValue(after), result.GetValue(level) ?? ContractLevel.Wire, Console.Out)));
        return command;
    }

    private static Option<ContractLevel?> LevelOption() =>
        new("--level") { Description = "What may not break: Wire, or Json with names in JSON as well; by default that of the project here, or Wire" };
}
