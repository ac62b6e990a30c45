using Mux.Description.Proto;
using Mux.Description.Proto.Comparing;
using Mux.Description.Proto.Descriptors;
using Mux.Description.Proto.Parsing;

namespace Mux.Tool.Contracts;

/// <summary>Reads contracts from where a command line says.</summary>
internal static class ContractInput
{
    private const string Extension = ".proto";

    /// <param name="path">A folder, a file of protobuf or an assembly.</param>
    /// <exception cref="ToolException">Nothing there can be read.</exception>
    public static RecordedContracts Read(string path)
    {
        if (Directory.Exists(path))
            return ReadFolder(path)
                ?? throw new ToolException(ExitCode.Usage, $"'{path}' has no files that record contracts.");
        if (!File.Exists(path))
            throw new ToolException(ExitCode.Usage,
                $"'{path}' is not there; expected a folder, a .proto file or an assembly.");
        if (!IsAssembly(path)) return ReadFile(path);
        var set = ReadAssembly(path);
        return new RecordedContracts(set, [.. set.Files.Select(static file => file.Name)]);
    }

    /// <summary>True for a path of code: neither a folder nor a file of protobuf.</summary>
    public static bool IsAssembly(string path) =>
        !Directory.Exists(path) && !path.EndsWith(Extension, StringComparison.OrdinalIgnoreCase);

    /// <exception cref="ToolException">
    /// It cannot be read, its sources are newer, or its contracts exceed a limit.
    /// </exception>
    public static ProtoSet ReadAssembly(string path)
    {
        AssemblySources.RefuseOld(path, []);
        try
        {
            return DescriptorReader.Read(ContractAssembly.Describe(path, $"'{path}'"));
        }
        catch (InvalidDataException error)
        {
            throw new ToolException(ExitCode.Faulty, $"'{path}': {error.Message}", error);
        }
    }

    /// <summary>Reads the files of a folder that record contracts; null if there are none.</summary>
    public static RecordedContracts? ReadFolder(string folder)
    {
        if (!Directory.Exists(folder)) return null;
        var files = Directory.EnumerateFiles(folder, "*" + Extension, SearchOption.AllDirectories)
            .Order(StringComparer.Ordinal)
            .Select(path => new RecordedFile(Path.GetRelativePath(folder, path).Replace('\\', '/'), ReadText(path)))
            .ToList();
        var faults = new List<ProtoFault>();
        var read = RecordedContracts.Read(files, faults) ?? throw Unreadable(folder, faults);
        return read.Files.Count == 0 ? null : read;
    }

    // All services of a file that was named count, and imports are found next to it.
    private static RecordedContracts ReadFile(string path)
    {
        var folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
        var faults = new List<ProtoFault>();
        var name = Path.GetFileName(path);
        var set = ProtoLoader.Load(name, ReadImport, faults);
        return set is null ? throw Unreadable(path, faults) : new RecordedContracts(set, [name]);

        string? ReadImport(string file) =>
            Path.Combine(folder, file) is var full && File.Exists(full) ? ReadText(full) : null;
    }

    /// <exception cref="ToolException">It is too large, or cannot be read.</exception>
    public static string ReadText(string path)
    {
        try
        {
            long length = new FileInfo(path).Length;
            if (length > ContractSource.MaxBytes)
                throw new ToolException(ExitCode.Usage,
                    $"'{path}' has {length} bytes; allowed are {ContractSource.MaxBytes}.");
            return File.ReadAllText(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new ToolException(ExitCode.Usage, $"'{path}' cannot be read: {error.Message}", error);
        }
    }

    private static ToolException Unreadable(string path, List<ProtoFault> faults) =>
        new(ExitCode.Usage, $"'{path}' cannot be read: {faults.Find(static fault => fault.Severity == ProtoFaultSeverity.Error)} (MUX0087)");
}
