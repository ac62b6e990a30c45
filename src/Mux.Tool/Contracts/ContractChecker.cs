using Mux.Description.Proto.Comparing;
using Mux.Tool.Reporting;

namespace Mux.Tool.Contracts;

/// <summary>Runs <c>mux contract check</c>.</summary>
internal static class ContractChecker
{
    /// <returns>The exit code.</returns>
    public static int Run(string before, string after, ContractLevel level, TextWriter output)
    {
        var (recorded, current) = (ContractInput.Read(before), ContractInput.Read(after));
        var comparison = ContractComparison.Of(recorded.Set, recorded.Services, current.Set, level,
            !ContractInput.IsAssembly(after));
        var findings = comparison.Findings.Where(static finding => finding.Rule != ContractRule.Behind).ToList();
        Print(findings, output);
        if (findings.Count == 0) PrintNotes(comparison.Notes, output);
        return findings.Exists(static finding => !finding.IsWarning) ? ExitCode.Faulty : ExitCode.Success;
    }

    public static void Print(IEnumerable<ContractFinding> findings, TextWriter output)
    {
        foreach (var finding in findings)
            output.WriteLine(PrintableText.Of($"{(finding.IsWarning ? "warning" : "error")} {finding.Id}: {finding.Text}"));
    }

    private static void PrintNotes(IReadOnlyList<ContractNote> notes, TextWriter output)
    {
        foreach (var note in notes) output.WriteLine(PrintableText.Of($"'{note.Element}' {note.Change}"));
        output.WriteLine(notes.Count == 0 ? "No change."
            : $"Compatible; parts that are not recorded so: {notes.Count}.");
    }
}
