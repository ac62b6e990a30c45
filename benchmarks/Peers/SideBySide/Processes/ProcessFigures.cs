using System.Runtime;

namespace SideBySide.Processes;

/// <summary>What a process has used since it started, and how it is set.</summary>
/// <param name="CpuMicroseconds">Of all threads, user and system.</param>
/// <param name="AllocatedBytes">Managed.</param>
/// <param name="CongestionControl">In force on its connections; null if it has none or the system does not tell.</param>
/// <param name="GarbageCollector">Server or workstation, concurrent or not.</param>
internal sealed record ProcessFigures(double CpuMicroseconds, long AllocatedBytes, string? CongestionControl, string GarbageCollector)
{
    /// <summary>Without what costs something itself, for figures in the middle of a run.</summary>
    public static ProcessFigures Glance() => new(Environment.CpuUsage.TotalTime.TotalMicroseconds, GC.GetTotalAllocatedBytes(), null, "");

    /// <param name="port">Of the connections.</param>
    public static ProcessFigures Read(int port) =>
        Glance() with { CongestionControl = Mux.Tool.Serving.CongestionControl.InForce(MuxAddress.Parse($"mux://127.0.0.1:{port}")), GarbageCollector = Collector() };

    private static string Collector()
    {
        bool isConcurrent = GC.GetConfigurationVariables().TryGetValue("ConcurrentGC", out var value) && value is true;
        return $"{(GCSettings.IsServerGC ? "server" : "workstation")}, {(isConcurrent ? "concurrent" : "non-concurrent")}";
    }
}
