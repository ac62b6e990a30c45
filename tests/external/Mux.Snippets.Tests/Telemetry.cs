using Microsoft.Extensions.DependencyInjection;
using Mux.Diagnostics;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;

namespace Mux.Snippets.Tests;

public static class Telemetry
{
    public static void AddTelemetry(this IServiceCollection services) =>
        services.AddOpenTelemetry()
            .WithMetrics(metrics => metrics.AddMeter(MuxTelemetry.Meters).AddOtlpExporter())
            .WithTracing(traces => traces.AddSource(MuxTelemetry.Sources).AddOtlpExporter());
}
