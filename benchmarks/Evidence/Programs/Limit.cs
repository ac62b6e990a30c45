using System.Diagnostics;
using System.Globalization;

namespace Evidence.Programs;

/// <summary>The same traffic in C, without a call: benchmarks/Limit. <c>benchmarks/ratios</c> compiles it where there is a compiler.</summary>
internal static class Limit
{
    // It has nothing to warm up and varies little.
    private const string Seconds = "2";

    private static readonly string s_path = Path.Combine(BuiltProgram.Folder("Limit"), "limit");

    /// <summary>Whether it was compiled.</summary>
    public static bool IsThere => File.Exists(s_path);

    /// <returns>Round trips per second.</returns>
    /// <exception cref="EvidenceException">It failed.</exception>
    public static double Run(Shape shape) => Run(shape.Connections.ToString(CultureInfo.InvariantCulture), shape.InFlight.ToString(CultureInfo.InvariantCulture), Seconds);

    /// <summary>One message there and back at a time, whole, on one connection.</summary>
    /// <returns>Millions of bytes per second each way.</returns>
    /// <exception cref="EvidenceException">It failed.</exception>
    public static double RunBulk(int bytes) => Run("bulk", bytes.ToString(CultureInfo.InvariantCulture), Seconds) * bytes / 1e6;

    private static double Run(params string[] arguments)
    {
        using var process = Process.Start(new ProcessStartInfo(s_path, arguments) { RedirectStandardOutput = true })!;
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0 ? double.Parse(output, CultureInfo.InvariantCulture) : throw new EvidenceException($"{s_path} {string.Join(' ', arguments)} ended with exit code {process.ExitCode}.");
    }
}
