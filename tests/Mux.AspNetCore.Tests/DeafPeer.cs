using System.Net.Sockets;
using System.Net.WebSockets;
using Mux.TestSupport.Transports;
using Mux.Transports.Streams;
using Mux.Transports.WebSockets;

namespace Mux.AspNetCore.Tests;

/// <summary>A client that calls and stops reading, with replies on their way that fill every buffer between.</summary>
internal static class DeafPeer
{
    private const int Calls = 1_000;
    private const int ReplyBytes = 15_000; // below what is sent with credit only

    /// <summary>A server that soon sees that a peer takes nothing, and answers until then: what it refuses would fit into the buffers.</summary>
    public static void Configure(MuxServerOptions options) => (options.StallTimeout, options.MaxUnsentBytes) = (TimeSpan.FromMilliseconds(200), 2 * Calls * ReplyBytes);

    /// <summary>Lets the server run into it, and waits until Kestrel has let go of the connection.</summary>
    public static async Task RunAsync(Application application, Func<MuxAddress, Task<Stream>, CancellationToken, Task<Stream>> speak, string address)
    {
        var deaf = new Signal("the client stops reading");
        var client = application.CreateClient(options =>
        {
            options.Address = address;
            (options.KeepAliveTime, options.StallTimeout) = (Timeout.InfiniteTimeSpan, TimeSpan.FromHours(1)); // else it leaves by itself
            options.MaxConnections = 1; // beside a load the calls open a second one, which the server would close as well
            options.Transport = StreamTransport.Connecting(async (address, token) => StreamConnection.Over(await speak(address, ConnectAsync(address, deaf, token), token)));
        });
        Assert.Equal(1, (await client.Ask(new() { Id = 1 })).Id);
        deaf.Set();
        for (int id = 1; id <= Calls; id++) _ = client.Ask(new() { Id = id, Bytes = new byte[ReplyBytes] }).AsTask(); // they end with the channel: who does not read does not hear of the loss
        Assert.Contains("SlowPeer", Assert.Single(await application.Logs.ReachAsync("ServerConnectionClosed")).Text, StringComparison.Ordinal);
        var closed = new Signal("Kestrel lets go of the connection");
        Assert.Single(application.Connections).ConnectionClosed.Register(closed.Set);
        await closed.WaitAsync();
    }

    /// <summary>The bytes themselves.</summary>
    public static Task<Stream> Plain(MuxAddress address, Task<Stream> socket, CancellationToken token) => socket;

    public static async Task<Stream> WebSocket(MuxAddress address, Task<Stream> socket, CancellationToken token)
    {
        var client = new ClientWebSocket();
        client.Options.AddSubProtocol(WebSocketByteStream.SubProtocol);
        using var invoker = new HttpMessageInvoker(new SocketsHttpHandler { ConnectCallback = async (_, _) => await socket });
        await client.ConnectAsync(new Uri(address.ToString()["mux+".Length..]), invoker, token);
        return new WebSocketByteStream(client);
    }

    private static async Task<Stream> ConnectAsync(MuxAddress address, Signal deaf, CancellationToken token)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true, ReceiveBufferSize = 4096 };
        await socket.ConnectAsync(address.Host, address.Port, token);
        return new DeafStream(socket, deaf);
    }

    private sealed class DeafStream(Socket socket, Signal deaf) : NetworkStream(socket, ownsSocket: true)
    {
        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            int count = await base.ReadAsync(buffer, cancellationToken);
            if (deaf.IsSet) await new TaskCompletionSource().Task.WaitAsync(cancellationToken);
            return count;
        }
    }
}
