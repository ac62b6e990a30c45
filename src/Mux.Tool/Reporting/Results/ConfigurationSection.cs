using Mux.Tool.Load;

namespace Mux.Tool.Reporting.Results;

/// <param name="Target">The address called.</param>
/// <param name="OwnServer">Whether the bench started the server.</param>
/// <param name="Workload">employee, echo or empty.</param>
/// <param name="Size">Bytes of an echo; null for the other workloads.</param>
/// <param name="Connections">How many.</param>
/// <param name="InFlight">Calls open at a time per connection.</param>
/// <param name="WarmupS">Seconds.</param>
/// <param name="DurationS">Seconds.</param>
/// <param name="Congestion">What was asked for; null for the system's choice.</param>
internal sealed record ConfigurationSection(
    string Target,
    bool OwnServer,
    string Workload,
    int? Size,
    int Connections,
    int InFlight,
    double WarmupS,
    double DurationS,
    string? Congestion)
{
    public static ConfigurationSection Of(BenchOutcome outcome)
    {
        var configuration = outcome.Configuration;
        return new(
            outcome.Address.ToString(),
            configuration.Target is null,
            configuration.Workload.ToString().ToLowerInvariant(),
            configuration.Size,
            configuration.Connections,
            configuration.InFlight,
            configuration.Warmup.TotalSeconds,
            configuration.Duration.TotalSeconds,
            configuration.CongestionControl);
    }
}
