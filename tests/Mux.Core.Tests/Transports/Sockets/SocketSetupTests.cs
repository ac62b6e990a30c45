using System.Net;
using System.Net.Sockets;
using Mux.TestSupport.Transports;
using Mux.Transports.Sockets;

namespace Mux.Core.Tests.Transports.Sockets;

/// <summary>What the operating system is asked to do for a connection.</summary>
[Collection(nameof(TransportTests))]
public sealed class SocketSetupTests
{
    [Fact]
    public async Task A_dialed_and_an_accepted_connection_are_probed_when_they_are_silent()
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(1);
        var dialer = new SocketDialer(MuxAddress.Parse($"mux://{listener.LocalEndPoint}"), new SocketSetup(new SocketTransportOptions()), (socket, endPoint, cancellation) => socket.ConnectAsync(endPoint, cancellation), TimeProvider.System);
        using var dialed = await dialer.ConnectAsync().Within("the connection");
        using var accepted = await listener.AcceptAsync(TestContext.Current.CancellationToken).AsTask().Within("the connection");
        SocketSetup.PrepareConnected(accepted);
        foreach (var socket in (Socket[])[dialed, accepted])
        {
            Assert.NotEqual(0, socket.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive));
            Assert.Equal(120, socket.GetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime));
            Assert.Equal(15, socket.GetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval));
            Assert.Equal(4, socket.GetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveRetryCount));
        }
    }

    [Fact]
    public async Task A_link_gives_little_more_than_its_peer_has_room_for_so_that_it_soon_sees_a_slow_peer_read()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux only.");
        const int Piece = 64 * 1024;
        const int Most = 16 * Piece; // by itself the system takes more than 3 MB, and nothing again until 1.4 MB of them are read: 70 s at 20 KB/s
        await using var peer = await RawPeer.ConnectAsync(new SocketTransport());
        await peer.Probe.Connected.WaitAsync();
        var bytes = new byte[Piece];
        int accepted = 0;
        for (int last = Piece; last == Piece; accepted += last) last = peer.Probe.Send(bytes);
        Assert.InRange(accepted, Piece, Most);

        for (int left = accepted; left > 0;) left -= await peer.Socket.ReceiveAsync(bytes.AsMemory(0, Math.Min(left, Piece)), TestContext.Current.CancellationToken).AsTask().Within("what the link sent");
        await peer.Probe.Writable.ReachAsync(1);
    }
}
