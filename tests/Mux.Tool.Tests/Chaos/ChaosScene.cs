using System.Net;
using System.Net.Sockets;
using Mux.TestSupport.Transports;
using Mux.Tool.Chaos;

namespace Mux.Tool.Tests.Chaos;

/// <summary>A proxy in front of a listener, and pairs of sockets that are connected through it.</summary>
internal sealed class ChaosScene : IAsyncDisposable
{
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly List<Socket> _sockets = [];

    public ChaosScene(ChaosPlan plan, int? seed = null, bool isListening = true)
    {
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        if (isListening) _listener.Listen();
        Proxy = ChaosProxy.Start(
            new ChaosOptions { Listen = MuxAddress.Parse("mux://127.0.0.1:0"), Target = MuxAddress.Parse($"mux://{_listener.LocalEndPoint}"), Seed = seed ?? TestSeed.Next() },
            plan);
    }

    public ChaosProxy Proxy { get; }

    public async Task<Socket> DialAsync()
    {
        var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        _sockets.Add(client);
        await client.ConnectAsync(IPAddress.Loopback, Proxy.Address.Port, TestContext.Current.CancellationToken).AsTask().Within("the connection to the proxy");
        return client;
    }

    public async Task<(Socket Client, Socket Server)> ConnectAsync()
    {
        var client = await DialAsync();
        var server = await _listener.AcceptAsync(TestContext.Current.CancellationToken).AsTask().Within("the connection of the proxy");
        _sockets.Add(server);
        return (client, server);
    }

    /// <summary>Reads until the end or a reset.</summary>
    public static async Task<(byte[] Bytes, bool IsReset)> ReadAllAsync(Socket socket)
    {
        var all = new List<byte>();
        var buffer = new byte[65_536];
        try
        {
            while (await socket.ReceiveAsync(buffer, TestContext.Current.CancellationToken).AsTask().Within("bytes or the end") is > 0 and var count) all.AddRange(buffer[..count]);
            return ([.. all], false);
        }
        catch (SocketException)
        {
            return ([.. all], true);
        }
    }

    /// <summary>Sends bytes and the end of the stream.</summary>
    public static async Task SendAllAsync(Socket socket, byte[] bytes)
    {
        for (int sent = 0; sent < bytes.Length;) sent += await socket.SendAsync(bytes.AsMemory(sent), TestContext.Current.CancellationToken).AsTask().Within("the bytes to be sent");
        socket.Shutdown(SocketShutdown.Send);
    }

    public async ValueTask DisposeAsync()
    {
        await Proxy.DisposeAsync().AsTask().Within("the end of the proxy");
        foreach (var socket in _sockets) socket.Dispose();
        _listener.Dispose();
    }
}
