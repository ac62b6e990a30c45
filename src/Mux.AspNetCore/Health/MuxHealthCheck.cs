using System.Globalization;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;

namespace Mux.AspNetCore.Health;

/// <summary>Reports whether the application's server accepts new connections.</summary>
internal sealed class MuxHealthCheck(MuxServer server, IHostApplicationLifetime lifetime) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        // The host announces that it stops before it stops anything, so load balancers learn of it while connections are still served.
        var state = server.State;
        if (lifetime.ApplicationStopping.IsCancellationRequested && state == MuxServerState.Serving) state = MuxServerState.Draining;
        return Task.FromResult(state switch
        {
            MuxServerState.Serving => HealthCheckResult
                .Healthy(string.Create(CultureInfo.InvariantCulture, $"Serving {server.GetStatistics().OpenConnections} connections.")),
            MuxServerState.Draining => new HealthCheckResult(context.Registration.FailureStatus, "Draining: open calls finish, new connections are rejected."),
            _ => new HealthCheckResult(context.Registration.FailureStatus, "Not started."),
        });
    }
}
