using System.Net.WebSockets;
using Mux.Transports.Streams;

namespace Mux.Transports.WebSockets;

/// <summary>
/// Dials servers behind HTTP: <c>mux+ws://host:port/path</c>, and <c>mux+wss://</c> over TLS. The default of channels for such addresses. It does not listen:
/// servers take WebSockets by Mux.AspNetCore.
/// </summary>
/// <remarks>
/// It stands here and not in Mux.AspNetCore because it needs the framework's client alone: clients do without ASP.NET Core. All members may be called
/// concurrently.
/// </remarks>
public sealed class WebSocketTransport : StreamTransport
{
    private readonly Action<ClientWebSocketOptions>? _configure;

    /// <summary>A transport that sends requests with nothing beside the sub-protocol.</summary>
    public WebSocketTransport()
    {
    }

    /// <summary>A transport that sends requests with what the user sets.</summary>
    /// <param name="configure">Sets what a request is sent with, such as an Authorization header, a proxy or certificates; called for each connection, on the
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
            // it closed the connection, or spoke of another version: the platform fails over its own stream
            if (e is WebSocketException { InnerException: ArgumentException }) throw new IOException(
                $"The HTTP server does not answer a WebSocket at {address}.", e);
            if (e is WebSocketException) throw new IOException(StreamFailure.Describe(e), e);
            throw;
        }
    }
}
