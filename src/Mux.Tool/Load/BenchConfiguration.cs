using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <summary>What <c>mux bench</c> was asked to do.</summary>
internal sealed record BenchConfiguration
{
    public const int DefaultMaxOpen = 100_000;

    public static readonly TimeSpan DefaultMaxLag = TimeSpan.FromMilliseconds(1);

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

    /// <summary>Closed loop: one call in so many is timed.</summary>
    public int TimeEvery { get; init; } = 1;

    /// <summary>Calls per second of an open loop; null for a closed one.</summary>
    public double? Rate { get; init; }

    /// <summary>Open loop: calls that may be open at a time in all; those beyond it are dropped.</summary>
    public int MaxOpen { get; init; } = DefaultMaxOpen;

    /// <summary>Open loop: how late calls may be made (p99) in a run that is believed.</summary>
    public TimeSpan MaxLag { get; init; } = DefaultMaxLag;

    /// <summary>What the handlers of the bench's own server do; of another server's it is asked.</summary>
    public HandlerProfile Handlers { get; init; } = HandlerProfile.Plain;

    /// <summary>Closed loop: calls open at a time in all.</summary>
    public int Tokens => Connections * InFlight;
}
