using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.InMemory;

namespace Mux.Core.Tests.Transports;

/// <summary>Each fault does what its name says.</summary>
public sealed class FaultingTransportTests : IAsyncLifetime
{
    private readonly FaultingTransport _sut = new(new InMemoryTransport());
    private readonly LinkProbe _dialer = new("dialer");
    private readonly LinkProbe _acceptor = new("acceptor");
    private readonly List<int> _deliveries = []; // new bytes in each, at the acceptor
    private int _tail;
    private LinkPair _pair = null!;

    private FaultingLink Dialed => _sut.Links.Single(link => link.IsDialed);

    private FaultingLink Accepted => _sut.Links.Single(link => !link.IsDialed);

    public async ValueTask InitializeAsync()
    {
        _acceptor.WhenReceived = bytes =>
        {
            _deliveries.Add(bytes.Length - _tail);
            int consumed = bytes.Length / 4 * 4; // frames of 4 bytes, so that tails occur
            _tail = bytes.Length - consumed;
            return consumed;
        };
        _pair = await LinkPair.ConnectAsync(_sut, MuxAddress.Parse("mux://memory:0"), _dialer, _acceptor);
    }

    public ValueTask DisposeAsync() => _pair.DisposeAsync();

    [Fact]
    public async Task Held_deliveries_wait_and_come_when_released()
    {
        Accepted.HoldReceives();
        _dialer.Send(new byte[8]);
        _dialer.ShutdownSend();
        await Accepted.Arrived.ReachAsync(8);
        Assert.Equal(0, _acceptor.Consumed.Count);
        Assert.True(_acceptor.Link.HasUndeliveredInput);
        Accepted.ReleaseReceives();
        await _acceptor.Closed.WaitAsync();
        Assert.Equal(8, _acceptor.Consumed.Count);
        Assert.Equal(LinkCloseCause.EndOfStream, _acceptor.Cause);
    }

    [Fact]
    public async Task A_link_whose_deliveries_are_held_can_be_closed()
    {
        Accepted.HoldReceives();
        _dialer.Close();
        await _dialer.Closed.WaitAsync();
        _acceptor.Close();
        await _acceptor.Closed.WaitAsync();
        Assert.True(Accepted.CloseReached.IsSet);
    }

    [Fact]
    public async Task Held_sends_are_refused_and_told_when_released()
    {
        Dialed.HoldSends();
        Assert.Equal(0, _dialer.Send(new byte[8]));
        Assert.Equal(0, _dialer.Send(new byte[8]));
        Assert.Equal(2, Dialed.Sends.Count);
        Dialed.ReleaseSends();
        await _dialer.Writable.ReachAsync(1);
        Assert.Equal(8, _dialer.Send(new byte[8]));
        await _acceptor.Consumed.ReachAsync(8);
        Assert.Equal(1, _dialer.Writable.Count);
    }

    [Fact]
    public async Task Dropped_sends_are_accepted_and_never_arrive()
    {
        Dialed.DropSends();
        Assert.Equal(8, _dialer.Send(new byte[8]));
        _dialer.ShutdownSend();
        await Dialed.ShutdownReached.WaitAsync();
        _acceptor.Send(new byte[1]);
        await _dialer.Consumed.ReachAsync(1);
        Assert.Equal(0, Accepted.Arrived.Count);
        Assert.False(_acceptor.Closed.IsSet);
    }

    [Fact]
    public async Task Dropped_receives_never_arrive_nor_does_the_end_of_the_stream()
    {
        Accepted.DropReceives();
        _dialer.Send(new byte[8]);
        _dialer.Close();
        await _dialer.Closed.WaitAsync();
        await Accepted.Arrived.ReachAsync(8);
        Assert.False(_acceptor.Closed.IsSet);
        _acceptor.Close();
        await _acceptor.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.Closed, _acceptor.Cause);
        Assert.Equal(0, _acceptor.Consumed.Count);
    }

    [Fact]
    public async Task A_failing_send_breaks_the_link_with_the_given_error()
    {
        var error = new InvalidOperationException("chosen by the test");
        Dialed.FailSends(error);
        Assert.Equal(8, _dialer.Send(new byte[8]));
        await _dialer.Closed.WaitAsync();
        await _acceptor.Closed.WaitAsync();
        Assert.Equal((LinkCloseCause.Failed, error), (_dialer.Cause, _dialer.Error));
        Assert.Equal(0, _acceptor.Consumed.Count);
    }

    [Fact]
    public async Task A_failing_receive_breaks_the_link_with_the_given_error()
    {
        var error = new InvalidOperationException("chosen by the test");
        Accepted.FailReceives(error);
        _dialer.Send(new byte[8]);
        await _acceptor.Closed.WaitAsync();
        Assert.Equal((LinkCloseCause.Failed, error), (_acceptor.Cause, _acceptor.Error));
        Assert.Equal(0, _acceptor.Consumed.Count);
    }

    [Fact]
    public async Task A_limited_send_accepts_that_much_at_a_time()
    {
        Dialed.LimitSends(3);
        var sender = new PatternSender(_dialer, 1, 100, 10);
        var receiver = new PatternReceiver(1, 100, consumeRandomly: false);
        _acceptor.WhenReceived = receiver.Receive;
        _dialer.WhenWritable = sender.Go;
        sender.Go();
        await receiver.Complete.WaitAsync();
        Assert.Null(receiver.Fault);
        Assert.True(sender.ShortSends > 10, $"{sender.ShortSends} short sends");
    }

    [Fact]
    public async Task A_link_reset_while_sending_has_sent_exactly_the_bytes_before()
    {
        Dialed.ResetAfterSending(10);
        _dialer.Send(new byte[8]);
        Assert.Equal(8, _dialer.Send(new byte[8]));
        await _dialer.Closed.WaitAsync();
        await _acceptor.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.Reset, _dialer.Cause);
        Assert.Equal(10, _deliveries.Sum());
    }

    [Fact]
    public async Task A_link_reset_while_receiving_has_delivered_exactly_the_bytes_before()
    {
        Accepted.ResetAfterReceiving(10);
        _dialer.Send(new byte[100]);
        await _acceptor.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.Reset, _acceptor.Cause);
        Assert.Equal([10], _deliveries);
    }

    [Fact]
    public async Task Deliveries_are_split_where_the_test_says()
    {
        Accepted.SplitReceivesAt(3, 4, 11);
        _dialer.Send(new byte[12]);
        await _acceptor.Consumed.ReachAsync(12);
        Assert.Equal([3, 1, 7, 1], _deliveries);

        Accepted.SplitReceives(1);
        _dialer.Send(new byte[4]);
        await _acceptor.Consumed.ReachAsync(16);
        Assert.Equal([3, 1, 7, 1, 1, 1, 1, 1], _deliveries);
    }

    [Fact]
    public async Task Faults_can_be_in_place_from_the_first_byte()
    {
        var prepared = new List<bool>();
        var transport = new FaultingTransport(new InMemoryTransport())
        {
            Prepare = link =>
            {
                prepared.Add(link.IsDialed);
                link.HoldSends();
            },
        };
        var dialer = new LinkProbe("prepared dialer");
        int accepted = -1;
        dialer.WhenConnected = () => accepted = dialer.Send("x"u8);
        await using var pair = await LinkPair.ConnectAsync(transport, MuxAddress.Parse("mux://memory:0"), dialer);
        Assert.Equal(0, accepted);
        Assert.Equal([true, false], prepared);
    }
}
