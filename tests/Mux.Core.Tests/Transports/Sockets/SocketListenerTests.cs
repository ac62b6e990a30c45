using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging;
using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.Core.Tests.Transports.Sockets;

/// <summary>What a listener survives and what it says, whichever engine accepts.</summary>
public abstract class SocketListenerTests
{
    private readonly LogCollector _log = new();
    private readonly ITransport _sut;

    protected SocketListenerTests(Func<ILogger, ITransport> make) => _sut = make(_log);

    [Fact]
    public async Task A_listener_survives_running_out_of_handles()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Limits of handles are set as Linux does.");
        var accepted = new Counter("accepted links");
        using var listener = _sut.Listen(MuxAddress.Parse("mux://127.0.0.1:0"), link =>
        {
            accepted.Add();
            link.Close();
        });
        using var first = CreateSocket();
        await ConnectAsync(first, listener.Address);
        await accepted.ReachAsync(1);

        // The second client has its handle before there are no more: only the listener's side of the connection lacks one.
        using var second = CreateSocket();
        using (HandleLimit.AllowNone())
        {
            await ConnectAsync(second, listener.Address);
            await _log.Written.ReachAsync(2);
            Assert.Equal(1, accepted.Count);
        }

        await accepted.ReachAsync(2);
        Assert.All(_log.Entries, entry => Assert.Equal(3001, entry.Id));
        Assert.Equal($"Accepting at {listener.Address} failed (TooManyOpenSockets); trying again in 00:00:00.0500000.", _log.Entries[0].Text);
        Assert.EndsWith("00:00:00.1000000.", _log.Entries[1].Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_failing_callback_is_logged_with_its_exception()
    {
        using var listener = _sut.Listen(MuxAddress.Parse("mux://127.0.0.1:0"), _ => throw new InvalidOperationException("thrown by the test"));
        using var client = CreateSocket();
        await ConnectAsync(client, listener.Address);
        await _log.Written.ReachAsync(1);
        Assert.Equal(3002, _log.Entries[0].Id);
        Assert.Equal("thrown by the test", _log.Entries[0].Exception?.Message);
        Assert.Equal(0, await client.ReceiveAsync(new byte[1]).Within("the end of the refused connection"));
    }

    [Fact]
    public void An_address_of_another_machine_cannot_be_listened_at()
    {
        var error = Assert.Throws<IOException>(() => _sut.Listen(MuxAddress.Parse("mux://192.0.2.1:0"), link => link.Close()));
        Assert.Equal("Cannot listen at mux://192.0.2.1:0: no such address on this machine.", error.Message);
    }

    protected static Socket CreateSocket() => new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    protected static Task ConnectAsync(Socket socket, MuxAddress address) =>
        socket.ConnectAsync(new IPEndPoint(IPAddress.Loopback, address.Port)).Within("a connection");
}
