using System.Runtime.Serialization;
using Mux.Tool.Measuring;

namespace Mux.Tool.Serving;

/// <summary>Usage and counts of a server process since it started: <see cref="ProcessUsage"/> and <see cref="MuxStatistics"/> as sent.</summary>
[DataContract]
internal sealed class ServerReport
{
    private static readonly long s_instance = Random.Shared.NextInt64(1, long.MaxValue);

    public ServerReport()
    {
    }

    public ServerReport(ProcessUsage usage, MuxStatistics statistics)
    {
        CpuMicroseconds = usage.CpuMicroseconds;
        AllocatedBytes = usage.AllocatedBytes;
        Gen0Collections = usage.Gen0Collections;
        Gen1Collections = usage.Gen1Collections;
        Gen2Collections = usage.Gen2Collections;
        OpenConnections = statistics.OpenConnections;
        CallsStarted = statistics.CallsStarted;
        CallsCompleted = statistics.CallsCompleted;
        BytesSent = statistics.BytesSent;
        BytesReceived = statistics.BytesReceived;
        FramesReceived = statistics.FramesReceived;
        Sends = statistics.Sends;
        Receives = statistics.Receives;
        ProtocolErrors = statistics.ProtocolErrors;
        TakeOvers = usage.TakeOvers;
        Instance = s_instance;
    }

    [DataMember(Order = 1)]
    public double CpuMicroseconds { get; set; }

    [DataMember(Order = 2)]
    public long AllocatedBytes { get; set; }

    [DataMember(Order = 3)]
    public long Gen0Collections { get; set; }

    [DataMember(Order = 4)]
    public long Gen1Collections { get; set; }

    [DataMember(Order = 5)]
    public long Gen2Collections { get; set; }

    [DataMember(Order = 6)]
    public int OpenConnections { get; set; }

    [DataMember(Order = 7)]
    public long CallsStarted { get; set; }

    [DataMember(Order = 8)]
    public long CallsCompleted { get; set; }

    [DataMember(Order = 9)]
    public long BytesSent { get; set; }

    [DataMember(Order = 10)]
    public long BytesReceived { get; set; }

    [DataMember(Order = 11)]
    public long FramesReceived { get; set; }

    [DataMember(Order = 12)]
    public long Sends { get; set; }

    [DataMember(Order = 13)]
    public long Receives { get; set; }

    [DataMember(Order = 14)]
    public long ProtocolErrors { get; set; }

    /// <summary>Number of handlers that ran the server's profile.</summary>
    [DataMember(Order = 15)]
    public long HandlerCalls { get; set; }

    /// <summary>Their total time.</summary>
    [DataMember(Order = 16)]
    public double HandlerMicroseconds { get; set; }

    /// <summary>Number of times another thread took over because a handler blocked a receiving one.</summary>
    [DataMember(Order = 17)]
    public long TakeOvers { get; set; }

    /// <summary>Identifies the process, by chance: behind a gateway each report may be of another one. 0 if it does not say.</summary>
    [DataMember(Order = 18)]
    public long Instance { get; set; }

    public ProcessUsage ToUsage() => new(CpuMicroseconds, AllocatedBytes, Gen0Collections, Gen1Collections, Gen2Collections, CallsCompleted, Sends)
    {
        Receives = Receives,
        TakeOvers = TakeOvers,
        HandlerCalls = HandlerCalls,
        HandlerMicroseconds = HandlerMicroseconds,
    };
}
