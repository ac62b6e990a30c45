using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using System.Security.Cryptography;
using System.Text;
using Mux.Transports.Streams;
using Mux.Transports.WebSockets;

namespace Mux.TestSupport.Transports.WebSockets;

/// <summary>Accepts TCP connections and makes WebSockets of them.</summary>
internal sealed class UpgradingListener : IStreamListener
{
    private const string KeySuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"; // of RFC 6455

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    public UpgradingListener(MuxAddress address)
    {
        _socket.Bind(new IPEndPoint(IPAddress.Loopback, address.Port));
        _socket.Listen();
        Address = MuxAddress.Parse($"mux+ws://{_socket.LocalEndPoint}/mux");
    }

    public MuxAddress Address { get; }

    public async ValueTask<StreamConnection> AcceptAsync(CancellationToken cancellationToken)
    {
        var socket = await _socket.AcceptAsync(cancellationToken);
        try
        {
            return await UpgradeAsync(socket, cancellationToken);
        }
        catch
        {
            socket.Dispose(); // the client left before its request was whole, or the test did
            throw;
        }
    }

    public void Dispose() => _socket.Dispose();

    private static async Task<StreamConnection> UpgradeAsync(Socket socket, CancellationToken cancellationToken)
    {
        socket.NoDelay = true;
        var stream = new NetworkStream(socket, ownsSocket: true);
        var request = await ReadRequestAsync(stream, cancellationToken);
        var key = request.Single(line => line.StartsWith("Sec-WebSocket-Key: ", StringComparison.OrdinalIgnoreCase)).Split(' ')[1];
        var answer = $"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {Accept(key)}\r\nSec-WebSocket-Protocol: {WebSocketByteStream.SubProtocol}\r\n\r\n";
        await stream.WriteAsync(Encoding.ASCII.GetBytes(answer), cancellationToken);
        var webSocket = WebSocket.CreateFromStream(stream, new WebSocketCreationOptions { IsServer = true, SubProtocol = WebSocketByteStream.SubProtocol });
        return StreamConnection.Over(new WebSocketByteStream(webSocket), $"{socket.RemoteEndPoint}");
    }

    private static async Task<string[]> ReadRequestAsync(NetworkStream stream, CancellationToken cancellationToken)
    {
        var head = new StringBuilder();
        var one = new byte[1]; // and not a byte of what follows
        while (!head.ToString().EndsWith("\r\n\r\n", StringComparison.Ordinal))
        {
            await stream.ReadExactlyAsync(one, cancellationToken);
            head.Append((char)one[0]);
        }

        return head.ToString().Split("\r\n");
    }

    [SuppressMessage("Security", "CA5350", Justification = "It is what WebSockets answer.")]
    private static string Accept(string key) => Convert.ToBase64String(SHA1.HashData(Encoding.ASCII.GetBytes(key + KeySuffix)));
}
