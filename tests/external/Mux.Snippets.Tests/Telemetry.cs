using Microsoft.Extensions.DependencyInjection;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;

namespace Mux.Snippets.Tests;

public static class Telemetry
{
    public static void AddTelemetry(this IServiceCollection services) =>
        services.AddOpenTelemetry()
            .WithMetrics(metrics => metrics.AddMeter("Mux.Server", "Mux.Client", "Mux.Transport").AddOtlpExporter())
            .WithTracing(traces => traces.AddSource("Mux").AddOtlpExporter());
}
