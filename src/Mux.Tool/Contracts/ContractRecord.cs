using Mux.Description.Proto;
using Mux.Description.Proto.Comparing;

namespace Mux.Tool.Contracts;

/// <summary>Tells what an update records in each file.</summary>
/// <param name="current">The contracts of the code.</param>
/// <param name="recorded">The files before; null if there were none.</param>
/// <param name="comparison">The comparison of both; null if there were no files.</param>
/// <param name="findings">Those of it that the update records.</param>
internal sealed class ContractRecord(ProtoSet current, RecordedContracts? recorded, ContractComparison? comparison, List<ContractFinding> findings)
{
    private readonly RecordedContracts _code = new(current, []);

    /// <summary>Gets what is recorded in a file, in clauses for people.</summary>
    public List<string> LinesOf(ProtoFile file) =>
    [
        .. findings.Where(finding => finding.RecordedType is { } type && recorded!.FileOf(type)?.Name == file.Name).Select(static finding =>
            $"'{finding.Element}' {(finding.IsWarning ? "recorded" : "accepted")}: {finding.Id}"),
        .. comparison?.Notes.Where(note => _code.FileOf(note.Type)?.Name == file.Name).Select(static note => $"'{note.Element}' recorded: {note.What}") ?? [],
    ];
}
