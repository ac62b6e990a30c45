using Microsoft.AspNetCore.Routing;
using Mux;
using Mux.AspNetCore.Endpoints;
using Mux.AspNetCore.WebSockets;

#pragma warning disable IDE0130 // where users look for what they map
namespace Microsoft.AspNetCore.Builder;
#pragma warning restore IDE0130

/// <summary>Maps Mux over WebSockets.</summary>
public static class MuxWebSocketEndpointExtensions
{
    /// <summary>
    /// Serves WebSockets at a path by the application's <see cref="MuxServer"/>: Mux where only HTTP passes. Clients dial <c>mux+ws://host:port/path</c>, or
    /// <c>mux+wss://</c> behind TLS. UseWebSockets is not needed.
    /// </summary>
    /// <remarks>
    /// The client asks for the sub-protocol <c>mux.1</c>; binary messages carry the bytes, and their borders mean nothing. A request from a page of a foreign
    /// origin is answered by 403, one that is no WebSocket or asks for another sub-protocol by 400, and one before the server has started or while it stops by
    /// 503. Text, a message above 1 MiB, and more than a hundred empty ones in a row close the WebSocket with a status and a reason. Connections count and are
    /// limited as those that the server accepts itself, and drain when the host begins to stop. A request by plain <c>http</c> from an address that is not of
    /// this machine is answered by 403 unless <see cref="MuxServerOptions.AllowPlaintext"/> is set. Scheme and address are those of the request: behind a proxy
    /// that ends TLS, UseForwardedHeaders has to come first.
    /// </remarks>
    /// <param name="endpoints">Where it is mapped.</param>
    /// <param name="pattern">The path, such as <c>/mux</c>.</param>
    /// <param name="configure">Sets who may connect.</param>
    /// <returns>For conventions, such as RequireAuthorization.</returns>
    /// <exception cref="ArgumentException">An allowed origin is none; the message names it.</exception>
    /// <exception cref="InvalidOperationException">The application has no server: AddMuxServer was not called.</exception>
    public static IEndpointConventionBuilder MapMuxWebSocket(
        this IEndpointRouteBuilder endpoints, string pattern, Action<MuxWebSocketOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        ArgumentNullException.ThrowIfNull(pattern);
        RegisteredServer.Require(endpoints.ServiceProvider, "MapMuxWebSocket serves WebSockets");
        var options = new MuxWebSocketOptions();
        configure?.Invoke(options);
        var requests = new WebSocketRequests(
            new OriginPolicy(options.AllowedOrigins),
            new PlaintextRule(endpoints.ServiceProvider,
                "serve it by https; where a proxy ends TLS, let the application take over the scheme that the proxy forwards (UseForwardedHeaders with " +
                "X-Forwarded-Proto)"));
        var pipeline = endpoints.CreateApplicationBuilder().UseWebSockets();
        pipeline.Run(requests.ServeAsync);
        return endpoints.Map(pattern, pipeline.Build()).WithDisplayName($"Mux over WebSocket: {pattern}");
    }
}
