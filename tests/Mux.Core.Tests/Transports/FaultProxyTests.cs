using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.Sockets;

namespace Mux.Core.Tests.Transports;

/// <summary>Each fault of the proxy does what its name says, seen through real links.</summary>
public sealed class FaultProxyTests : IAsyncLifetime
{
    private readonly SocketTransport _transport = new();
    private readonly LinkProbe _client = new("client");
    private readonly LinkProbe _server = new("server");
    private readonly List<int> _deliveries = []; // at the server
    private ITransportListener _listener = null!;
    private FaultProxy _sut = null!;

    public async ValueTask InitializeAsync()
    {
        _server.WhenReceived = bytes =>
        {
            _deliveries.Add(bytes.Length);
            return bytes.Length;
        };
        _listener = _transport.Listen(MuxAddress.Parse("mux://127.0.0.1:0"), _server.Start);
        _sut = FaultProxy.Start(_listener.Address);
        _client.Start(_transport.CreateLink(_sut.Address));
        await _client.Connected.WaitAsync();
        await _server.Connected.WaitAsync();
    }

    public async ValueTask DisposeAsync()
    {
        _client.Close();
        _server.Close();
        await _client.Closed.WaitAsync();
        await _server.Closed.WaitAsync();
        _client.AssertSound();
        _server.AssertSound();
        await _sut.DisposeAsync();
        _listener.Dispose();
    }

    [Fact]
    public async Task Without_faults_everything_gets_through_both_ways_and_ends_in_order()
    {
        var sender = new PatternSender(_client, 1, 3_000_000, 100_000) { ShutsDown = true };
        var receiver = new PatternReceiver(1, 3_000_000, consumeRandomly: true);
        _server.WhenReceived = receiver.Receive;
        _client.WhenWritable = sender.Go;
        sender.Go();
        await _server.Closed.WaitAsync();
        Assert.Null(receiver.Fault);
        Assert.Equal(3_000_000, receiver.Position);
        Assert.Equal(LinkCloseCause.EndOfStream, _server.Cause);
        Assert.Equal(3_000_000, _sut.ToServer.Forwarded.Count);
    }

    [Fact]
    public async Task Slices_are_never_larger_than_asked_for()
    {
        _sut.ToServer.LargestSlice = 1;
        foreach (int sent in Enumerable.Range(1, 10))
        {
            _client.Send("x"u8);
            await _server.Consumed.ReachAsync(sent);
        }

        Assert.All(_deliveries, delivery => Assert.Equal(1, delivery));
    }

    [Fact]
    public async Task A_stalled_direction_forwards_nothing_until_resumed_and_the_other_goes_on()
    {
        _sut.ToServer.Stall();
        _client.Send("stalled"u8);
        _server.Send("moves"u8);
        await _client.Consumed.ReachAsync(5);
        Assert.Equal(0, _server.Consumed.Count);
        _sut.ToServer.Resume();
        await _server.Consumed.ReachAsync(7);
    }

    [Fact]
    public async Task A_connection_is_reset_at_both_ends_behind_the_given_byte()
    {
        _sut.ToServer.ResetAtByte = 10;
        _client.Send(new byte[25]);
        await _client.Closed.WaitAsync();
        await _server.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.Reset, _client.Cause);
        Assert.Equal(LinkCloseCause.Reset, _server.Cause);
        Assert.Equal(10, _sut.ToServer.Forwarded.Count);
    }

    [Fact]
    public async Task ResetAll_resets_both_ends()
    {
        await _sut.Accepted.ReachAsync(1);
        _sut.ResetAll();
        await _client.Closed.WaitAsync();
        await _server.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.Reset, _client.Cause);
        Assert.Equal(LinkCloseCause.Reset, _server.Cause);
    }

    [Fact]
    public async Task A_silent_proxy_passes_on_neither_bytes_nor_ends()
    {
        _client.Send("before"u8);
        await _server.Consumed.ReachAsync(6);
        _sut.FallSilent();
        _client.Send("after"u8);
        _client.Close();
        await _client.Closed.WaitAsync();
        await _sut.ToServer.Ends.ReachAsync(1);

        // The server's side works, as far as the server can tell.
        Assert.Equal(5, _server.Send("hello"u8));
        Assert.Equal(6, _server.Consumed.Count);
        Assert.False(_server.Closed.IsSet);
    }
}
