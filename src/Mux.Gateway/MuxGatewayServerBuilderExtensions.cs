using Mux;
using Mux.DependencyInjection;
using Mux.Gateway;

#pragma warning disable IDE0130 // where users look for what they add to the server of a host
namespace Microsoft.Extensions.DependencyInjection;
#pragma warning restore IDE0130

/// <summary>Makes the server of a host a gateway.</summary>
public static class MuxGatewayServerBuilderExtensions
{
    /// <summary>
    /// Forwards the calls of services that the server does not serve itself to clients of this host. Calls are not decoded: no contract is needed, and messages
    /// may have any format. Services without a route are refused with <see cref="MuxStatus.Unimplemented"/>.
    /// </summary>
    /// <remarks>
    /// Routes come from the configuration section <c>Mux:Gateway:Routes</c>, a pattern with the name of a client each, and from code, which overrides a route
    /// of the same pattern: <c>"Routes": { "shop.Orders": "orders", "shop.*": { "Client": "shop", "Roles": "staff" } }</c>. They are read when the host starts.
    /// The gateway drains with the server; the container disposes the clients after it.
    /// </remarks>
    /// <param name="builder">The server.</param>
    /// <param name="routes">Maps services to clients; null if the configuration has all routes.</param>
    /// <returns>The builder.</returns>
    public static IMuxServerBuilder AddGateway(this IMuxServerBuilder builder, Action<MuxGatewayRoutes>? routes = null)
    {
        ArgumentNullException.ThrowIfNull(builder);
        var mapped = new MuxGatewayRoutes();
        routes?.Invoke(mapped);
        bool isFirst = !builder.Services.Any(static service => service.ServiceType == typeof(GatewayRoutes));
        builder.Services.AddSingleton(new GatewayRoutes(mapped.Routes));
        return isFirst ? builder.ConfigureServer(HostRoutes.AddTo) : builder;
    }
}
