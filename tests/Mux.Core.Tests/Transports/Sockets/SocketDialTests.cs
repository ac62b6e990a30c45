using System.Net;
using System.Net.Sockets;
using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.Core.Tests.Transports.Sockets;

/// <summary>Which addresses are tried, and what is said when none answers, whichever engine connects.</summary>
public abstract class SocketDialTests(ITransport sut)
{
    [Theory]
    [InlineData("127.0.0.1", "127.0.0.1")]
    [InlineData("[::1]", "[::1]")]
    public async Task Localhost_reaches_a_server_at_either_loopback_address(string listenHost, string peer)
    {
        using var other = HoldPort(peer == "[::1]" ? IPAddress.Loopback : IPAddress.IPv6Loopback);
        int port = ((IPEndPoint)other.LocalEndPoint!).Port;
        using var listener = sut.Listen(MuxAddress.Parse($"mux://{listenHost}:{port}"), link => link.Start(new EchoHandler(link)));
        var probe = Dial(MuxAddress.Parse($"mux://localhost:{port}"));
        await probe.Connected.WaitAsync();
        Assert.Equal($"{peer}:{port}", probe.Link.RemoteAddress);
        await CloseAsync(probe);
    }

    // A program that listens at the same port of the other address would be reached: a socket that is bound there and does not listen refuses, and keeps it away.
    private static Socket HoldPort(IPAddress address)
    {
        while (true)
        {
            var held = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
            held.Bind(new IPEndPoint(address, 0));
            if (IsFree(address.AddressFamily == AddressFamily.InterNetwork ? IPAddress.IPv6Loopback : IPAddress.Loopback, ((IPEndPoint)held.LocalEndPoint!).Port)) return held;
            held.Dispose();
        }
    }

    private static bool IsFree(IPAddress address, int port)
    {
        using var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        try
        {
            socket.Bind(new IPEndPoint(address, port));
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    [Theory]
    [InlineData("127.0.0.1", "127.0.0.1:")]
    [InlineData("[::1]", "[::1]:")]
    public async Task A_listener_at_all_addresses_is_reached_by_both_families_and_names_peers_plainly(string dialHost, string peer)
    {
        var acceptor = new LinkProbe("acceptor");
        using var listener = sut.Listen(MuxAddress.Parse("mux://[::]:0"), acceptor.Start);
        var probe = Dial(MuxAddress.Parse($"mux://{dialHost}:{listener.Address.Port}"));
        await acceptor.Connected.WaitAsync();
        Assert.StartsWith(peer, acceptor.Link.RemoteAddress, StringComparison.Ordinal);
        await CloseAsync(probe);
        await acceptor.Closed.WaitAsync();
    }

    [Fact]
    public async Task A_listener_at_localhost_is_reached_at_localhost()
    {
        using var listener = sut.Listen(MuxAddress.Parse("mux://localhost:0"), link => link.Start(new EchoHandler(link)));
        Assert.Equal("localhost", listener.Address.Host);
        var probe = Dial(listener.Address);
        await probe.Connected.WaitAsync();
        await CloseAsync(probe);
    }

    [Fact]
    public async Task A_refused_connection_is_named_with_address_and_reason()
    {
        int port = UnusedPort();
        Assert.Equal($"Cannot connect to mux://127.0.0.1:{port}: connection refused.", await FailureOfAsync($"mux://127.0.0.1:{port}"));
    }

    [Fact]
    public async Task A_refused_connection_is_told_by_an_error_that_no_layer_has_thrown()
    {
        var probe = Dial(MuxAddress.Parse($"mux://127.0.0.1:{UnusedPort()}"));
        await probe.Closed.WaitAsync();
        Assert.Null(probe.Error!.StackTrace);
        Assert.Equal(SocketError.ConnectionRefused, Assert.IsType<SocketException>(probe.Error.InnerException).SocketErrorCode);
        Assert.Null(probe.Error.InnerException.StackTrace);
    }

    [Fact]
    public async Task Each_address_of_a_host_is_named_with_its_reason()
    {
        int port = UnusedPort();
        Assert.Equal(
            $"Cannot connect to mux://localhost:{port}: 127.0.0.1:{port} connection refused; [::1]:{port} connection refused.",
            await FailureOfAsync($"mux://localhost:{port}"));
    }

    [Fact]
    public async Task Port_0_cannot_be_dialed()
    {
        Assert.Equal("Cannot connect to mux://127.0.0.1:0: port 0 is for listeners.", await FailureOfAsync("mux://127.0.0.1:0"));
    }

    [Fact]
    public async Task A_missing_socket_file_is_named()
    {
        Assert.Equal("Cannot connect to mux+unix:///nowhere/at.all: no such socket file.", await FailureOfAsync("mux+unix:///nowhere/at.all"));
    }

    [Fact]
    public async Task A_closed_link_does_not_wait_for_an_address_that_does_not_answer()
    {
        // A listener with a full backlog leaves further connects without an answer.
        using var silent = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        silent.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        silent.Listen(0);
        var address = MuxAddress.Parse($"mux://{silent.LocalEndPoint}");
        var probes = new List<LinkProbe>();
        for (int i = 0; i < 5; i++) probes.Add(Dial(address));
        foreach (var probe in probes)
        {
            await CloseAsync(probe);
            Assert.Equal(LinkCloseCause.Closed, probe.Cause);
        }

        Assert.Contains(probes, probe => !probe.Connected.IsSet);
    }

    private static int UnusedPort()
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }

    private static async Task CloseAsync(LinkProbe probe)
    {
        probe.Close();
        await probe.Closed.WaitAsync();
        probe.AssertSound();
    }

    private LinkProbe Dial(MuxAddress address)
    {
        var probe = new LinkProbe("dialer");
        probe.Start(sut.CreateLink(address));
        return probe;
    }

    private async Task<string?> FailureOfAsync(string address)
    {
        var probe = Dial(MuxAddress.Parse(address));
        await probe.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.ConnectFailed, probe.Cause);
        probe.AssertSound();
        return Assert.IsType<IOException>(probe.Error).Message;
    }
}
