using System.Net;
using System.Net.Sockets;

namespace Evidence.Recovery;

/// <summary>A port at which nobody answers: the queue of its listener is full, and the system drops what comes. Linux only.</summary>
internal sealed class SilentHost : IDisposable
{
    private const int Queued = 3; // more than the queue holds

    private readonly Socket _listener = NewSocket();
    private readonly List<Socket> _queued = [];

    public SilentHost(int port)
    {
        var endPoint = new IPEndPoint(IPAddress.Loopback, port);
        _listener.Bind(endPoint);
        _listener.Listen(0);
        for (int i = 0; i < Queued; i++)
        {
            var socket = NewSocket();
            _queued.Add(socket);
            socket.Blocking = false;
            try
            {
                socket.Connect(endPoint);
            }
            catch (SocketException e) when (e.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress)
            {
                // It is queued, or dropped.
            }
        }
    }

    public void Dispose()
    {
        _queued.ForEach(socket => socket.Dispose());
        _listener.Dispose();
    }

    private static Socket NewSocket() => new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
}
