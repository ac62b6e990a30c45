using System.Text.Json.Serialization;
using Mux.Tool.Load;
using Mux.Tool.Workloads;

namespace Mux.Tool.Reporting.Results;

/// <param name="Target">The address called.</param>
/// <param name="OwnServer">True if the bench started the server.</param>
/// <param name="Workload">Value of the command line; of a method its name, which has a slash.</param>
/// <param name="Unit">Counted unit: calls, items or pairs.</param>
/// <param name="Size">Bytes of an echo, of bulk, of an item of bulk, or of a large reply; null for the other workloads.</param>
/// <param name="Connections">Number of connections.</param>
/// <param name="InFlight">Closed loop: concurrent calls per connection; null for an open loop.</param>
/// <param name="WarmupS">Warm-up in seconds.</param>
/// <param name="DurationS">Measurement in seconds; with a number of calls, its longest time.</param>
/// <param name="Congestion">Requested congestion control; null for the system's choice.</param>
/// <param name="TimeEvery">Closed loop: one of this many calls was timed; null for an open loop, which times all.</param>
/// <param name="Rate">Calls per second of an open loop; null for a closed one.</param>
/// <param name="MaxOpen">Open loop: maximum number of concurrent calls in total.</param>
/// <param name="MaxLagUs">Open loop: maximum p99 of the lag in a valid run.</param>
/// <param name="StreamItems">Items per stream, 0 for no limit; null for workloads without streams, and for methods without a response stream.</param>
/// <param name="Window">Concurrent items on a stream that returns each of them; null for workloads without a window.</param>
/// <param name="BulkOn">Mixed: same or other connections; otherwise null.</param>
/// <param name="BulkInFlight">Mixed: concurrent large replies per connection; otherwise null.</param>
/// <param name="DeadlineUs">Deadline of each call; null for none.</param>
/// <param name="CancelShare">Share of the calls to cancel, from 0 to 1; null for none.</param>
/// <param name="Handlers">Profile of the server's handlers; null if the server does not report it.</param>
/// <param name="Repeat">Number of runs.</param>
/// <param name="Profile">Profile of the started server's limits; null for a target.</param>
/// <param name="Calls">Number of calls after which the measurement ended; null if only its time decided.</param>
/// <param name="Metadata">Names of the metadata that was sent with every call; null for none. Values may be secrets.</param>
/// <param name="ChurnRate">Connections per second that were to be replaced; null for none.</param>
/// <param name="Shape">Shape of the method; null for the tool's own workloads, as is the rest.</param>
/// <param name="Requests">Number of requests that were sent in turn.</param>
/// <param name="RequestsHash">Hash of the encoded requests.</param>
/// <param name="TimeoutUs">How long a call could take; null for no limit.</param>
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
    string? Profile = null,
    long? Calls = null,
    IReadOnlyList<string>? Metadata = null,
    double? ChurnRate = null,
    string? Shape = null,
    int? Requests = null,
    string? RequestsHash = null,
    double? TimeoutUs = null)
{
    /// <summary>Counted unit, also for results without one.</summary>
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
            configuration.WorkloadName,
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
            traits.IsStream || configuration.Method is { HasResponseStream: true } ? configuration.StreamItems : null,
            configuration.Window,
            traits.IsMixed ? configuration.BulkOn.ToString().ToLowerInvariant() : null,
            traits.IsMixed ? configuration.BulkInFlight : null,
            configuration.Deadline?.TotalMicroseconds,
            configuration.CancelShare > 0 ? configuration.CancelShare : null,
            outcome.Handlers is null ? null : HandlersEntry.Of(outcome.Handlers),
            repeat,
            configuration.Target is null ? configuration.Profile.ToString().ToLowerInvariant() : null,
            configuration.Calls,
            configuration.Metadata is { } metadata ? [.. metadata.Select(entry => entry.Key)] : null,
            configuration.ChurnRate,
            configuration.Method?.Shape,
            configuration.Method?.Requests.Count,
            configuration.Method?.HashRequests(),
            configuration is { Method: not null, Deadline: null } ? configuration.TimeLimit?.TotalMicroseconds : null);
    }
}
