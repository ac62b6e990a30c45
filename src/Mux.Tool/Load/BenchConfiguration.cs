using Mux.Tool.Serving;
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

    public WorkloadTraits Traits => WorkloadTraits.Of(Workload);

    /// <summary>Bytes of what <see cref="WorkloadTraits.Size"/> is about; null for workloads without.</summary>
    public required int? Size { get; init; }

    public required int Connections { get; init; }

    /// <summary>Calls or streams open at a time on each connection.</summary>
    public required int InFlight { get; init; }

    public required TimeSpan Warmup { get; init; }

    public required TimeSpan Duration { get; init; }

    /// <summary>How the connections are made.</summary>
    public LinkOptions Links { get; init; } = new();

    /// <summary>Whether a server of one's own is at a <c>muxs</c> address.</summary>
    public bool IsTls { get; init; }

    /// <summary>The defaults of the limits of a server of one's own.</summary>
    public MuxProfile Profile { get; init; }

    /// <summary>Closed loop: one call in so many is timed.</summary>
    public int TimeEvery { get; init; } = 1;

    /// <summary>Items of a stream, after which another is opened; 0 for as many as the run has time for.</summary>
    public int StreamItems { get; init; }

    /// <summary>Items on their way at a time on a stream that gives each back; null for workloads without.</summary>
    public int? Window { get; init; }

    /// <summary>Where the bulk of a mixed workload runs.</summary>
    public BulkConnection BulkOn { get; init; }

    /// <summary>Large replies of a mixed workload under way at a time on each connection.</summary>
    public int BulkInFlight { get; init; }

    /// <summary>Of each call; null for none.</summary>
    public TimeSpan? Deadline { get; init; }

    /// <summary>Which share of the calls is cancelled, from 0 to 1.</summary>
    public double CancelShare { get; init; }

    /// <summary>Calls per second of an open loop; null for a closed one.</summary>
    public double? Rate { get; init; }

    /// <summary>Open loop: calls that may be open at a time in all; those beyond it are dropped.</summary>
    public int MaxOpen { get; init; } = DefaultMaxOpen;

    /// <summary>Open loop: how late calls may be made (p99) in a run that is believed.</summary>
    public TimeSpan MaxLag { get; init; } = DefaultMaxLag;

    /// <summary>Open loop: how often the pacer makes what is due.</summary>
    public PacerTick Tick => PacerTick.For(Rate!.Value, Connections, PreciseSleep.Granularity, MaxLag);

    /// <summary>What the handlers of the bench's own server do; of another server's it is asked.</summary>
    public HandlerProfile Handlers { get; init; } = HandlerProfile.Plain;

    /// <summary>Closed loop: calls open at a time in all.</summary>
    public int Tokens => Connections * InFlight;
}
