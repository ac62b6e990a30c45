using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <param name="Target">The address called.</param>
/// <param name="OwnServer">Whether the bench started the server.</param>
/// <param name="Workload">employee, echo or empty.</param>
/// <param name="Size">Bytes of an echo; null for the other workloads.</param>
/// <param name="Connections">How many.</param>
/// <param name="InFlight">Closed loop: calls open at a time per connection; null for an open one.</param>
/// <param name="WarmupS">Seconds.</param>
/// <param name="DurationS">Seconds.</param>
/// <param name="Congestion">What was asked for; null for the system's choice.</param>
/// <param name="TimeEvery">Closed loop: one call in so many was timed; null for an open one, where all are.</param>
/// <param name="Rate">Calls per second of an open loop; null for a closed one.</param>
/// <param name="MaxOpen">Open loop: calls that may be open at a time in all.</param>
/// <param name="MaxLagUs">Open loop: the largest p99 of the lag of a valid run.</param>
/// <param name="Handlers">What the server's handlers do beside their work; null if it does not tell.</param>
/// <param name="Repeat">Runs.</param>
internal sealed record ConfigurationSection(
    string Target,
    bool OwnServer,
    string Workload,
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
    HandlersEntry? Handlers,
    int Repeat)
{
    public static ConfigurationSection Of(BenchOutcome outcome, int repeat)
    {
        var configuration = outcome.Configuration;
        bool isOpen = configuration.Rate is not null;
        return new(
            outcome.Address.ToString(),
            configuration.Target is null,
            configuration.Workload.ToString().ToLowerInvariant(),
            configuration.Size,
            configuration.Connections,
            isOpen ? null : configuration.InFlight,
            configuration.Warmup.TotalSeconds,
            configuration.Duration.TotalSeconds,
            configuration.CongestionControl,
            isOpen ? null : configuration.TimeEvery,
            configuration.Rate,
            isOpen ? configuration.MaxOpen : null,
            isOpen ? configuration.MaxLag.TotalMicroseconds : null,
            outcome.Handlers is null ? null : HandlersEntry.Of(outcome.Handlers),
            repeat);
    }
}
