using System.Net;
using System.Net.Sockets;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Transports.BeetleX.Tests;

/// <summary>What a listener survives and what it says.</summary>
[Collection(nameof(TransportTests))]
public sealed class AcceptSupervisionTests : IDisposable
{
    private readonly LogCollector _log = new();
    private readonly BeetleXTransport _sut;

    public AcceptSupervisionTests() => _sut = new BeetleXTransport(_log.CreateLogger("transport"), TimeProvider.System);

    public void Dispose() => _log.Dispose();

    [Fact]
    public async Task A_listener_that_ran_out_of_handles_and_was_given_up_by_BeetleX_accepts_again()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Limits of handles are set as Linux does.");
        var accepted = new Counter("accepted links");
        using var listener = _sut.Listen(MuxAddress.Parse("mux://127.0.0.1:0"), link =>
        {
            accepted.Add();
            link.Close();
        });
        using var first = CreateSocket();
        await ConnectAsync(first, listener);
        await accepted.ReachAsync(1);

        // The second client has its handle before there are no more: only the listener's side of the connection lacks one, and then the listener itself.
        using var second = CreateSocket();
        using (HandleLimit.AllowNone())
        {
            await ConnectAsync(second, listener);
            await _log.ReachAsync("AcceptFailed", 2);
            Assert.Equal(1, accepted.Count);
        }

        await Eventually.Holds(() => IsAccepted(listener), () => "a connection after the limit was lifted");
        await accepted.ReachAsync(2);
        var entries = _log.Of("AcceptFailed");
        Assert.StartsWith($"Accepting at {listener.Address} failed (TooManyOpenSockets); trying again in 00:00:00.0500000.", entries[0].Text, StringComparison.Ordinal);
        Assert.EndsWith("00:00:00.1000000.", entries[1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_failing_callback_is_logged_with_its_exception()
    {
        using var listener = _sut.Listen(MuxAddress.Parse("mux://127.0.0.1:0"), _ => throw new InvalidOperationException("thrown by the test"));
        using var client = CreateSocket();
        await ConnectAsync(client, listener);
        var entries = await _log.ReachAsync("AcceptedCallbackFailed");
        Assert.Equal("thrown by the test", entries[0].Error?.Message);
        Assert.Equal(0, await client.ReceiveAsync(new byte[1]).Within("the end of the refused connection"));
    }

    [Fact]
    public void Other_addresses_than_TCP_are_not_spoken()
    {
        var unix = MuxAddress.Parse("mux+unix:///tmp/beetle.sock");
        Assert.Throws<NotSupportedException>(() => _sut.CreateLink(unix));
        Assert.Throws<NotSupportedException>(() => _sut.Listen(unix, link => link.Close()));
    }

    [Fact]
    public void An_address_of_another_machine_cannot_be_listened_at()
    {
        var error = Assert.Throws<IOException>(() => _sut.Listen(MuxAddress.Parse("mux://192.0.2.1:0"), link => link.Close()));
        Assert.Equal("Cannot listen at mux://192.0.2.1:0: no such address on this machine.", error.Message);
    }

    private static bool IsAccepted(ITransportListener listener)
    {
        using var socket = CreateSocket();
        try
        {
            socket.Connect(EndPoint(listener));
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    private static Task ConnectAsync(Socket socket, ITransportListener listener) => socket.ConnectAsync(EndPoint(listener)).Within("a connection");

    private static Socket CreateSocket() => new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    private static IPEndPoint EndPoint(ITransportListener listener) => new(IPAddress.Loopback, listener.Address.Port);
}
