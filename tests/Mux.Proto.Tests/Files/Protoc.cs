using System.Diagnostics;
using System.Reflection;

namespace Mux.Proto.Tests.Files;

/// <summary>The protobuf compiler.</summary>
internal static class Protoc
{
    private static readonly string s_path =
        typeof(Protoc).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(static entry => entry.Key == "Protoc").Value!;

    private static readonly string s_include = Path.Combine(Path.GetDirectoryName(s_path)!, "../../build/native/include");

    /// <summary>Skips the test where Grpc.Tools has no compiler for the machine.</summary>
    public static void SkipUnlessThere() => Assert.SkipUnless(File.Exists(s_path), "Grpc.Tools has no protoc for this machine.");

    /// <summary>Compiles texts.</summary>
    /// <returns>The descriptors of the files and of those that they import.</returns>
    public static async Task<byte[]> Compile(IReadOnlyDictionary<string, string> texts, CancellationToken cancellationToken)
    {
        var folder = Directory.CreateTempSubdirectory("mux-protoc");
        try
        {
            var sources = folder.CreateSubdirectory("in");
            foreach (var (name, text) in texts)
            {
                var path = Path.Combine(sources.FullName, name);
                Directory.CreateDirectory(Path.GetDirectoryName(path)!);
                await File.WriteAllTextAsync(path, text, cancellationToken);
            }

            var output = Path.Combine(folder.FullName, "out.pb");
            var arguments = new[] { $"--proto_path={sources.FullName}", $"--proto_path={s_include}", $"--descriptor_set_out={output}", "--include_imports" };
            var start = new ProcessStartInfo(s_path, [.. arguments, .. texts.Keys]) { RedirectStandardError = true, WorkingDirectory = folder.FullName };
            using var process = Process.Start(start)!;
            Assert.Equal(string.Empty, await process.StandardError.ReadToEndAsync(cancellationToken));
            await process.WaitForExitAsync(cancellationToken);
            return await File.ReadAllBytesAsync(output, cancellationToken);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
