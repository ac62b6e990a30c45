using System.Diagnostics;
using Mux.Description.Tests.Google;

namespace Mux.Description.Tests.Parsing;

/// <summary>A folder of files that protoc reads, with protobuf's own ones and those of this project.</summary>
internal sealed class ProtocFolder : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mux-protoc");

    /// <summary>Gets the folder with protobuf's own files, which come with protoc.</summary>
    public static string Includes { get; } = Path.GetFullPath(Path.Combine(Path.GetDirectoryName(Protoc.Path)!, "../../build/native/include"));

    public static bool HasProtoc => File.Exists(Protoc.Path);

    public void Write(string name, string text)
    {
        var path = Path.Combine(_folder.FullName, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
    }

    /// <summary>Has protoc read one file.</summary>
    /// <returns>The FileDescriptorSet, with the imported files; null with what it says if it refuses the file.</returns>
    public async Task<(byte[]? Set, string Said)> Read(string name, CancellationToken cancellationToken)
    {
        var output = Path.Combine(_folder.FullName, $"{Guid.NewGuid():N}.pb");
        var start = new ProcessStartInfo(Protoc.Path) { RedirectStandardError = true };
        foreach (var argument in new[] { $"-I{_folder.FullName}", $"-I{Includes}", "--include_imports", "--include_source_info", $"--descriptor_set_out={output}", name }) start.ArgumentList.Add(argument);
        using var process = Process.Start(start)!;
        var said = await process.StandardError.ReadToEndAsync(cancellationToken);
        await process.WaitForExitAsync(cancellationToken);
        if (process.ExitCode != 0) return (null, said);
        var set = await File.ReadAllBytesAsync(output, cancellationToken);
        File.Delete(output);
        return (set, said);
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
