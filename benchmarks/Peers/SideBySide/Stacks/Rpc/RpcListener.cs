using System.Net;
using System.Net.Sockets;

namespace SideBySide.Stacks.Rpc;

/// <summary>Accepts connections until it is disposed of.</summary>
internal sealed class RpcListener : IAsyncDisposable
{
    // As Kestrel's.
    private const int Backlog = 512;

    private readonly Socket _socket;
    private readonly Task _accepting;

    private RpcListener(Socket socket, Action<Stream> serve)
    {
        _socket = socket;
        Port = ((IPEndPoint)socket.LocalEndPoint!).Port;
        _accepting = AcceptAsync(serve);
    }

    public int Port { get; }

    /// <param name="serve">Is given each connection, and returns at once.</param>
    public static RpcListener Start(Action<Stream> serve)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        Loopback.SetUp(socket);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        socket.Listen(Backlog);
        return new RpcListener(socket, serve);
    }

    public async ValueTask DisposeAsync()
    {
        _socket.Dispose();
        await _accepting;
    }

    private async Task AcceptAsync(Action<Stream> serve)
    {
        try
        {
            while (true)
            {
                var socket = await _socket.AcceptAsync();
                socket.NoDelay = true;
                serve(new NetworkStream(socket, ownsSocket: true));
            }
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // Disposed of.
        }
    }
}
