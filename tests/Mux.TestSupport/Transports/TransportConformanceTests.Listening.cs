namespace Mux.TestSupport.Transports;

// Listeners.
public abstract partial class TransportConformanceTests
{
    [Fact]
    public async Task Port_0_takes_a_free_port_and_the_listener_names_it()
    {
        var transport = CreateTransport();
        var address = FreeAddress();
        Assert.SkipWhen(address.Scheme is MuxAddress.UnixScheme or MuxAddress.PipeScheme, "There are no ports here.");
        await using var first = await LinkPair.ConnectAsync(transport, address);
        await using var second = await LinkPair.ConnectAsync(transport, address);
        Assert.NotEqual(0, first.Listener.Address.Port);
        Assert.NotEqual(first.Listener.Address, second.Listener.Address);
        Assert.Equal(address.WithPort(first.Listener.Address.Port), first.Listener.Address);
    }

    [Fact]
    public void An_address_can_be_listened_at_once_only_and_the_error_says_so()
    {
        var transport = CreateTransport();
        using var first = transport.Listen(FreeAddress(), link => link.Close());
        var error = Assert.Throws<IOException>(() => transport.Listen(first.Address, link => link.Close()));
        Assert.Equal($"Cannot listen at {first.Address}: the address is in use.", error.Message);
    }

    [Fact]
    public async Task A_disposed_listener_frees_its_address_and_leaves_its_links_alone()
    {
        var transport = CreateTransport();
        await using var old = await LinkPair.ConnectAsync(transport, FreeAddress());
        old.Listener.Dispose();
        old.Listener.Dispose();
        await using var renewed = await LinkPair.ConnectAsync(transport, old.Listener.Address);
        old.Dialer.Send("still here"u8);
        await old.Acceptor.Consumed.ReachAsync(10);
        renewed.Dialer.Send("me too"u8);
        await renewed.Acceptor.Consumed.ReachAsync(6);
    }

    [Fact]
    public async Task A_callback_that_throws_closes_its_link_and_nothing_else()
    {
        var transport = CreateTransport();
        var served = new LinkProbe("the third link");
        int accepted = 0;
        using var listener = transport.Listen(FreeAddress(), link =>
        {
            if (Interlocked.Increment(ref accepted) < 3) throw new InvalidOperationException("thrown by the test");
            served.Start(link);
        });

        for (int i = 0; i < 2; i++)
        {
            var refused = new LinkProbe($"dialer {i}");
            refused.Start(transport.CreateLink(listener.Address));
            await refused.Closed.WaitAsync();
            refused.AssertSound();
        }

        var third = new LinkProbe("third dialer");
        third.Start(transport.CreateLink(listener.Address));
        await served.Connected.WaitAsync();
        third.Close();
        await served.Closed.WaitAsync();
        served.AssertSound();
    }

    [Fact]
    public async Task A_burst_of_dials_is_accepted_to_the_last()
    {
        const int Links = 200;
        var transport = CreateTransport();
        var greeted = new Counter("greetings that arrived");
        using var listener = transport.Listen(FreeAddress(), link =>
        {
            var acceptor = new LinkProbe("acceptor");
            acceptor.WhenConnected = () => acceptor.Send("hello"u8);
            acceptor.Start(link);
        });

        var dialers = new LinkProbe[Links];
        Parallel.For(0, Links, i =>
        {
            dialers[i] = new LinkProbe($"dialer {i}") { WhenReceived = bytes => Take(bytes) };
            dialers[i].Start(transport.CreateLink(listener.Address));
        });
        await greeted.ReachAsync(Links);
        foreach (var dialer in dialers)
        {
            dialer.Close();
            await dialer.Closed.WaitAsync();
            dialer.AssertSound();
        }

        int Take(ReadOnlySpan<byte> bytes)
        {
            if (bytes.Length < 5) return 0;
            greeted.Add();
            return bytes.Length;
        }
    }
}
