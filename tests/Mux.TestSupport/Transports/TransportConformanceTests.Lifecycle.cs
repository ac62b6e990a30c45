using Mux.Transports;

namespace Mux.TestSupport.Transports;

// From CreateLink and Listen to OnClosed.
public abstract partial class TransportConformanceTests
{
    private static readonly AsyncLocal<string?> s_canary = new();

    public static TheoryData<string> Callbacks =>
    [
        nameof(ILinkHandler.OnConnected),
        nameof(ILinkHandler.OnReceived),
        nameof(ILinkHandler.OnBatchEnd),
        nameof(ILinkHandler.OnWritable),
        nameof(ILinkHandler.OnClosed),
    ];

    [Fact]
    public async Task Both_ends_learn_that_they_are_connected_and_who_the_peer_is()
    {
        await using var pair = await LinkPair.ConnectAsync(CreateTransport(), FreeAddress());
        Assert.NotNull(pair.Dialer.Link.RemoteAddress);
        Assert.NotNull(pair.Acceptor.Link.RemoteAddress);
    }

    [Fact]
    public async Task Dialing_where_nobody_listens_fails_with_an_error_that_names_the_address()
    {
        var transport = CreateTransport();
        var address = DeadAddress(transport);
        var probe = new LinkProbe("dialer");
        probe.Start(transport.CreateLink(address));
        await probe.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.ConnectFailed, probe.Cause);
        Assert.Contains(address.ToString(), Assert.IsType<IOException>(probe.Error).Message, StringComparison.Ordinal);
        probe.AssertSound();
    }

    [Fact]
    public async Task A_link_closed_while_it_connects_is_reported_once()
    {
        var transport = CreateTransport();
        using var listener = transport.Listen(FreeAddress(), link => link.Start(new LinkProbe("acceptor")));
        for (int i = 0; i < 100; i++)
        {
            var probe = new LinkProbe($"dialer {i}");
            probe.Start(transport.CreateLink(i % 2 == 0 ? listener.Address : DeadAddress(transport)));
            if (i % 4 < 2) probe.Close();
            else ThreadPool.UnsafeQueueUserWorkItem(static p => p.Close(), probe, preferLocal: false);
            await probe.Closed.WaitAsync();
            Assert.True(probe.Cause is LinkCloseCause.Closed or LinkCloseCause.ConnectFailed, $"{probe.Cause}");
            probe.AssertSound();
        }
    }

    [Fact]
    public async Task A_link_closed_before_it_was_started_ends_when_started()
    {
        var transport = CreateTransport();
        await using var pair = await LinkPair.ConnectAsync(transport, FreeAddress());
        var link = transport.CreateLink(pair.Listener.Address);
        link.Close();
        link.Close();
        var probe = new LinkProbe("dialer closed before");
        probe.Start(link);
        await probe.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.Closed, probe.Cause);
        Assert.False(probe.Connected.IsSet);
        probe.AssertSound();
    }

    [Fact]
    public async Task An_accepted_link_that_is_closed_instead_of_started_ends_the_dialed_one()
    {
        var transport = CreateTransport();
        using var listener = transport.Listen(FreeAddress(), link => link.Close());
        var probe = new LinkProbe("dialer");
        probe.Start(transport.CreateLink(listener.Address));
        await probe.Closed.WaitAsync();
        Assert.True(probe.Cause is LinkCloseCause.EndOfStream or LinkCloseCause.Reset, $"{probe.Cause}");
        probe.AssertSound();
    }

    [Theory]
    [MemberData(nameof(Callbacks))]
    public async Task A_link_may_be_closed_inside_any_of_its_callbacks(string callback)
    {
        foreach (bool dialerCloses in new[] { true, false })
        {
            var closer = new LinkProbe("closer");
            var other = new LinkProbe("other");
            PrepareToClose(closer, callback);
            if (callback is nameof(ILinkHandler.OnReceived) or nameof(ILinkHandler.OnBatchEnd)) other.WhenConnected = () => other.Send("x"u8);
            var transport = CreateTransport();
            var (dialer, acceptor) = dialerCloses ? (closer, other) : (other, closer);
            using var listener = transport.Listen(FreeAddress(), acceptor.Start);
            dialer.Start(transport.CreateLink(listener.Address));
            if (callback is nameof(ILinkHandler.OnClosed))
            {
                await other.Connected.WaitAsync();
                other.Close();
            }

            await closer.Closed.WaitAsync();
            await other.Closed.WaitAsync();
            if (callback is not nameof(ILinkHandler.OnClosed)) Assert.Equal(LinkCloseCause.Closed, closer.Cause);
            closer.AssertSound();
            other.AssertSound();
        }
    }

    [Fact]
    public async Task Nothing_is_delivered_after_a_close_inside_a_callback()
    {
        var acceptor = new LinkProbe("acceptor");
        int deliveries = 0;
        acceptor.WhenReceived = bytes =>
        {
            deliveries++;
            acceptor.Close();
            return 0;
        };
        var dialer = new LinkProbe("dialer");
        var sender = new PatternSender(dialer, 1, 1_000_000, 10_000);
        dialer.WhenConnected = dialer.WhenWritable = sender.Go;
        await using var pair = await LinkPair.ConnectAsync(CreateTransport(), FreeAddress(), dialer, acceptor);
        await acceptor.Closed.WaitAsync();
        Assert.Equal(1, deliveries);
    }

    [Fact]
    public async Task Many_threads_closing_busy_links_at_once_end_each_link_once()
    {
        var transport = CreateTransport();
        for (int i = 0; i < 50; i++)
        {
            var dialer = new LinkProbe("dialer");
            var acceptor = new LinkProbe("acceptor");
            foreach (var probe in new[] { dialer, acceptor })
            {
                var sender = new PatternSender(probe, i, 5_000_000, 30_000);
                probe.WhenConnected = probe.WhenWritable = sender.Go;
            }

            await using var pair = await LinkPair.ConnectAsync(transport, FreeAddress(), dialer, acceptor);
            Parallel.For(0, 8, n => (n % 2 == 0 ? dialer : acceptor).Close());
            await dialer.Closed.WaitAsync();
            await acceptor.Closed.WaitAsync();
        }
    }

    [Fact]
    public async Task The_ExecutionContext_of_whoever_starts_or_listens_does_not_follow_the_link()
    {
        s_canary.Value = "the test's";
        var seen = new List<string?>();
        var dialer = new LinkProbe("dialer");
        var acceptor = new LinkProbe("acceptor");
        foreach (var probe in new[] { dialer, acceptor })
        {
            probe.WhenConnected = () =>
            {
                Note();
                probe.Send("x"u8);
            };
            probe.WhenBatchEnds = probe.WhenClosed = Note;
        }

        await using (var pair = await LinkPair.ConnectAsync(CreateTransport(), FreeAddress(), dialer, acceptor))
        {
            await dialer.Batches.ReachAsync(1);
            await acceptor.Batches.ReachAsync(1);
        }

        Assert.Equal(6, seen.Count);
        Assert.All(seen, Assert.Null);

        void Note()
        {
            lock (seen) seen.Add(s_canary.Value);
        }
    }

    private static void PrepareToClose(LinkProbe probe, string callback)
    {
        switch (callback)
        {
            case nameof(ILinkHandler.OnConnected): probe.WhenConnected = probe.Close; break;
            case nameof(ILinkHandler.OnBatchEnd): probe.WhenBatchEnds = probe.Close; break;
            case nameof(ILinkHandler.OnClosed): probe.WhenClosed = probe.Close; break;
            case nameof(ILinkHandler.OnReceived):
                probe.WhenReceived = bytes =>
                {
                    probe.Close();
                    return bytes.Length;
                };
                break;
            case nameof(ILinkHandler.OnWritable):
                var piece = new byte[8_000_000]; // more than a peer takes while it is being sent
                probe.WhenConnected = () =>
                {
                    while (probe.Send(piece) == piece.Length)
                    {
                    }
                };
                probe.WhenWritable = probe.Close;
                break;
            default: throw new ArgumentOutOfRangeException(nameof(callback));
        }
    }
}
