using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;

namespace Evidence.Awaiting;

/// <summary>Round trips of a byte to a process that sends it back: each over a connection that no other uses meanwhile.</summary>
internal sealed class EchoSockets(int port)
{
    private readonly ConcurrentStack<(Socket Socket, byte[] Byte)> _free = [];

    public async Task EchoAsync()
    {
        if (!_free.TryPop(out var connection)) connection = (Connect(), new byte[1]);
        await connection.Socket.SendAsync(connection.Byte.AsMemory(), SocketFlags.None).ConfigureAwait(false);
        if (await connection.Socket.ReceiveAsync(connection.Byte.AsMemory(), SocketFlags.None).ConfigureAwait(false) == 0) throw new EvidenceException("The echo ended.");
        _free.Push(connection);
    }

    /// <summary>The other process: sends back what it gets, with a thread per connection, until its standard input ends.</summary>
    public static void Serve()
    {
        var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(512);
        Run(() =>
        {
            while (true) Start(listener.Accept());
        });
        Console.WriteLine($"mux://127.0.0.1:{((IPEndPoint)listener.LocalEndPoint!).Port}");
        Console.In.ReadToEnd();

        Environment.Exit(0);
    }

    private Socket Connect()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        socket.Connect(IPAddress.Loopback, port);
        return socket;
    }

    private static void Start(Socket socket)
    {
        socket.NoDelay = true;
        Run(() =>
        {
            var buffer = new byte[64];
            while (socket.Receive(buffer) is > 0 and var count) socket.Send(buffer.AsSpan(0, count));
        });
    }

    private static void Run(ThreadStart loop) => new Thread(loop) { IsBackground = true }.Start();
}
