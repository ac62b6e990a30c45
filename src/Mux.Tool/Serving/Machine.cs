using System.Runtime.InteropServices;

namespace Mux.Tool.Serving;

/// <summary>The machine of this process, as far as the system tells.</summary>
internal static class Machine
{
    private const string CpuInfo = "/proc/cpuinfo";
    private const string KernelRelease = "/proc/sys/kernel/osrelease";

    /// <summary>Model of the CPU, such as <c>AMD EPYC 7763 64-Core Processor</c>; null if the system does not tell.</summary>
    public static string? CpuModel { get; } = ReadCpuModel();

    /// <summary>Kernel with its release, such as <c>Linux 6.8.0</c>.</summary>
    public static string Kernel { get; } = ReadKernel();

    /// <summary>Finds the model in the text of /proc/cpuinfo; some architectures have none.</summary>
    public static string? CpuModelIn(IEnumerable<string> lines)
    {
        var line = lines.FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal));
        return line?[(line.IndexOf(':', StringComparison.Ordinal) + 1)..].Trim() is { Length: > 0 } model ? model : null;
    }

    private static string? ReadCpuModel()
    {
        if (OperatingSystem.IsWindows()) return Environment.GetEnvironmentVariable("PROCESSOR_IDENTIFIER");
        try
        {
            return File.Exists(CpuInfo) ? CpuModelIn(File.ReadLines(CpuInfo)) : null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static string ReadKernel()
    {
        try
        {
            if (File.Exists(KernelRelease)) return $"Linux {File.ReadAllText(KernelRelease).Trim()}";
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The description below is less exact.
        }

        return RuntimeInformation.OSDescription;
    }
}
