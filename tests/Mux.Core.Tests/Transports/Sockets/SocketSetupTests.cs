using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Runtime;
using Mux.TestSupport.Transports;
using Mux.Transports.Epoll;
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
        var dialer = new SocketDialer(MuxAddress.Parse($"mux://{listener.LocalEndPoint}"), new SocketSetup(new SocketTransportOptions()), SocketTransport.ConnectAsync, TimeProvider.System);
        using var dialed = (await dialer.ConnectAsync().Within("the connection")).Socket!;
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

    [Theory]
    [InlineData(15_000, 30_000, 30_000)]
    [InlineData(40_000, 30_000, 40_000)]
    public async Task The_kernel_ends_a_connection_whose_bytes_are_not_acknowledged_after_the_longer_of_both_timeouts(int keepAlive, int stall, int expected)
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux only.");
        var options = new MuxChannelOptions { KeepAliveTimeout = TimeSpan.FromMilliseconds(keepAlive), StallTimeout = TimeSpan.FromMilliseconds(stall) };
        var transport = Assert.IsType<EpollTransport>(EngineSettings.TransportOf(options, MuxAddress.TcpScheme, NullLoggerFactory.Instance));
        using var socket = transport.Setup.Create(new IPEndPoint(IPAddress.Loopback, 0));
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        socket.Listen(1);
        using var dialed = transport.Setup.Create(socket.LocalEndPoint!);
        await dialed.ConnectAsync(socket.LocalEndPoint!, TestContext.Current.CancellationToken).AsTask().Within("the connection");
        using var accepted = await socket.AcceptAsync(TestContext.Current.CancellationToken).AsTask().Within("the connection");
        SocketSetup.PrepareConnected(accepted);

        Assert.Equal((expected, expected), (UserTimeoutOf(dialed), UserTimeoutOf(accepted)));
    }

    [Fact]
    public void A_transport_of_its_own_options_and_a_Unix_domain_socket_keep_what_the_system_chooses()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Linux only.");
        using var plain = new SocketSetup(new SocketTransportOptions()).Create(new IPEndPoint(IPAddress.Loopback, 0));
        Assert.Equal(0, UserTimeoutOf(plain));
        using var unix = new SocketSetup(new SocketTransportOptions { UnacknowledgedTime = TimeSpan.FromSeconds(15) }).Create(new UnixDomainSocketEndPoint("/tmp/none"));
        Assert.Equal(AddressFamily.Unix, unix.AddressFamily); // the option would have thrown
    }

    private static int UserTimeoutOf(Socket socket)
    {
        const int TcpLevel = 6, UserTimeout = 18; // linux/tcp.h
        var value = new byte[sizeof(int)];
        socket.GetRawSocketOption(TcpLevel, UserTimeout, value);
        return BitConverter.ToInt32(value);
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
