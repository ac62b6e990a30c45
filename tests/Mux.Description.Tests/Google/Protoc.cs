using System.Diagnostics;
using System.Reflection;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace Mux.Description.Tests.Google;

/// <summary>The protobuf compiler.</summary>
internal static class Protoc
{
    public static string Path { get; } =
        typeof(Protoc).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(static entry => entry.Key == "Protoc").Value!;

    private static readonly string s_include = System.IO.Path.Combine(System.IO.Path.GetDirectoryName(Path)!, "../../build/native/include");

    /// <summary>Skips the test where Grpc.Tools has no compiler for the machine.</summary>
    public static void SkipUnlessThere() => Assert.SkipUnless(File.Exists(Path), "Grpc.Tools has no protoc for this machine.");

    /// <summary>Has it read all files of a set, and write them.</summary>
    /// <returns>What it says; nothing if all is well.</returns>
    public static async Task<string> Compile(FileDescriptorSet set, CancellationToken cancellationToken)
    {
        var folder = Directory.CreateTempSubdirectory("mux-protoc");
        try
        {
            var input = System.IO.Path.Combine(folder.FullName, "in.pb");
            await File.WriteAllBytesAsync(input, set.ToByteArray(), cancellationToken);
            return await Run(
                folder, [$"--descriptor_set_in={input}", $"--descriptor_set_out={System.IO.Path.Combine(folder.FullName, "out.pb")}", .. set.File.Select(static file => file.Name)],
                cancellationToken);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    /// <summary>Has it compile texts.</summary>
    /// <returns>The descriptors of the files and of those that they import.</returns>
    public static async Task<byte[]> Compile(IReadOnlyDictionary<string, string> texts, CancellationToken cancellationToken)
    {
        var folder = Directory.CreateTempSubdirectory("mux-protoc");
        try
        {
            var sources = folder.CreateSubdirectory("in");
            foreach (var (name, text) in texts)
            {
                var path = System.IO.Path.Combine(sources.FullName, name);
                Directory.CreateDirectory(System.IO.Path.GetDirectoryName(path)!);
                await File.WriteAllTextAsync(path, text, cancellationToken);
            }

            var output = System.IO.Path.Combine(folder.FullName, "out.pb");
            Assert.Equal(string.Empty, await Run(folder, [$"--proto_path={sources.FullName}", $"--proto_path={s_include}", $"--descriptor_set_out={output}", "--include_imports", .. texts.Keys], cancellationToken));
            return await File.ReadAllBytesAsync(output, cancellationToken);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static async Task<string> Run(DirectoryInfo folder, IEnumerable<string> arguments, CancellationToken cancellationToken)
    {
        var start = new ProcessStartInfo(Path, arguments) { RedirectStandardError = true, WorkingDirectory = folder.FullName };
        using var process = Process.Start(start)!;
        var said = await process.StandardError.ReadToEndAsync(cancellationToken);
        await process.WaitForExitAsync(cancellationToken);
        return process.ExitCode == 0 || said.Length > 0 ? said : $"It ended with {process.ExitCode}.";
    }
}
