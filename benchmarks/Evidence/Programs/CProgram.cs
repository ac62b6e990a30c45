using System.ComponentModel;
using System.Diagnostics;

namespace Evidence.Programs;

/// <summary>A program in C of benchmarks/FrameCounter, compiled when it is first needed.</summary>
internal static class CProgram
{
    private const string Folder = "FrameCounter";

    /// <returns>Its path; null if this machine has no compiler.</returns>
    /// <exception cref="EvidenceException">It does not compile.</exception>
    public static string? Compile(string name)
    {
        var source = Path.Combine(BuiltProgram.Root, "benchmarks", Folder, name + ".c");
        var program = Path.Combine(BuiltProgram.Folder(Folder), name);
        if (File.Exists(program) && File.GetLastWriteTimeUtc(program) > File.GetLastWriteTimeUtc(source)) return program;
        Directory.CreateDirectory(Path.GetDirectoryName(program)!);
        try
        {
            using var compiler = Process.Start("gcc", ["-O2", "-o", program, source]);
            compiler.WaitForExit();
            return compiler.ExitCode == 0 ? program : throw new EvidenceException($"{source} does not compile: see above.");
        }
        catch (Win32Exception)
        {
            return null; // there is no gcc
        }
    }

    public static Process Start(string path, string[] arguments) =>
        Process.Start(new ProcessStartInfo(path, arguments) { RedirectStandardInput = true, RedirectStandardOutput = true })!;
}
