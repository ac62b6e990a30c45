using System.CommandLine;
using Mux.Description;
using Mux.Tool.Commands;

namespace Mux.Tool.Contracts;

/// <summary>Options of <c>mux describe</c> that write what is described to files, for compilers of protobuf.</summary>
internal sealed class DescribedFiles
{
    private const string FolderName = "--out", DescriptorsName = "--descriptors-out";

    private readonly Option<string?> _folder = new(FolderName)
    {
        Description = "Write everything as .proto files to this folder, one for each package",
        HelpName = "DIR",
    };

    private readonly Option<string?> _descriptors =
        CheckedOption.OutputFile(DescriptorsName, "Write everything as a FileDescriptorSet to this file");

    public void AddTo(ToolCommand command) => command.Add(OptionGroup.Results, _folder, _descriptors);

    /// <summary>Writes the files that the command line names.</summary>
    /// <returns>A line for each; none if it names none.</returns>
    /// <exception cref="ToolException">
    /// A file cannot be written, or the command line asks for one part only.
    /// </exception>
    public async Task<IReadOnlyList<string>> WriteAsync(ParseResult result, ContractSet set, string? name)
    {
        var (folder, descriptors) = (result.GetValue(_folder), result.GetValue(_descriptors));
        if (folder is null && descriptors is null) return [];
        if (name is not null)
            throw new ToolException(ExitCode.Usage,
                $"{FolderName} and {DescriptorsName} write everything: give no NAME.");
        if (folder is "") throw new ToolException(ExitCode.Usage, $"{FolderName} '': expected the path of a folder.");
        var lines = new List<string>();
        if (descriptors is not null)
        {
            var file = OutputFile.Open(DescriptorsName, descriptors);
            await using var fileEnd = file.ConfigureAwait(false);
            await file.WriteAsync(set.ToFileDescriptorSet()).ConfigureAwait(false);
            lines.Add($"Wrote {descriptors}.");
        }

        if (folder is null) return lines;
        foreach (var (path, text) in set.ToProtoFiles())
        {
            var full = Path.Combine(folder, path);
            bool isSame = WrittenText.Write(full, text) == Written.Same;
            lines.Add(isSame ? $"{full} is up to date." : $"Wrote {full}.");
        }

        return lines;
    }
}
