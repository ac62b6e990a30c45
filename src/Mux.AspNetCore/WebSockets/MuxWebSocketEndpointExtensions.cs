using Microsoft.AspNetCore.Routing;
using Mux;
using Mux.AspNetCore.Endpoints;
using Mux.AspNetCore.WebSockets;

#pragma warning disable IDE0130 // where users look for what they map
namespace Microsoft.AspNetCore.Builder;
#pragma warning restore IDE0130

/// <summary>Maps endpoints for Mux over WebSockets.</summary>
public static class MuxWebSocketEndpointExtensions
{
    /// <summary>
    /// Serves WebSockets at a path with the application's <see cref="MuxServer"/>, for networks that allow only HTTP. Clients connect to
    /// <c>mux+ws://host:port/path</c>, or <c>mux+wss://</c> with TLS. UseWebSockets is not needed.
    /// </summary>
    /// <remarks>
    /// <para>The client requests the sub-protocol <c>mux.1</c>. Binary messages carry the bytes; their boundaries have no meaning. A text message, a message
    /// above 1 MiB, or more than 100 empty messages in a row close the WebSocket with a status and a reason.</para>
    /// <para>Some requests are rejected: with 403, a request from a page of a foreign origin; with 400, a request that is not a WebSocket or asks for another
    /// sub-protocol; with 503, a request before the server has started or while it stops.</para>
    /// <para>A request over plain <c>http</c> from another machine is rejected with 403 unless <see cref="MuxServerOptions.AllowPlaintext"/> is set. The scheme
    /// and the address are those of the request: behind a proxy that terminates TLS, UseForwardedHeaders must come first.</para>
    /// <para>Limits and statistics treat these connections like those that the server accepts itself. Connections drain when the host begins to stop.</para>
    /// <para>If neither the configuration nor code sets <see cref="MuxOptions.Address"/>, the server does not listen itself. In <c>Startup.Configure</c>, which
    /// runs while the application starts, this is early enough.</para>
    /// </remarks>
    /// <param name="endpoints">The endpoints of the application.</param>
    /// <param name="pattern">The path, such as <c>/mux</c>.</param>
    /// <param name="configure">Sets the pages that may connect.</param>
    /// <returns>A builder for conventions, such as RequireAuthorization.</returns>
    /// <exception cref="ArgumentException">An allowed origin is not valid; the message names it.</exception>
    /// <exception cref="InvalidOperationException">The application has no server: AddMuxServer was not called; or it listens at its default address
    /// already, because the application has started.</exception>
    public static IEndpointConventionBuilder MapMuxWebSocket(
        this IEndpointRouteBuilder endpoints, string pattern, Action<MuxWebSocketOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        ArgumentNullException.ThrowIfNull(pattern);
        RegisteredServer.Announce(endpoints.ServiceProvider, "MapMuxWebSocket serves WebSockets");
        var options = new MuxWebSocketOptions();
        configure?.Invoke(options);
        var requests = new WebSocketRequests(
            new OriginPolicy(options.AllowedOrigins),
            new PlaintextRule(endpoints.ServiceProvider,
                "serve it by https; if a proxy terminates TLS, apply the scheme that the proxy forwards (UseForwardedHeaders with X-Forwarded-Proto)"));
        var pipeline = endpoints.CreateApplicationBuilder().UseWebSockets();
        pipeline.Run(requests.ServeAsync);
        return endpoints.Map(pattern, pipeline.Build()).WithDisplayName($"Mux over WebSocket: {pattern}");
    }
}
