using Mux.Description.Proto;
using Mux.Description.Proto.Comparing;
using Mux.Description.Proto.Parsing;
using Mux.Description.Proto.Printing;
using Mux.Tool.Reporting;

namespace Mux.Tool.Contracts;

/// <summary>Runs <c>mux contract update</c>.</summary>
/// <param name="folder">The folder of the files.</param>
/// <param name="level">What a change may not break.</param>
internal sealed class ContractUpdater(string folder, ContractLevel level)
{
    /// <param name="assembly">The assembly with the contracts.</param>
    /// <param name="reason">Why changes that break others are accepted; null if they are not.</param>
    /// <param name="output">
    /// Takes what was done: a line for each part that was recorded, and one for each file in which nothing was.
    /// </param>
    /// <returns>The exit code.</returns>
    public int Run(string assembly, string? reason, TextWriter output)
    {
        var current = ContractInput.ReadAssembly(assembly);
        var recorded = ContractInput.ReadFolder(folder);
        var comparison =
            recorded is null ? null : ContractComparison.Of(recorded.Set, recorded.Services, current, level);
        var findings = comparison?.Findings.Where(static finding => finding.Rule != ContractRule.Behind).ToList() ?? [];
        ContractChecker.Print(findings, output);
        bool isBroken = findings.Exists(static finding => !finding.IsWarning);
        if (isBroken && string.IsNullOrWhiteSpace(reason))
        {
            output.WriteLine("Nothing is written: undo these changes, or accept them with 'mux contract update --accept \"reason\"'.");
            return ExitCode.Faulty;
        }

        var record = new ContractRecord(current, recorded, comparison, findings);
        var merged = ContractUpdate.Merge(current, recorded, comparison, findings.Count == 0 ? null : reason);
        Write(merged, recorded, record, output);
        return ExitCode.Success;
    }

    private void Write(List<ProtoFile> files, RecordedContracts? recorded, ContractRecord record, TextWriter output)
    {
        foreach (var file in files)
        {
            bool isShared = ContractUpdate.IsShared(file.Name);
            switch (WrittenText.Write(PathOf(file.Name), ProtoPrinter.Print(file)))
            {
                case Written.New:
                    Print(file.Name, "created");
                    break;
                case Written.Changed when record.LinesOf(file) is { Count: > 0 } lines:
                    foreach (var line in lines) Print(file.Name, line);
                    break;
                case Written.Changed:
                    Print(file.Name, "written, because fingerprints or comments changed");
                    break;
                case Written.Same when !isShared:
                    Print(file.Name, "no change");
                    break;
                default:
                    break;
            }
        }

        var options = BuiltInFiles.Read(ProtoPrinter.OptionsFile)!;
        if (WrittenText.Write(PathOf(ProtoPrinter.OptionsFile), options) != Written.Same)
            Print(ProtoPrinter.OptionsFile, "written");
        foreach (var gone in recorded?.Files.Where(name => !files.Exists(file => file.Name == name)) ?? [])
        {
            WrittenText.Delete(PathOf(gone));
            Print(gone, "deleted");
        }

        void Print(string file, string what) => output.WriteLine(PrintableText.Of($"{PathOf(file)}: {what}."));
    }

    private string PathOf(string file) => Path.Combine(folder, file);
}

/// <summary>Tells what an update records in each file.</summary>
/// <param name="current">The contracts of the code.</param>
/// <param name="recorded">The files before; null if there were none.</param>
/// <param name="comparison">The comparison of both; null if there were no files.</param>
/// <param name="findings">Those of it that the update records.</param>
internal sealed class ContractRecord(
    ProtoSet current, RecordedContracts? recorded, ContractComparison? comparison, List<ContractFinding> findings)
{
    private readonly RecordedContracts _code = new(current, []);

    /// <summary>Gets what is recorded in a file, in clauses for people.</summary>
    public List<string> LinesOf(ProtoFile file) =>
    [
        .. findings.Where(finding => finding.RecordedType is { } type && recorded!.FileOf(type)?.Name == file.Name)
            .Select(static finding => $"'{finding.Element}' {(finding.IsWarning ? "recorded" : "accepted")}: {finding.Id}"),
        .. comparison?.Notes.Where(note => _code.FileOf(note.Type)?.Name == file.Name)
            .Select(static note => $"'{note.Element}' recorded: {note.What}") ?? [],
    ];
}
