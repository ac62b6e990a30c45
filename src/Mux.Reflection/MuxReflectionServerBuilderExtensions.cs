using Mux.DependencyInjection;
using Mux.Reflection;

#pragma warning disable IDE0130 // where users look for what they add to the server of a host
namespace Microsoft.Extensions.DependencyInjection;
#pragma warning restore IDE0130

/// <summary>Lets the server of a host describe its contracts.</summary>
public static class MuxReflectionServerBuilderExtensions
{
    /// <inheritdoc cref="MuxReflectionServerExtensions.AddReflection"/>
    /// <param name="builder">The server.</param>
    /// <param name="policy">Name of a policy that callers must meet; null for all callers with an identity or on this machine.</param>
    /// <returns>The builder.</returns>
    public static IMuxServerBuilder AddReflection(this IMuxServerBuilder builder, string? policy = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        return builder.ConfigureServer((_, server) => server.AddReflection(policy));
    }
}
