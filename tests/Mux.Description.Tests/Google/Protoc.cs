using System.Diagnostics;
using System.Reflection;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace Mux.Description.Tests.Google;

/// <summary>The protobuf compiler.</summary>
internal static class Protoc
{
    public static string Path { get; } = typeof(Protoc).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(static entry => entry.Key == "Protoc").Value!;

    /// <summary>Has it read all files of a set, and write them.</summary>
    /// <returns>What it says; nothing if all is well.</returns>
    public static async Task<string> Compile(FileDescriptorSet set, CancellationToken cancellationToken)
    {
        var folder = Directory.CreateTempSubdirectory("mux-protoc");
        try
        {
            var input = System.IO.Path.Combine(folder.FullName, "in.pb");
            await File.WriteAllBytesAsync(input, set.ToByteArray(), cancellationToken);
            var start = new ProcessStartInfo(Path) { RedirectStandardError = true, RedirectStandardOutput = true };
            string[] arguments = [$"--descriptor_set_in={input}", $"--descriptor_set_out={System.IO.Path.Combine(folder.FullName, "out.pb")}", .. set.File.Select(static file => file.Name)];
            foreach (var argument in arguments) start.ArgumentList.Add(argument);
            using var process = Process.Start(start)!;
            var said = await process.StandardError.ReadToEndAsync(cancellationToken);
            await process.WaitForExitAsync(cancellationToken);
            return process.ExitCode == 0 || said.Length > 0 ? said : $"It ended with {process.ExitCode}.";
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
