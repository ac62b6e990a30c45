using Mux.Tool.Measuring;
using Mux.Tool.Serving;
using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <summary>Result of a run.</summary>
internal sealed record BenchOutcome
{
    public required BenchConfiguration Configuration { get; init; }

    /// <summary>The target, or the address of the started server.</summary>
    public required TargetAddress Address { get; init; }

    public required ProcessEnvironment ClientEnvironment { get; init; }

    /// <summary>Null if the server does not report it.</summary>
    public required ProcessEnvironment? ServerEnvironment { get; init; }

    /// <summary>Measured time; zero if the run ended during its warm-up.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Latencies and number of the replies in the measured time.</summary>
    public required LatencyHistogram Latencies { get; init; }

    /// <summary>Schedule of an open loop; null for a closed one.</summary>
    public ScheduleOutcome? Schedule { get; init; }

    /// <summary>Profile of the server's handlers; null if the server does not report it.</summary>
    public HandlerProfile? Handlers { get; init; }

    /// <summary>Latencies of deliberately slow replies; null if there are none.</summary>
    public LatencyHistogram? Slow { get; init; }

    /// <summary>Latencies of the other replies; null if there are no slow ones.</summary>
    public LatencyHistogram? Others { get; init; }

    /// <summary>Outcomes of the calls; null for workloads with streams, or with bulk in addition to calls.</summary>
    public CallOutcomes? Calls { get; init; }

    /// <summary>Bulk of a mixed workload; otherwise null.</summary>
    public BulkOutcome? Bulk { get; init; }

    /// <summary>Items of a method with streams; otherwise null.</summary>
    public ItemsOutcome? Items { get; init; }

    /// <summary>Connections that were replaced under load; null if none were to be.</summary>
    public ChurnOutcome? Churn { get; init; }

    /// <summary>Calls by endpoint; empty for a target with one.</summary>
    public IReadOnlyList<EndpointOutcome> Endpoints { get; init; } = [];

    /// <summary>True if an endpoint was not reached: the figures are not those of all servers that were asked for.</summary>
    public bool IsPartial => Endpoints.Any(endpoint => endpoint.Unreached is not null);

    public required IReadOnlyList<ProgressSample> Series { get; init; }

    public required ProcessUsage Client { get; init; }

    /// <summary>Null if the server does not report it.</summary>
    public required ProcessUsage? Server { get; init; }

    /// <summary>Why <see cref="Server"/> is not known, although a server reports its usage; otherwise null.</summary>
    public string? ServerUnknown { get; init; }

    /// <summary>Number of replies of the whole run, warm-up included; so are the figures below.</summary>
    public required long Replies { get; init; }

    /// <summary>Number of replies that do not match their requests.</summary>
    public required long WrongReplies { get; init; }

    /// <summary>Number of calls without an outcome after some seconds without a reply at the end.</summary>
    public required long LostReplies { get; init; }

    /// <summary>Number of connections that ended because the server violated the protocol.</summary>
    public required long ProtocolErrors { get; init; }

    /// <summary>Failed calls by status.</summary>
    public required IReadOnlyDictionary<MuxStatus, long> Failures { get; init; }

    /// <summary>The first failure of the status that most failed calls have; null if there is none.</summary>
    public MuxException? Example { get; init; }

    /// <summary>The first loss of a connection; null if there was none.</summary>
    public required MuxException? Loss { get; init; }

    /// <summary>True if the user ended the run.</summary>
    public required bool IsInterrupted { get; init; }

    /// <summary>Replies per second, or another unit of the workload.</summary>
    public double Rate => Elapsed == TimeSpan.Zero ? 0 : Latencies.Replies / Elapsed.TotalSeconds;

    /// <summary>Large messages in millions of bytes per second: in each direction, or only replies for a mixed workload. Null for workloads without.</summary>
    public double? MegabytesPerSecond => Bulk?.MegabytesPerSecond ?? (Configuration.Traits.IsBulk ? Rate * Configuration.Size!.Value / 1e6 : null);

    /// <summary>Number of calls without an outcome, or with two.</summary>
    public long Unaccounted => Calls?.Unaccounted ?? 0;

    /// <summary>Number of all errors.</summary>
    public long Errors => WrongReplies + LostReplies + ProtocolErrors + Unaccounted + Failures.Values.Sum() + (Churn?.Errors ?? 0);

    public int ExitCode
    {
        get
        {
            if (WrongReplies + LostReplies + ProtocolErrors + Unaccounted > 0) return Tool.ExitCode.Faulty;
            if (Loss is not null) return Tool.ExitCode.ConnectionLost;
            if (Errors > 0 && Configuration.Objectives?.ErrorLimit is null) return Tool.ExitCode.Faulty; // else the objective decides about failed calls
            if (IsPartial) return Tool.ExitCode.Unreachable;
            if (IsInterrupted) return Tool.ExitCode.Interrupted;
            return Schedule is { IsValid: false } ? Tool.ExitCode.Invalid : Tool.ExitCode.Success;
        }
    }
}
