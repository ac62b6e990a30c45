using Mux.Description.Proto;
using Mux.Description.Proto.Comparing;
using Mux.Description.Proto.Parsing;
using Mux.Description.Proto.Printing;

namespace Mux.Tool.Contracts;

/// <summary>Runs <c>mux contract update</c>.</summary>
/// <param name="folder">The folder of the files.</param>
/// <param name="level">What a change may not break.</param>
internal sealed class ContractUpdater(string folder, ContractLevel level)
{
    /// <param name="assembly">The assembly with the contracts.</param>
    /// <param name="reason">Why changes that break others are accepted; null if they are not.</param>
    /// <param name="output">Takes what was done.</param>
    /// <returns>The exit code.</returns>
    public int Run(string assembly, string? reason, TextWriter output)
    {
        var current = ContractInput.ReadAssembly(assembly);
        var recorded = ContractInput.ReadFolder(folder);
        var comparison = recorded is null ? null : ContractComparison.Of(recorded.Set, recorded.Services, current, level);
        var findings = comparison?.Findings.Where(static finding => finding.Rule != ContractRule.Behind).ToList() ?? [];
        ContractChecker.Print(findings, output);
        bool isBroken = findings.Exists(static finding => !finding.IsWarning);
        if (isBroken && string.IsNullOrWhiteSpace(reason))
        {
            output.WriteLine("Nothing is written: undo these changes, or accept them with --accept \"reason\".");
            return ExitCode.Faulty;
        }

        Write(ContractUpdate.Merge(current, recorded, comparison, findings.Count == 0 ? null : reason), recorded, output);
        return ExitCode.Success;
    }

    private void Write(List<ProtoFile> files, RecordedContracts? recorded, TextWriter output)
    {
        foreach (var file in files) Write(Path.Combine(folder, file.Name), ProtoPrinter.Print(file), output);
        Write(Path.Combine(folder, ProtoPrinter.OptionsFile), BuiltInFiles.Read(ProtoPrinter.OptionsFile)!, output);
        foreach (var gone in recorded?.Files.Where(name => !files.Exists(file => file.Name == name)) ?? [])
        {
            File.Delete(Path.Combine(folder, gone));
            output.WriteLine($"Deleted {Path.Combine(folder, gone)}.");
        }
    }

    // A file that says the same is not touched, so that nothing is built anew for it.
    private static void Write(string path, string text, TextWriter output)
    {
        if (File.Exists(path) && File.ReadAllText(path).ReplaceLineEndings("\n") == text.ReplaceLineEndings("\n")) return;
        try
        {
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllText(path, text);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new ToolException(ExitCode.Usage, $"'{path}' cannot be written: {error.Message}", error);
        }

        output.WriteLine($"Wrote {path}.");
    }
}
