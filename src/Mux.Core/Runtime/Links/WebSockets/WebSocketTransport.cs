using System.Net.WebSockets;
using Mux.Runtime;
using Mux.Transports.Streams;

namespace Mux.Transports.WebSockets;

/// <summary>
/// Connects over WebSockets to servers at <c>mux+ws://host:port/path</c>, and with TLS at <c>mux+wss://</c>. The default of channels for such addresses. It
/// does not listen: servers accept WebSockets with Mux.AspNetCore.
/// </summary>
/// <remarks>
/// All members may be called concurrently. Clients need neither Mux.AspNetCore nor ASP.NET Core.
/// </remarks>
public sealed class WebSocketTransport : StreamTransport
{
    private readonly Action<ClientWebSocketOptions>? _configure;

    /// <summary>Creates a transport that adds no headers to its requests.</summary>
    public WebSocketTransport()
    {
    }

    /// <summary>Creates a transport whose requests your code configures.</summary>
    /// <param name="configure">Configures a request, for example with an Authorization header, a proxy or certificates. Called for each connection, on the
    /// thread pool.</param>
    /// <example>
    /// <code>
    /// options.Transport = new WebSocketTransport(request => request.SetRequestHeader("Authorization", $"Bearer {tokens.Current}"));
    /// </code>
    /// </example>
    public WebSocketTransport(Action<ClientWebSocketOptions> configure)
    {
        ArgumentNullException.ThrowIfNull(configure);
        _configure = configure;
    }

    /// <inheritdoc/>
    protected override void CheckAddress(MuxAddress address)
    {
        if (address.Scheme is not (MuxAddress.WebSocketScheme or MuxAddress.SecureWebSocketScheme))
        {
            throw new NotSupportedException($"{address}: {nameof(WebSocketTransport)} speaks {MuxAddress.WebSocketScheme} and " +
                $"{MuxAddress.SecureWebSocketScheme} only.");
        }
    }

    /// <inheritdoc/>
    protected override async ValueTask<StreamConnection> ConnectAsync(MuxAddress address, CancellationToken cancellationToken)
    {
        var socket = new ClientWebSocket();
        try
        {
            socket.Options.AddSubProtocol(WebSocketByteStream.SubProtocol);
            _configure?.Invoke(socket.Options);
            await socket.ConnectAsync(new Uri(address.ToString()["mux+".Length..]), cancellationToken).ConfigureAwait(false);
            if (socket.SubProtocol != WebSocketByteStream.SubProtocol)
            {
                throw new IOException($"the server does not agree to the sub-protocol {WebSocketByteStream.SubProtocol}");
            }

            return StreamConnection.Over(new WebSocketByteStream(socket), $"{address.Host}:{address.Port}");
        }
        catch (Exception e)
        {
            socket.Dispose();
            // the server closed the connection or answered another version: the platform then fails over its own stream
            if (e is WebSocketException { InnerException: ArgumentException }) throw new IOException(
                "the HTTP server did not complete the WebSocket handshake: check the path of the address", e);
            if (e is WebSocketException) throw new IOException(StreamFailure.Describe(e), e);
            throw;
        }
    }
}
