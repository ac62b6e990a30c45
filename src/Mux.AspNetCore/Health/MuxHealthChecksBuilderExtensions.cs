using Microsoft.Extensions.Diagnostics.HealthChecks;
using Mux;
using Mux.AspNetCore.Health;

#pragma warning disable IDE0130 // where users look for what they add to a service collection
namespace Microsoft.Extensions.DependencyInjection;
#pragma warning restore IDE0130

/// <summary>Adds health checks of Mux servers to an application.</summary>
public static class MuxHealthChecksBuilderExtensions
{
    /// <summary>
    /// Adds a readiness check that is healthy while the application's <see cref="MuxServer"/> accepts new connections. It fails until the server has started,
    /// and from the moment the host begins to stop, before the first connection drains.
    /// </summary>
    /// <param name="builder">The builder that AddHealthChecks returns.</param>
    /// <param name="name">The name of the check.</param>
    /// <param name="failureStatus">The status to report when the check fails; null means <see cref="HealthStatus.Unhealthy"/>.</param>
    /// <param name="tags">Tags that endpoints use to select checks; null means none.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentException">The name is empty.</exception>
    public static IHealthChecksBuilder AddMux(
        this IHealthChecksBuilder builder, string name = "mux", HealthStatus? failureStatus = null, IEnumerable<string>? tags = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        ArgumentException.ThrowIfNullOrEmpty(name);
        return builder.AddCheck<MuxHealthCheck>(name, failureStatus, tags ?? []);
    }
}
