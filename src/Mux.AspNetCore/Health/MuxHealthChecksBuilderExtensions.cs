using Microsoft.Extensions.Diagnostics.HealthChecks;
using Mux;
using Mux.AspNetCore.Health;

#pragma warning disable IDE0130 // where users look for what they add to a service collection
namespace Microsoft.Extensions.DependencyInjection;
#pragma warning restore IDE0130

/// <summary>Adds the health of a Mux server to that of its application.</summary>
public static class MuxHealthChecksBuilderExtensions
{
    /// <summary>
    /// Adds a check for readiness: healthy while the application's <see cref="MuxServer"/> takes new connections. It fails before the server was started, and
    /// from the moment the host is told to stop, which is before the first connection is drained.
    /// </summary>
    /// <param name="builder">What AddHealthChecks returns.</param>
    /// <param name="name">The name of the check.</param>
    /// <param name="failureStatus">What is reported when it fails; null means <see cref="HealthStatus.Unhealthy"/>.</param>
    /// <param name="tags">By which endpoints select checks; null means none.</param>
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
