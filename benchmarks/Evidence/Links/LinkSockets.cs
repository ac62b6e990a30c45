using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using System.Text;
using Evidence.Programs;
using Evidence.Serving;
using Mux.Transports;
using Mux.Transports.Streams;
using Mux.Transports.WebSockets;

namespace Evidence.Links;

/// <summary>Sockets with the congestion control of everything here, and what clients put upon them.</summary>
internal static class LinkSockets
{
    // From linux/tcp.h.
    private const int TcpLevel = 6;
    private const int TcpCongestion = 13;

    /// <summary>Where a WebSocket is.</summary>
    public const string Path = "/mux";

    /// <summary>The transport of a client.</summary>
    public static ITransport ClientOf(LinkKind kind) => kind switch
    {
        LinkKind.Portable => EngineChoice.Transport(EngineChoice.Portable),
        LinkKind.WebSocket => StreamTransport.Connecting(async (address, token) => StreamConnection.Over(await OpenWebSocketAsync(address, token))),
        _ => StreamTransport.Connecting(async (address, token) => StreamConnection.Over(await ConnectAsync(address.Host, address.Port, token))),
    };

    /// <summary>Listens at a free port of loopback; what it accepts inherits the congestion control.</summary>
    public static Socket Listen(EndPoint? endPoint = null)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        SetCongestionControl(socket);
        socket.Bind(endPoint ?? new IPEndPoint(IPAddress.Loopback, 0));
        return socket;
    }

    public static async Task<NetworkStream> ConnectAsync(string host, int port, CancellationToken token)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        SetCongestionControl(socket);
        await socket.ConnectAsync(host, port, token);
        return new NetworkStream(socket, ownsSocket: true);
    }

    private static async Task<Stream> OpenWebSocketAsync(MuxAddress address, CancellationToken token)
    {
        var client = new ClientWebSocket();
        client.Options.AddSubProtocol(WebSocketByteStream.SubProtocol);
        using var invoker = new HttpMessageInvoker(new SocketsHttpHandler { ConnectCallback = async (context, cancellation) => await ConnectAsync(context.DnsEndPoint.Host, context.DnsEndPoint.Port, cancellation) });
        await client.ConnectAsync(new Uri($"ws://{address.Host}:{address.Port}{Path}"), invoker, token);
        return new WebSocketByteStream(client);
    }

    private static void SetCongestionControl(Socket socket)
    {
        if (CongestionControl.Name is { } name) socket.SetRawSocketOption(TcpLevel, TcpCongestion, Encoding.ASCII.GetBytes(name));
    }
}
