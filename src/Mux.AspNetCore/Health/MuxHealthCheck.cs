using System.Globalization;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;

namespace Mux.AspNetCore.Health;

/// <summary>Reports whether the application's server accepts new connections.</summary>
internal sealed class MuxHealthCheck(MuxServer server, IHostApplicationLifetime lifetime) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        // Load balancers learn of a stop while connections are still served. A host that is told to stop by a signal says so before its server does.
        var state = server.State;
        if (lifetime.ApplicationStopping.IsCancellationRequested && state == MuxServerState.Serving) state = MuxServerState.Draining;
        return Task.FromResult(state switch
        {
            MuxServerState.Serving => HealthCheckResult
                .Healthy(string.Create(CultureInfo.InvariantCulture, $"Serving {server.GetStatistics().OpenConnections} connections.")),
            MuxServerState.Draining => new HealthCheckResult(context.Registration.FailureStatus, "Draining: the server is about to stop."),
            _ => new HealthCheckResult(context.Registration.FailureStatus, "Not started."),
        });
    }
}
