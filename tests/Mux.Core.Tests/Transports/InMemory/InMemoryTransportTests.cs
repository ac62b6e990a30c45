using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.InMemory;

namespace Mux.Core.Tests.Transports.InMemory;

/// <summary>What this transport can do beyond being one: the pump, the seed, and the faults.</summary>
public sealed class InMemoryTransportTests
{
    private static readonly MuxAddress s_address = MuxAddress.Parse("mux://server:7070");

    private readonly LinkProbe _dialer = new("dialer");
    private readonly LinkProbe _acceptor = new("acceptor");

    [Fact]
    public void Nothing_happens_before_the_test_pumps_and_all_of_it_on_the_test_s_thread()
    {
        var sut = Connect(new InMemoryTransportOptions { ManualPump = true }, pump: false);
        Assert.False(_dialer.Connected.IsSet);
        int thread = 0;
        _acceptor.WhenBatchEnds = () => thread = Environment.CurrentManagedThreadId;
        Assert.Equal(3, sut.Pump()); // the dialer opens, the listener accepts, the acceptor opens
        Assert.True(_dialer.Connected.IsSet && _acceptor.Connected.IsSet);

        _dialer.Send("abc"u8);
        Assert.Equal(0, _acceptor.Consumed.Count);
        Assert.True(sut.PumpOne());
        Assert.False(sut.PumpOne());
        Assert.Equal(3, _acceptor.Consumed.Count);
        Assert.Equal(Environment.CurrentManagedThreadId, thread);
    }

    [Fact]
    public void A_transport_is_pumped_by_one_only()
    {
        var sut = Connect(new InMemoryTransportOptions { ManualPump = true });
        InvalidOperationException? inside = null;
        _acceptor.WhenBatchEnds = () => inside = Assert.Throws<InvalidOperationException>(() => sut.Pump());
        _dialer.Send("x"u8);
        sut.Pump();
        Assert.NotNull(inside);
        Assert.Throws<InvalidOperationException>(() => new InMemoryTransport().PumpOne());
    }

    [Fact]
    public void The_same_seed_gives_the_same_deliveries()
    {
        int seed = TestSeed.Next();
        var first = Deliveries(seed);
        Assert.Equal(first, Deliveries(seed));
        Assert.NotEqual(first, Deliveries(seed + 1));
        Assert.Equal(10_000, first.Sum(Math.Abs));

        // Sizes, and a negative one where a batch ended.
        static List<int> Deliveries(int seed)
        {
            var test = new InMemoryTransportTests();
            var sizes = new List<int>();
            test._acceptor.WhenReceived = bytes =>
            {
                sizes.Add(bytes.Length);
                return bytes.Length;
            };
            test._acceptor.WhenBatchEnds = () => sizes[^1] = -sizes[^1];
            var sut = test.Connect(new InMemoryTransportOptions { ManualPump = true, MaxDeliveryBytes = 500, Seed = seed });
            test._dialer.Send(new byte[10_000]);
            sut.Pump();
            return sizes;
        }
    }

    [Fact]
    public void A_delivery_is_never_larger_than_the_option_says()
    {
        var sut = Connect(new InMemoryTransportOptions { ManualPump = true, MaxDeliveryBytes = 1 });
        _dialer.Send("abc"u8);
        Assert.Equal(3, sut.Pump());
        Assert.Equal(3, _acceptor.Batches.Count);
        Assert.Equal(3, _acceptor.Consumed.Count);
    }

    [Fact]
    public void A_direction_takes_as_many_bytes_as_its_capacity_and_the_sender_is_told_when_some_were_read()
    {
        var sut = Connect(new InMemoryTransportOptions { ManualPump = true, CapacityBytes = 10, MaxDeliveryBytes = 4 });
        Assert.Equal(10, _dialer.Send(new byte[12]));
        Assert.Equal(0, _dialer.Send(new byte[2]));
        Assert.Equal(10, _acceptor.Send(new byte[12]));
        sut.PumpOne(); // 4 bytes each way
        sut.PumpOne();
        Assert.Equal(0, _dialer.Writable.Count);
        sut.PumpOne(); // what the first delivery caused
        Assert.Equal(1, _dialer.Writable.Count);
        Assert.Equal(4, _dialer.Send(new byte[12]));
        sut.Pump();
        Assert.Equal(2, _dialer.Writable.Count);
        Assert.Equal(14, _acceptor.Consumed.Count);
    }

    [Fact]
    public void A_reset_ends_both_links_and_loses_what_was_under_way()
    {
        var sut = Connect(new InMemoryTransportOptions { ManualPump = true });
        _dialer.Send("lost"u8);
        sut.Connections[0].Reset();
        sut.Pump();
        Assert.Equal(LinkCloseCause.Reset, _dialer.Cause);
        Assert.Equal(LinkCloseCause.Reset, _acceptor.Cause);
        Assert.IsType<IOException>(_acceptor.Error);
        Assert.Equal(0, _acceptor.Consumed.Count);
        AssertSound();
    }

    [Fact]
    public void A_held_direction_delivers_nothing_until_released_and_the_other_one_goes_on()
    {
        var sut = Connect(new InMemoryTransportOptions { ManualPump = true });
        var connection = sut.Connections[0];
        connection.Hold(InMemoryDirection.ToListener);
        _dialer.Send("held"u8);
        _acceptor.Send("delivered"u8);
        _dialer.ShutdownSend();
        sut.Pump();
        Assert.Equal(9, _dialer.Consumed.Count);
        Assert.Equal(0, _acceptor.Consumed.Count);
        Assert.True(_acceptor.Link.HasUndeliveredInput);

        connection.Release(InMemoryDirection.ToListener);
        sut.Pump();
        Assert.Equal(4, _acceptor.Consumed.Count);
        Assert.Equal(LinkCloseCause.EndOfStream, _acceptor.Cause);
        AssertSound();
    }

    [Fact]
    public void Connections_are_listed_until_both_ends_are_over()
    {
        var sut = Connect(new InMemoryTransportOptions { ManualPump = true });
        Assert.Equal(s_address, Assert.Single(sut.Connections).Address);
        _dialer.Close();
        Assert.Single(sut.Connections);
        sut.Pump();
        Assert.Empty(sut.Connections);
        AssertSound();
    }

    [Fact]
    public void An_accepted_link_is_known_by_a_number_and_a_dialed_one_leads_to_no_address()
    {
        Connect(new InMemoryTransportOptions { ManualPump = true });
        Assert.Empty(_dialer.Link.RemoteAddress);
        Assert.Equal("memory:1", _acceptor.Link.RemoteAddress);
    }

    [Fact]
    public void Only_exactly_the_same_address_of_the_same_transport_is_reached()
    {
        var sut = new InMemoryTransport(new InMemoryTransportOptions { ManualPump = true });
        using var listener = sut.Listen(MuxAddress.Parse("mux+unix:///run/a.sock"), link => link.Close());
        _dialer.Start(sut.CreateLink(MuxAddress.Parse("mux+unix:///run/b.sock")));
        sut.Pump();
        Assert.Equal(LinkCloseCause.ConnectFailed, _dialer.Cause);
        Assert.Equal("Nothing listens at mux+unix:///run/b.sock on this InMemoryTransport; was the server started?", _dialer.Error?.Message);
    }

    [Fact]
    public void A_handler_that_consumes_what_it_was_not_given_loses_its_link()
    {
        _acceptor.WhenReceived = bytes => bytes.Length + 1;
        var sut = Connect(new InMemoryTransportOptions { ManualPump = true });
        _dialer.Send("x"u8);
        sut.Pump();
        Assert.Equal(LinkCloseCause.Failed, _acceptor.Cause);
        Assert.Equal(LinkCloseCause.EndOfStream, _dialer.Cause);
    }

    [Theory]
    [InlineData(0, 1, "InMemoryTransportOptions.CapacityBytes is 0: expected 1 to 16777216.")]
    [InlineData(16_777_217, 1, "InMemoryTransportOptions.CapacityBytes is 16777217: expected 1 to 16777216.")]
    [InlineData(1, 0, "InMemoryTransportOptions.MaxDeliveryBytes is 0: expected 1 or more.")]
    public void An_option_out_of_range_is_refused_by_name(int capacity, int maxDelivery, string message)
    {
        var options = new InMemoryTransportOptions { CapacityBytes = capacity, MaxDeliveryBytes = maxDelivery };
        Assert.Equal(message, Assert.Throws<ArgumentException>(() => new InMemoryTransport(options)).Message);
    }

    private InMemoryTransport Connect(InMemoryTransportOptions options, bool pump = true)
    {
        var sut = new InMemoryTransport(options);
        sut.Listen(s_address, _acceptor.Start);
        _dialer.Start(sut.CreateLink(s_address));
        if (pump) sut.Pump();
        return sut;
    }

    private void AssertSound()
    {
        _dialer.AssertSound();
        _acceptor.AssertSound();
    }
}
