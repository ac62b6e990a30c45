using Mux.Tool.Capacity;
using Mux.Tool.Serving;
using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <summary>Configuration of a <c>mux bench</c>.</summary>
internal sealed record BenchConfiguration
{
    public const int DefaultMaxOpen = 100_000;

    public static readonly TimeSpan DefaultMaxLag = TimeSpan.FromMilliseconds(1);

    /// <summary>The server; null to start one.</summary>
    public required TargetAddress? Target { get; init; }

    public required Workload Workload { get; init; }

    public WorkloadTraits Traits => WorkloadTraits.Of(Workload);

    /// <summary>What <see cref="Workload.Method"/> calls: set before a run, when its contract was read. Null for the other workloads.</summary>
    public MethodLoad? Method { get; init; }

    /// <summary>Name of the workload, or of the method, which has a slash.</summary>
    public string WorkloadName => Method?.Name ?? WorkloadTraits.NameOf(Workload);

    /// <summary>Size in bytes, as <see cref="WorkloadTraits.Size"/> defines it; null for workloads without a size.</summary>
    public required int? Size { get; init; }

    public required int Connections { get; init; }

    /// <summary>Concurrent calls or streams per connection.</summary>
    public required int InFlight { get; init; }

    public required TimeSpan Warmup { get; init; }

    public required TimeSpan Duration { get; init; }

    /// <summary>Number of calls after which the measurement ends, if that is before <see cref="Duration"/>; null for no limit.</summary>
    public long? Calls { get; init; }

    /// <summary>Objectives that decide about the exit code; null for none.</summary>
    public Objectives? Objectives { get; init; }

    /// <summary>Metadata sent with every call; null for none.</summary>
    public MuxMetadata? Metadata { get; init; }

    /// <summary>Options of the connections.</summary>
    public LinkOptions Links { get; init; } = new();

    /// <summary>True if the started server is at a <c>muxs</c> address.</summary>
    public bool IsTls { get; init; }

    /// <summary>Profile of the started server's limits.</summary>
    public MuxProfile Profile { get; init; }

    /// <summary>Closed loop: one of this many calls is timed.</summary>
    public int TimeEvery { get; init; } = 1;

    /// <summary>
    /// Number of items per stream, after which another is opened; 0 for no limit before the run ends. Of a method: items after which a call is over.
    /// </summary>
    public int StreamItems { get; init; }

    /// <summary>Concurrent items on a stream that returns each of them; null for workloads without a window.</summary>
    public int? Window { get; init; }

    /// <summary>Connections for the bulk of a mixed workload.</summary>
    public BulkConnection BulkOn { get; init; }

    /// <summary>Concurrent large replies per connection in a mixed workload.</summary>
    public int BulkInFlight { get; init; }

    /// <summary>Deadline of each call; null for none.</summary>
    public TimeSpan? Deadline { get; init; }

    /// <summary>How long a call may take; null for no limit. Longer ones fail, or are counted apart if it is a <see cref="Deadline"/>.</summary>
    public TimeSpan? TimeLimit => Deadline ?? (Method is { } method && method.Timeout != Timeout.InfiniteTimeSpan ? method.Timeout : null);

    /// <summary>Seconds without a reply at the end, or before the last of a number of calls, after which open calls are lost.</summary>
    public int PatienceSeconds => Method?.PatienceSeconds ?? BenchRun.QuietSeconds;

    /// <summary>Share of the calls to cancel, from 0 to 1.</summary>
    public double CancelShare { get; init; }

    /// <summary>Connections per second that are replaced under load; null for none.</summary>
    public double? ChurnRate { get; init; }

    /// <summary>Calls per second of an open loop; null for a closed one.</summary>
    public double? Rate { get; init; }

    /// <summary>Open loop: maximum number of concurrent calls in total; those beyond are dropped.</summary>
    public int MaxOpen { get; init; } = DefaultMaxOpen;

    /// <summary>Open loop: maximum lag (p99) of a valid run.</summary>
    public TimeSpan MaxLag { get; init; } = DefaultMaxLag;

    /// <summary>Open loop: interval of the pacer.</summary>
    public PacerTick Tick => PacerTick.For(Rate!.Value, Connections, PreciseSleep.Granularity, MaxLag);

    /// <summary>Profile of the started server's handlers; another server is queried for it.</summary>
    public HandlerProfile Handlers { get; init; } = HandlerProfile.Plain;

    /// <summary>True for a closed loop with a number of calls. In an open loop it is a matter of time: calls divided by the rate.</summary>
    public bool IsCounted => Calls is not null && Rate is null;

    /// <summary>Closed loop: number of concurrent calls in total.</summary>
    public int Tokens => Connections * InFlight;
}
