using System.Globalization;
using Evidence.Programs;

namespace Evidence.Ratios;

/// <summary>One row per workload, the newest, with the version that made it: what a repository keeps of measurements. The files of <c>mux bench --json</c> have the rest.</summary>
internal static class Summary
{
    private const string Head = "workload,tool,calls_per_s,p50_us,p99_us,p999_us,client_cpu_us_per_call,server_cpu_us_per_call,client_bytes_per_call,server_bytes_per_call,runs";

    /// <summary>Writes a workload's row in place of the one that is there.</summary>
    public static void Write(string path, string workload, BenchFigures figures)
    {
        var others = File.Exists(path) ? File.ReadLines(path).Skip(1).Where(line => !line.StartsWith(workload + ',', StringComparison.Ordinal)) : [];
        string[] lines = [.. others.Append(RowOf(workload, figures)).Order(StringComparer.Ordinal)];
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllLines(path, lines.Prepend(Head));
    }

    private static string RowOf(string workload, BenchFigures figures) => string.Create(
        CultureInfo.InvariantCulture,
        $"{workload},{figures.Tool},{figures.Rate:0},{figures.P50:0.#},{figures.P99:0.#},{figures.P999:0.#},{figures.ClientCpuPerCall:0.###},{figures.ServerCpuPerCall:0.###},{figures.ClientBytesPerCall:0.#},{figures.ServerBytesPerCall:0.#},{figures.RunCount}");
}
