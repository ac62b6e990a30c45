using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <summary>What <c>mux bench</c> was asked to do.</summary>
internal sealed record BenchConfiguration
{
    /// <summary>Null for a server of its own.</summary>
    public required MuxAddress? Target { get; init; }

    public required Workload Workload { get; init; }

    /// <summary>Bytes of an echo; null for the other workloads.</summary>
    public required int? Size { get; init; }

    public required int Connections { get; init; }

    /// <summary>Calls open at a time on each connection.</summary>
    public required int InFlight { get; init; }

    public required TimeSpan Warmup { get; init; }

    public required TimeSpan Duration { get; init; }

    /// <summary>Null for the system's choice.</summary>
    public required string? CongestionControl { get; init; }

    /// <summary>Calls open at a time in all.</summary>
    public int Tokens => Connections * InFlight;
}
