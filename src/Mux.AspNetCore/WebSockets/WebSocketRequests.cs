using System.Net;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Mux.AspNetCore.Endpoints;
using Mux.Transports;
using Mux.Transports.Streams;
using Mux.Transports.WebSockets;

namespace Mux.AspNetCore.WebSockets;

/// <summary>Takes the WebSockets of one endpoint for the server of the application. Safe for concurrent use.</summary>
internal sealed class WebSocketRequests(OriginPolicy origins, PlaintextRule plaintext)
{
    private const string OriginalAddress = "X-Original-For"; // where UseForwardedHeaders keeps the address that it has replaced

    public async Task ServeAsync(HttpContext context)
    {
        var server = context.RequestServices.GetRequiredService<MuxServer>();
        if (Refuse(context, server.State) is (var status, var reason))
        {
            context.Response.StatusCode = status;
            await context.Response.WriteAsync(reason, context.RequestAborted).ConfigureAwait(false);
            return;
        }

        // Kestrel asks no WebSocket to close before it cuts it
        var stopping = context.RequestServices.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping;
        using var socket = await context.WebSockets.AcceptWebSocketAsync(WebSocketByteStream.SubProtocol).ConfigureAwait(false);
        var stream = new WebSocketByteStream(socket);
        await using (stream.ConfigureAwait(false)) // also when the server was not started
        {
            var connection = StreamConnection.Over(stream, RemoteAddressOf(context.Connection));
            connection.Identity = IdentityOf(context);
            await server.ServeAsync(connection, stopping).ConfigureAwait(false);
        }

        await stream.Ended.ConfigureAwait(false); // the end of the request would cut the close short
    }

    private (int Status, string Reason)? Refuse(HttpContext context, MuxServerState state)
    {
        if (!origins.Allows(context.Request)) return (StatusCodes.Status403Forbidden, "Pages of this origin may not connect here.");
        if (!context.WebSockets.IsWebSocketRequest) return (StatusCodes.Status400BadRequest, "This endpoint takes WebSockets only.");
        if (!context.WebSockets.WebSocketRequestedProtocols.Contains(WebSocketByteStream.SubProtocol))
        {
            return (StatusCodes.Status400BadRequest, $"This endpoint speaks the sub-protocol {WebSocketByteStream.SubProtocol} only.");
        }

        bool isEncrypted = context.Request.IsHttps; // also where something in front ends TLS and forwarded headers are read
        if (!isEncrypted && !plaintext.Allows(EndOf(context.Connection), context.Request.Path, context.Request.Headers.ContainsKey(OriginalAddress)))
        {
            return (StatusCodes.Status403Forbidden, "This endpoint takes WebSockets over TLS only.");
        }

        return state is MuxServerState.Serving ? null : (StatusCodes.Status503ServiceUnavailable, "The server has not started yet, or is stopping.");
    }

    /// <summary>Who sent the request, for as long as the ticket says by which that is known.</summary>
    private static PeerIdentity? IdentityOf(HttpContext context)
    {
        var expiresAt = context.Features.Get<IAuthenticateResultFeature>()?.AuthenticateResult?.Properties?.ExpiresUtc;
        return context.User.Identity is { IsAuthenticated: true } ? new PeerIdentity(context.User, expiresAt) : null;
    }

    private static string RemoteAddressOf(ConnectionInfo connection) => EndOf(connection) is { } end ? RemoteAddress.Of(end) : string.Empty;

    private static IPEndPoint? EndOf(ConnectionInfo connection) =>
        connection.RemoteIpAddress is { } address ? new IPEndPoint(address, connection.RemotePort) : null;
}
