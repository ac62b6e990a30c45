namespace Mux.Tool.Measuring;

/// <summary>What a process has used since it started, or between two looks at it.</summary>
/// <param name="CpuMicroseconds">Time on a CPU, user and system, of all threads.</param>
/// <param name="AllocatedBytes">Managed memory allocated.</param>
/// <param name="Gen0Collections">Garbage collections of generation 0 alone.</param>
/// <param name="Gen1Collections">Of generation 1, and with it 0.</param>
/// <param name="Gen2Collections">Of everything.</param>
/// <param name="Calls">Calls completed: made by a client, answered by a server.</param>
/// <param name="Sends">Times bytes were handed to the transport; with sockets one system call each.</param>
internal sealed record ProcessUsage(
    double CpuMicroseconds,
    long AllocatedBytes,
    long Gen0Collections,
    long Gen1Collections,
    long Gen2Collections,
    long Calls,
    long Sends)
{
    /// <summary>Batches of bytes taken from the transport; with sockets one system call each that found any.</summary>
    public long Receives { get; init; }

    /// <summary>How often another thread went on because user code kept one that receives.</summary>
    public long TakeOvers { get; init; }

    /// <summary>Handlers that did what a server's profile says.</summary>
    public long HandlerCalls { get; init; }

    /// <summary>How long they were at it, added up, in microseconds.</summary>
    public double HandlerMicroseconds { get; init; }

    /// <summary>What a handler of the server's profile really took; null where none ran.</summary>
    public double? HandlerMicrosecondsPerCall => HandlerCalls == 0 ? null : HandlerMicroseconds / HandlerCalls;

    /// <summary>Of this process, now.</summary>
    /// <param name="statistics">Of its channels or its server.</param>
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

    /// <summary>Null where there were no calls.</summary>
    public double? CpuMicrosecondsPerCall => PerCall(CpuMicroseconds);

    /// <inheritdoc cref="CpuMicrosecondsPerCall"/>
    public double? BytesPerCall => PerCall(AllocatedBytes);

    /// <summary>How many calls share one send; null where nothing was sent.</summary>
    public double? CallsPerSend => Sends == 0 ? null : (double)Calls / Sends;

    private double? PerCall(double value) => Calls == 0 ? null : value / Calls;
}
