using Mux.Tool.Measuring;

namespace Mux.Tool.Reporting.Results;

/// <param name="CpuUs">Time on a CPU while it was measured, user and system, in microseconds.</param>
/// <param name="AllocatedBytes">Managed memory allocated meanwhile.</param>
/// <param name="Calls">Calls this process counted meanwhile; what the figures per call are divided by.</param>
/// <param name="Sends">Times bytes were handed to the transport; with sockets one system call each.</param>
/// <param name="Receives">Batches of bytes taken from the transport; with sockets one system call each that found any.</param>
/// <param name="TakeOvers">How often another thread went on because user code kept one that receives.</param>
/// <param name="CpuUsPerCall">Null if there were no calls.</param>
/// <param name="BytesPerCall">Likewise.</param>
/// <param name="CallsPerSend">Likewise.</param>
/// <param name="Gen0">Garbage collections of generation 0 alone.</param>
/// <param name="Gen1">Of generation 1, and with it 0.</param>
/// <param name="Gen2">Of everything.</param>
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
