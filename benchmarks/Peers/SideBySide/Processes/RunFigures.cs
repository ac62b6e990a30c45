namespace SideBySide.Processes;

/// <summary>What one run of a stack in a shape made.</summary>
/// <param name="Rate">Calls per second; of streams, items.</param>
/// <param name="P50">Microseconds from making a call to having its reply; null for items of streams.</param>
/// <param name="P99">The 99th percentile.</param>
/// <param name="ClientCpu">Microseconds of user and system time per call.</param>
/// <param name="ServerCpu">Of the server's process.</param>
/// <param name="ClientBytes">Managed bytes allocated per call.</param>
/// <param name="ServerBytes">By the server's process.</param>
/// <param name="Client">How the client's process was set.</param>
/// <param name="Server">How the server's process was set.</param>
internal sealed record RunFigures(
    double Rate, double? P50, double? P99, double ClientCpu, double ServerCpu, double ClientBytes, double ServerBytes, ProcessFigures Client, ProcessFigures Server)
{
    /// <summary>Of both processes.</summary>
    public double Cpu => ClientCpu + ServerCpu;
}
