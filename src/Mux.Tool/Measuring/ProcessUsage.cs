namespace Mux.Tool.Measuring;

/// <summary>Resources that a process has used since it started, or between two readings.</summary>
/// <param name="CpuMicroseconds">CPU time of all threads, user and system.</param>
/// <param name="AllocatedBytes">Managed memory allocated.</param>
/// <param name="Gen0Collections">Garbage collections of generation 0 only.</param>
/// <param name="Gen1Collections">Garbage collections of generations 1 and 0.</param>
/// <param name="Gen2Collections">Full garbage collections.</param>
/// <param name="Calls">Completed calls: made by a client, answered by a server.</param>
/// <param name="Sends">Number of times bytes were passed to the transport; with sockets one system call each.</param>
internal sealed record ProcessUsage(
    double CpuMicroseconds,
    long AllocatedBytes,
    long Gen0Collections,
    long Gen1Collections,
    long Gen2Collections,
    long Calls,
    long Sends)
{
    /// <summary>Batches of bytes received from the transport; with sockets one successful system call each.</summary>
    public long Receives { get; init; }

    /// <summary>Number of times another thread took over because user code blocked a receiving one.</summary>
    public long TakeOvers { get; init; }

    /// <summary>Number of handlers that ran the server's profile.</summary>
    public long HandlerCalls { get; init; }

    /// <summary>Their total time, in microseconds.</summary>
    public double HandlerMicroseconds { get; init; }

    /// <summary>Actual time of a handler with the server's profile; null if none ran.</summary>
    public double? HandlerMicrosecondsPerCall => HandlerCalls == 0 ? null : HandlerMicroseconds / HandlerCalls;

    /// <summary>Reads the usage of this process.</summary>
    /// <param name="statistics">Statistics of its channels or its server.</param>
    public static ProcessUsage Read(params ReadOnlySpan<MuxStatistics> statistics)
    {
        long calls = 0, sends = 0, receives = 0;
        foreach (var part in statistics)
        {
            calls += part.CallsCompleted;
            sends += part.Sends;
            receives += part.Receives;
        }

        int gen1 = GC.CollectionCount(1), gen2 = GC.CollectionCount(2);
        return new ProcessUsage(
            Environment.CpuUsage.TotalTime.TotalMicroseconds, GC.GetTotalAllocatedBytes(), GC.CollectionCount(0) - gen1, gen1 - gen2, gen2, calls, sends)
        {
            Receives = receives,
            TakeOvers = MuxWorkers.TakeOvers,
        };
    }

    public ProcessUsage Since(ProcessUsage earlier) => new(
        CpuMicroseconds - earlier.CpuMicroseconds,
        AllocatedBytes - earlier.AllocatedBytes,
        Gen0Collections - earlier.Gen0Collections,
        Gen1Collections - earlier.Gen1Collections,
        Gen2Collections - earlier.Gen2Collections,
        Calls - earlier.Calls,
        Sends - earlier.Sends)
    {
        Receives = Receives - earlier.Receives,
        TakeOvers = TakeOvers - earlier.TakeOvers,
        HandlerCalls = HandlerCalls - earlier.HandlerCalls,
        HandlerMicroseconds = HandlerMicroseconds - earlier.HandlerMicroseconds,
    };

    /// <summary>Null if there were no calls.</summary>
    public double? CpuMicrosecondsPerCall => PerCall(CpuMicroseconds);

    /// <inheritdoc cref="CpuMicrosecondsPerCall"/>
    public double? BytesPerCall => PerCall(AllocatedBytes);

    /// <summary>Number of calls per send; null if nothing was sent.</summary>
    public double? CallsPerSend => Sends == 0 ? null : (double)Calls / Sends;

    private double? PerCall(double value) => Calls == 0 ? null : value / Calls;
}
