using Microsoft.Extensions.ServiceDiscovery;
using Mux;
using Mux.DependencyInjection;
using Mux.Discovery.ServiceDiscovery;

#pragma warning disable IDE0130 // where users look for what they add to a client of a host
namespace Microsoft.Extensions.DependencyInjection;
#pragma warning restore IDE0130

/// <summary>Connects clients of a host to the services that Microsoft.Extensions.ServiceDiscovery knows.</summary>
public static class MuxServiceDiscoveryClientBuilderExtensions
{
    /// <summary>
    /// Looks up the servers of this client, if its address is <c>mux+service://service</c>, or <c>muxs+service://service</c> for servers with TLS. A client
    /// with another address, for example from the configuration of a development machine, is not changed, nor is one with
    /// <see cref="MuxChannelOptions.Endpoints"/>.
    /// </summary>
    /// <remarks>
    /// <para>The providers of the host are asked, such as the one for the configuration section <c>Services:service</c>, which Aspire fills. Endpoints must
    /// have the scheme <c>mux</c> (or <c>muxs</c>) or <c>tcp</c>, or no scheme. <c>mux+service://_rpc.orders</c> asks for the endpoint <c>rpc</c> of the
    /// service <c>orders</c>. An endpoint without a port has the port of the address, 7070 by default.</para>
    /// <para>If the host has no provider yet, this method calls <c>AddServiceDiscovery</c>. With TLS, certificates must contain the host of the endpoint, or
    /// the name that the provider reports for it.</para>
    /// </remarks>
    /// <param name="builder">The client.</param>
    /// <returns>The builder.</returns>
    public static IMuxClientBuilder UseServiceDiscovery(this IMuxClientBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        if (builder.Services.All(service => service.ServiceType != typeof(IServiceEndpointProviderFactory))) builder.Services.AddServiceDiscovery();
        return builder.AddSource(ServiceTarget.Schemes, static (options, provider) =>
        {
            if (!ServiceTarget.TryParse(options.Address, out var target, out var error)) throw new FormatException(error);
            return new ServiceEndpoints(target, [.. provider.GetServices<IServiceEndpointProviderFactory>()], Random.Shared);
        });
    }
}
