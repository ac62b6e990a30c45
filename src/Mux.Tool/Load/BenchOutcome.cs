using Mux.Tool.Measuring;
using Mux.Tool.Serving;
using Mux.Tool.Workloads;

namespace Mux.Tool.Load;

/// <summary>What a run has shown.</summary>
internal sealed record BenchOutcome
{
    public required BenchConfiguration Configuration { get; init; }

    /// <summary>The target, or where the server of the bench listened.</summary>
    public required MuxAddress Address { get; init; }

    public required ProcessEnvironment ClientEnvironment { get; init; }

    /// <summary>Null if the server does not tell.</summary>
    public required ProcessEnvironment? ServerEnvironment { get; init; }

    /// <summary>How long was measured; zero if the run ended during its warm-up.</summary>
    public required TimeSpan Elapsed { get; init; }

    /// <summary>Of the replies that came while it was measured, and their number.</summary>
    public required LatencyHistogram Latencies { get; init; }

    /// <summary>Of an open loop; null for a closed one.</summary>
    public ScheduleOutcome? Schedule { get; init; }

    /// <summary>What the server's handlers do beside their work; null if it does not tell.</summary>
    public HandlerProfile? Handlers { get; init; }

    /// <summary>Of the replies that are slow on purpose; null if none are.</summary>
    public LatencyHistogram? Slow { get; init; }

    /// <summary>Of the others; null if all are.</summary>
    public LatencyHistogram? Others { get; init; }

    /// <summary>What became of the calls; null where streams were open instead, or bulk beside them.</summary>
    public CallOutcomes? Calls { get; init; }

    /// <summary>Of a mixed workload; else null.</summary>
    public BulkOutcome? Bulk { get; init; }

    public required IReadOnlyList<ProgressSample> Series { get; init; }

    public required ProcessUsage Client { get; init; }

    /// <summary>Null if the server does not tell.</summary>
    public required ProcessUsage? Server { get; init; }

    /// <summary>Replies of the whole run, warm-up included, as all that follows.</summary>
    public required long Replies { get; init; }

    /// <summary>Replies that were not what their requests ask for.</summary>
    public required long WrongReplies { get; init; }

    /// <summary>Calls that had neither failed nor been answered when no reply had come for some seconds after the end.</summary>
    public required long LostReplies { get; init; }

    /// <summary>Connections ended because the server broke a rule of the protocol.</summary>
    public required long ProtocolErrors { get; init; }

    /// <summary>Failed calls by status.</summary>
    public required IReadOnlyDictionary<MuxStatus, long> Failures { get; init; }

    /// <summary>How the first connection was lost; null if none was.</summary>
    public required MuxException? Loss { get; init; }

    /// <summary>Ended by the user.</summary>
    public required bool IsInterrupted { get; init; }

    /// <summary>Replies per second, or what else the workload counts.</summary>
    public double Rate => Elapsed == TimeSpan.Zero ? 0 : Latencies.Replies / Elapsed.TotalSeconds;

    /// <summary>Of the large messages, in millions of bytes: there and as much back, but of a mixed workload back alone. Null for workloads without.</summary>
    public double? MegabytesPerSecond => Bulk?.MegabytesPerSecond ?? (Configuration.Traits.IsBulk ? Rate * Configuration.Size!.Value / 1e6 : null);

    /// <summary>Calls without an outcome, or with two.</summary>
    public long Unaccounted => Calls?.Unaccounted ?? 0;

    /// <summary>Everything that went wrong.</summary>
    public long Errors => WrongReplies + LostReplies + ProtocolErrors + Unaccounted + Failures.Values.Sum();

    public int ExitCode
    {
        get
        {
            if (WrongReplies + LostReplies + ProtocolErrors + Unaccounted > 0) return Tool.ExitCode.Faulty;
            if (Loss is not null) return Tool.ExitCode.ConnectionLost;
            if (Errors > 0) return Tool.ExitCode.Faulty;
            if (IsInterrupted) return Tool.ExitCode.Interrupted;
            return Schedule is { IsValid: false } ? Tool.ExitCode.Invalid : Tool.ExitCode.Success;
        }
    }
}
