using System.Text.Json.Serialization;
using Mux.Tool.Load;
using Mux.Tool.Workloads;

namespace Mux.Tool.Reporting.Results;

/// <param name="Target">The address called.</param>
/// <param name="OwnServer">Whether the bench started the server.</param>
/// <param name="Workload">As on the command line.</param>
/// <param name="Unit">What is counted: calls, items or pairs.</param>
/// <param name="Size">Bytes of an echo, of bulk, of an item of bulk or of a large reply beside calls; null for the other workloads.</param>
/// <param name="Connections">How many.</param>
/// <param name="InFlight">Closed loop: calls open at a time per connection; null for an open one.</param>
/// <param name="WarmupS">Seconds.</param>
/// <param name="DurationS">Seconds.</param>
/// <param name="Congestion">What was asked for; null for the system's choice.</param>
/// <param name="TimeEvery">Closed loop: one call in so many was timed; null for an open one, where all are.</param>
/// <param name="Rate">Calls per second of an open loop; null for a closed one.</param>
/// <param name="MaxOpen">Open loop: calls that may be open at a time in all.</param>
/// <param name="MaxLagUs">Open loop: the largest p99 of the lag of a valid run.</param>
/// <param name="StreamItems">Items of a stream, 0 for as many as there was time for; null for workloads without streams.</param>
/// <param name="Window">Items on their way at a time on a stream that gives each back; null for workloads without.</param>
/// <param name="BulkOn">Mixed: same or other connections; else null.</param>
/// <param name="BulkInFlight">Mixed: large replies under way at a time on each connection; else null.</param>
/// <param name="DeadlineUs">Of each call; null for none.</param>
/// <param name="CancelShare">Which share of the calls was to be cancelled, from 0 to 1; null for none.</param>
/// <param name="Handlers">What the server's handlers do beside their work; null if it does not tell.</param>
/// <param name="Repeat">Runs.</param>
/// <param name="Profile">The defaults of the limits of a server of the bench's own; null for a target.</param>
internal sealed record ConfigurationSection(
    string Target,
    bool OwnServer,
    string Workload,
    string? Unit,
    int? Size,
    int Connections,
    int? InFlight,
    double WarmupS,
    double DurationS,
    string? Congestion,
    int? TimeEvery,
    double? Rate,
    int? MaxOpen,
    double? MaxLagUs,
    int? StreamItems,
    int? Window,
    string? BulkOn,
    int? BulkInFlight,
    double? DeadlineUs,
    double? CancelShare,
    HandlersEntry? Handlers,
    int Repeat,
    string? Profile = null)
{
    /// <summary>What is counted, also by results that do not say.</summary>
    [JsonIgnore]
    public CountedUnit Counted => CountedUnit.Named(Unit);

    public static ConfigurationSection Of(BenchOutcome outcome, int repeat)
    {
        var configuration = outcome.Configuration;
        var traits = configuration.Traits;
        bool isOpen = configuration.Rate is not null;
        return new(
            outcome.Address.ToString(),
            configuration.Target is null,
            WorkloadTraits.NameOf(configuration.Workload),
            traits.Unit.Many,
            configuration.Size,
            configuration.Connections,
            isOpen ? null : configuration.InFlight,
            configuration.Warmup.TotalSeconds,
            configuration.Duration.TotalSeconds,
            configuration.Links.CongestionControl,
            isOpen ? null : configuration.TimeEvery,
            configuration.Rate,
            isOpen ? configuration.MaxOpen : null,
            isOpen ? configuration.MaxLag.TotalMicroseconds : null,
            traits.IsStream ? configuration.StreamItems : null,
            configuration.Window,
            traits.IsMixed ? configuration.BulkOn.ToString().ToLowerInvariant() : null,
            traits.IsMixed ? configuration.BulkInFlight : null,
            configuration.Deadline?.TotalMicroseconds,
            configuration.CancelShare > 0 ? configuration.CancelShare : null,
            outcome.Handlers is null ? null : HandlersEntry.Of(outcome.Handlers),
            repeat,
            configuration.Target is null ? configuration.Profile.ToString().ToLowerInvariant() : null);
    }
}
