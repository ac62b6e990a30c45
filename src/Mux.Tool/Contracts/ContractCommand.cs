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
        var command = new ToolCommand("contract",
            "Records contracts in files of protobuf, and compares contracts with what is recorded.")
        {
            Subcommands = { CreateUpdate(), CreateCheck() },
            Examples =
            [
                new("mux contract update", "Builds the project here, and records its contracts in Contracts/*.proto"),
                new("mux contract check", "Builds the project here, and compares its contracts with the files"),
            ],
        };
        command.SetAction(int (_) => throw new ToolException(
            ExitCode.Usage, "Expected update or check; 'mux contract --help' describes both."));
        return command;
    }

    private static ToolCommand CreateUpdate()
    {
        var assembly = new Option<string?>("--assembly")
        {
            Description = "An assembly with the contracts, instead of the project here; it is not built",
        };
        var folder = new Option<string>("--out")
        {
            Description = "The folder of the files; the build compares those below a folder with the name Contracts",
            DefaultValueFactory = static _ => DefaultFolder,
        };
        var reason = new Option<string?>("--accept")
        {
            Description = "Why others accept a change that breaks them; it is written into the file",
        };
        var (noBuild, framework, level) = (NoBuildOption(), FrameworkOption(), LevelOption());
        var command = new ToolCommand(
            "update",
            "Builds the project here, and writes the files that record its contracts. The exit code is 99 if a change is not accepted.")
        {
            Examples =
            [
                new("mux contract update", "Records the contracts of the project in this folder"),
                new("mux contract update --accept \"no client calls it\"", "Accepts a change that breaks others"),
            ],
        };
        command.Add(OptionGroup.Contracts, reason, noBuild, framework, assembly, folder, level);
        command.SetAction((result, _) =>
        {
            var project = result.GetValue(assembly) is { } path
                ? new ProjectOutput(path, ContractLevel.Wire)
                : ProjectOutput.Find(Environment.CurrentDirectory, result.GetValue(framework), result.GetValue(noBuild),
                    Console.Error);
            var updater = new ContractUpdater(result.GetValue(folder)!, result.GetValue(level) ?? project.Level);
            return Task.FromResult(updater.Run(project.Assembly, result.GetValue(reason), Console.Out));
        });
        return command;
    }

    private static ToolCommand CreateCheck()
    {
        var before = new Argument<string>("OLD")
        {
            Description = "What is recorded: a folder, a .proto file or an assembly",
            DefaultValueFactory = static _ => DefaultFolder,
        };
        var after = new Argument<string?>("NEW")
        {
            Description =
                "What is compared with it: a folder, a .proto file or an assembly; by default the project here, which is built",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var (noBuild, framework, level) = (NoBuildOption(), FrameworkOption(), LevelOption());
        var command = new ToolCommand(
            "check", "Compares two versions of contracts. The exit code is 99 if the new one breaks programs of the old one.")
        {
            Arguments = { before, after },
            Examples =
            [
                new("mux contract check", "The files in Contracts, and the project in this folder"),
                new("mux contract check Contracts bin/Release/net10.0/Hr.dll", "The files, and an assembly"),
                new("mux contract check old/hr.proto Contracts/hr.proto", "Two files"),
            ],
        };
        command.Add(OptionGroup.Contracts, noBuild, framework, level);
        command.SetAction((result, _) =>
        {
            var project = result.GetValue(after) is { } path
                ? new ProjectOutput(path, ContractLevel.Wire)
                : ProjectOutput.Find(Environment.CurrentDirectory, result.GetValue(framework), result.GetValue(noBuild),
                    Console.Error);
            var chosen = result.GetValue(level) ?? project.Level;
            return Task.FromResult(ContractChecker.Run(
                result.GetRequiredValue(before), project.Assembly, chosen, Console.Out));
        });
        return command;
    }

    private static Option<bool> NoBuildOption() =>
        new("--no-build")
        {
            Description = "Take the last build of the project here; it may not be older than the sources",
        };

    private static Option<string?> FrameworkOption() =>
        new("--framework", "-f")
        {
            Description = "The framework of the project here, if it builds for several",
            HelpName = "NAME",
        };

    private static Option<ContractLevel?> LevelOption() =>
        new("--level")
        {
            Description =
                "What may not break: Wire, or Json with names in JSON as well; by default that of the project here, or Wire",
        };
}
