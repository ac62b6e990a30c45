using Mux.Description;

namespace Mux.Tool.Contracts;

/// <summary>The contracts of a .proto file and of those that it imports.</summary>
/// <param name="path">The file.</param>
/// <param name="folders">
/// Folders to which the names of imports are relative; none for that of the file and those around it, the nearest
/// first: a file is found if its path ends like the import, as in a build.
/// </param>
internal sealed class ProtoContracts(string path, IReadOnlyList<string> folders) : ContractSource
{
    private const int MostFaults = 10;

    public override string Place => $"{SourceOptions.ProtoName} '{path}'";

    public override Task<ContractSet> ReadAsync(IReadOnlyList<string> services, CancellationToken cancellationToken)
    {
        if (!File.Exists(path)) throw new ToolException(ExitCode.Usage, $"{Place}: there is no such file.");
        var roots = folders.Count > 0 ? folders : FoldersAround(path);
        try
        {
            return Task.FromResult(ContractSet.ReadProto(NameIn(roots), name => ReadFile(roots, name)));
        }
        catch (InvalidDataException error)
        {
            var lines = error.Message.ReplaceLineEndings("\n").Split('\n');
            var more = lines.Length > MostFaults ? $"\n... and {lines.Length - MostFaults} more" : "";
            throw new ToolException(
                ExitCode.Faulty, $"{Place}: {string.Join('\n', lines.Take(MostFaults))}{more}", error);
        }
    }

    private static List<string> FoldersAround(string path)
    {
        var folders = new List<string>();
        var folder = Path.GetDirectoryName(Path.GetFullPath(path));
        for (; folder is not null; folder = Path.GetDirectoryName(folder)) folders.Add(folder);
        return folders;
    }

    /// <summary>Gets the name by which other files import it.</summary>
    private string NameIn(IReadOnlyList<string> roots)
    {
        var full = Path.GetFullPath(path);
        foreach (var root in roots)
        {
            var relative = Path.GetRelativePath(root, full);
            if (!relative.StartsWith("..", StringComparison.Ordinal) && !Path.IsPathRooted(relative))
                return relative.Replace('\\', '/');
        }

        throw new ToolException(ExitCode.Usage, $"{Place}: it is in no folder of {SourceOptions.ProtoPathName}.");
    }

    /// <summary>Reads a file within the folders. The loader asks for no name that leads out of them.</summary>
    private static string? ReadFile(IReadOnlyList<string> roots, string name) =>
        roots.Select(root => Path.Combine(root, name)).FirstOrDefault(File.Exists) is { } file
            ? ContractInput.ReadText(file) : null;
}
