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

/// <summary>Accepts the WebSockets of one endpoint for the application's server. Safe for concurrent use.</summary>
internal sealed class WebSocketRequests(OriginPolicy origins, PlaintextRule plaintext)
{
    private const string OriginalAddress = "X-Original-For"; // where UseForwardedHeaders keeps the replaced address

    public async Task ServeAsync(HttpContext context)
    {
        var server = context.RequestServices.GetRequiredService<MuxServer>();
        if (Refuse(context, server.State) is (var status, var reason))
        {
            context.Response.StatusCode = status;
            await context.Response.WriteAsync(reason, context.RequestAborted).ConfigureAwait(false);
            return;
        }

        // Kestrel cuts WebSockets without asking them to close, so drain as soon as the application stops
        var stopping = context.RequestServices.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping;
        using var socket = await context.WebSockets.AcceptWebSocketAsync(WebSocketByteStream.SubProtocol).ConfigureAwait(false);
        var stream = new WebSocketByteStream(socket);
        await using (stream.ConfigureAwait(false)) // also if the server was not started
        {
            var connection = StreamConnection.Over(stream, RemoteAddressOf(context.Connection));
            connection.Identity = IdentityOf(context);
            await server.ServeAsync(connection, stopping).ConfigureAwait(false);
        }

        await stream.Ended.ConfigureAwait(false); // returning ends the request, which would cut the close short
    }

    private (int Status, string Reason)? Refuse(HttpContext context, MuxServerState state)
    {
        if (!origins.Allows(context.Request)) return (StatusCodes.Status403Forbidden, "Pages of this origin may not connect here.");
        if (!context.WebSockets.IsWebSocketRequest) return (StatusCodes.Status400BadRequest, "This endpoint accepts WebSockets only.");
        if (!context.WebSockets.WebSocketRequestedProtocols.Contains(WebSocketByteStream.SubProtocol))
        {
            return (StatusCodes.Status400BadRequest, $"This endpoint supports the sub-protocol {WebSocketByteStream.SubProtocol} only.");
        }

        bool isEncrypted = context.Request.IsHttps; // also if a proxy terminates TLS and forwarded headers are applied
        if (!isEncrypted && !plaintext.Allows(EndOf(context.Connection), context.Request.Path, context.Request.Headers.ContainsKey(OriginalAddress)))
        {
            return (StatusCodes.Status403Forbidden, "This endpoint accepts WebSockets over TLS only.");
        }

        return state is MuxServerState.Serving ? null : (StatusCodes.Status503ServiceUnavailable, "The server has not started yet, or is stopping.");
    }

    /// <summary>Gets the user of the request, valid until the authentication ticket expires.</summary>
    private static PeerIdentity? IdentityOf(HttpContext context)
    {
        var expiresAt = context.Features.Get<IAuthenticateResultFeature>()?.AuthenticateResult?.Properties?.ExpiresUtc;
        return context.User.Identity is { IsAuthenticated: true } ? new PeerIdentity(context.User, expiresAt) : null;
    }

    private static string RemoteAddressOf(ConnectionInfo connection) => EndOf(connection) is { } end ? RemoteAddress.Of(end) : string.Empty;

    private static IPEndPoint? EndOf(ConnectionInfo connection) =>
        connection.RemoteIpAddress is { } address ? new IPEndPoint(address, connection.RemotePort) : null;
}
