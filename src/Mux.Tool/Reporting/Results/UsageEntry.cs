using Mux.Tool.Measuring;

namespace Mux.Tool.Reporting.Results;

/// <param name="CpuUs">CPU time during the measurement, user and system, in microseconds.</param>
/// <param name="AllocatedBytes">Managed memory allocated during the measurement.</param>
/// <param name="Calls">Calls counted by this process; the divisor of the figures per call.</param>
/// <param name="Sends">Number of times bytes were passed to the transport; with sockets one system call each.</param>
/// <param name="Receives">Batches of bytes received from the transport; with sockets one successful system call each.</param>
/// <param name="TakeOvers">Number of times another thread took over because user code blocked a receiving one.</param>
/// <param name="CpuUsPerCall">CPU time per call; null if there were no calls.</param>
/// <param name="BytesPerCall">Allocated bytes per call; null if there were no calls.</param>
/// <param name="CallsPerSend">Calls per send; null if nothing was sent.</param>
/// <param name="Gen0">Garbage collections of generation 0 only.</param>
/// <param name="Gen1">Garbage collections of generations 1 and 0.</param>
/// <param name="Gen2">Full garbage collections.</param>
internal sealed record UsageEntry(
    double CpuUs,
    long AllocatedBytes,
    long Calls,
    long Sends,
    long Receives,
    long TakeOvers,
    double? CpuUsPerCall,
    double? BytesPerCall,
    double? CallsPerSend,
    long Gen0,
    long Gen1,
    long Gen2)
{
    public static UsageEntry Of(ProcessUsage usage) => new(
        usage.CpuMicroseconds,
        usage.AllocatedBytes,
        usage.Calls,
        usage.Sends,
        usage.Receives,
        usage.TakeOvers,
        Rounded(usage.CpuMicrosecondsPerCall),
        Rounded(usage.BytesPerCall),
        Rounded(usage.CallsPerSend),
        usage.Gen0Collections,
        usage.Gen1Collections,
        usage.Gen2Collections);

    public static double? Rounded(double? value) => value is { } number ? Math.Round(number, 3) : null;
}
