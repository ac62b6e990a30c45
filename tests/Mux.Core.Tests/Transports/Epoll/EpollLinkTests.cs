using Mux.Core.Tests.Transports.Sockets;
using Mux.TestSupport.Transports;
using Mux.Transports;
using Mux.Transports.Epoll;

namespace Mux.Core.Tests.Transports.Epoll;

/// <summary>What links make of each other on one loop, and what the kernel is asked to watch.</summary>
[Collection(nameof(TransportTests))]
public sealed class EpollLinkTests() : SocketLinkTests(SharedLoops.Transport)
{
    [Fact]
    public async Task The_runtime_s_own_epoll_never_sees_a_socket_of_a_link()
    {
        using var transport = OneLoop();
        var before = OfRuntime(); // sockets of earlier tests may leave it any time
        await using (var pair = await LinkPair.ConnectAsync(transport, MuxAddress.Parse("mux://127.0.0.1:0")))
        {
            pair.Dialer.Send("x"u8);
            await pair.Acceptor.Batches.ReachAsync(1);
            Assert.Subset(before, OfRuntime());
            Assert.Distinct(KernelWatch.OfLoops().Select(watch => watch.Handle)); // listener, dialed, accepted: once each
        }

        Assert.Subset(before, OfRuntime());

        static HashSet<int> OfRuntime() => [.. KernelWatch.OfRuntime().Select(watch => watch.Handle)];
    }

    [Fact]
    public async Task Room_to_send_is_watched_for_only_while_bytes_are_stuck()
    {
        await using var peer = await RawPeer.ConnectAsync(Sut);
        await peer.Probe.Connected.WaitAsync();
        Assert.Equal(100, peer.Probe.Send(new byte[100]));
        Assert.DoesNotContain(KernelWatch.OfLoops(), watch => watch.ForRoom);

        var piece = new byte[100_000];
        long accepted = 100;
        for (int last = piece.Length; last == piece.Length; accepted += last) last = peer.Probe.Send(piece);
        Assert.Single(KernelWatch.OfLoops(), watch => watch.ForRoom);
        Assert.Equal(0, peer.Probe.Send(piece)); // OnWritable is owed: not tried, not owed twice

        for (long received = 0; received < accepted;) received += await peer.Socket.ReceiveAsync(piece).Within("what the link accepted");
        await peer.Probe.Writable.ReachAsync(1);
        Assert.DoesNotContain(KernelWatch.OfLoops(), watch => watch.ForRoom);
        Assert.Equal(100, peer.Probe.Send(new byte[100]));
        Assert.Equal(1, peer.Probe.Writable.Count);
    }

    [Fact]
    public async Task A_peer_that_reads_nothing_does_not_hold_up_the_other_links_of_its_loop()
    {
        using var transport = OneLoop();
        await using var stuck = await RawPeer.ConnectAsync(transport);
        await stuck.Probe.Connected.WaitAsync();
        var piece = new byte[100_000];
        while (stuck.Probe.Send(piece) == piece.Length)
        {
        }

        await using var pair = await LinkPair.ConnectAsync(transport, MuxAddress.Parse("mux://127.0.0.1:0"));
        for (int i = 1; i <= 100; i++)
        {
            pair.Dialer.Send("x"u8);
            await pair.Acceptor.Consumed.ReachAsync(i);
        }

        Assert.Equal(0, stuck.Probe.Writable.Count);
    }

    [Fact]
    public async Task A_peer_that_sends_byte_by_byte_is_understood()
    {
        var message = Enumerable.Range(0, 1_000).Select(i => (byte)i).ToArray();
        var got = new List<byte>();
        var probe = new LinkProbe("link")
        {
            WhenReceived = bytes =>
            {
                if (bytes.Length < 100) return 0; // as for the frame whose end is missing
                got.AddRange(bytes);
                return bytes.Length;
            },
        };
        await using var peer = await RawPeer.ConnectAsync(Sut, probe);
        peer.Socket.NoDelay = true;
        for (int i = 0; i < message.Length; i++) Assert.Equal(1, peer.Socket.Send(message.AsSpan(i, 1)));
        await peer.Probe.Consumed.ReachAsync(900);
        peer.Probe.Close();
        await peer.Probe.Closed.WaitAsync();
        Assert.Equal(message[..got.Count], got);
    }

    [Theory]
    [InlineData(nameof(ILinkHandler.OnConnected))]
    [InlineData(nameof(ILinkHandler.OnReceived))]
    [InlineData(nameof(ILinkHandler.OnBatchEnd))]
    [InlineData(nameof(ILinkHandler.OnWritable))]
    public async Task A_handler_that_throws_against_its_promise_loses_its_link_and_the_loop_goes_on(string member)
    {
        var log = new LogCollector();
        using var transport = OneLoop(log);
        var handler = new ThrowingHandler(member);
        using (var listener = transport.Listen(MuxAddress.Parse("mux://127.0.0.1:0"), handler.Start))
        {
            var dialer = new LinkProbe("dialer");
            dialer.Start(transport.CreateLink(listener.Address));
            await dialer.Connected.WaitAsync();
            dialer.Send("x"u8);
            await handler.Closed.WaitAsync();
            await dialer.Closed.WaitAsync();
            Assert.Equal(LinkCloseCause.Failed, handler.Cause);
            Assert.Equal(3003, Assert.Single(log.Entries).Id);
        }

        await using var pair = await LinkPair.ConnectAsync(transport, MuxAddress.Parse("mux://127.0.0.1:0"));
        pair.Dialer.Send("x"u8);
        await pair.Acceptor.Consumed.ReachAsync(1);
    }

    [Fact]
    public async Task What_is_ready_together_is_delivered_before_any_of_its_batches_ends()
    {
        // While one handler blocks, bytes for the two others arrive. The machine may stretch a turn beyond the time that batches wait: some round shows it.
        using var transport = OneLoop();
        for (int round = 0; round < 100; round++)
        {
            var order = new List<string>();
            var blocked = new Signal("the loop is in a handler");
            var release = new Signal("bytes for all links");
            var blocker = new LinkProbe("blocker")
            {
                WhenReceived = bytes =>
                {
                    blocked.Set();
                    release.Wait();
                    return bytes.Length;
                },
            };
            await using var first = await RawPeer.ConnectAsync(transport, blocker);
            await using var second = await RawPeer.ConnectAsync(transport, Noting("second"));
            await using var third = await RawPeer.ConnectAsync(transport, Noting("third"));
            await second.Probe.Connected.WaitAsync();
            await third.Probe.Connected.WaitAsync();
            first.Socket.Send("x"u8);
            await blocked.WaitAsync();
            second.Socket.Send("x"u8);
            third.Socket.Send("x"u8);
            release.Set();
            await second.Probe.Batches.ReachAsync(1);
            await third.Probe.Batches.ReachAsync(1);
            if (order is ["second", "third", "end of second", "end of third"] or ["third", "second", "end of third", "end of second"]) return;

            LinkProbe Noting(string name) => new(name)
            {
                WhenReceived = bytes =>
                {
                    order.Add(name);
                    return bytes.Length;
                },
                WhenBatchEnds = () => order.Add($"end of {name}"),
            };
        }

        Assert.Fail("In 100 rounds, batches of two ready links were never ended together.");
    }

    [Fact]
    public async Task A_link_that_joins_while_the_loop_is_at_work_has_a_batch_ended_when_the_loop_is_done()
    {
        using var transport = OneLoop();
        await using var busy = await LinkPair.ConnectAsync(transport, MuxAddress.Parse("mux://127.0.0.1:0"));
        await using var other = await LinkPair.ConnectAsync(transport, MuxAddress.Parse("mux://127.0.0.1:0"));

        await JoinAsync(busy, other.Acceptor, thenClose: false);

        await other.Acceptor.Batches.ReachAsync(1);
    }

    [Fact]
    public async Task A_link_that_joins_and_ends_hears_of_the_batch_before_its_end_or_not_at_all()
    {
        using var transport = OneLoop();
        await using var busy = await LinkPair.ConnectAsync(transport, MuxAddress.Parse("mux://127.0.0.1:0"));
        await using var other = await LinkPair.ConnectAsync(transport, MuxAddress.Parse("mux://127.0.0.1:0"));

        await JoinAsync(busy, other.Acceptor, thenClose: true);

        await other.Acceptor.Closed.WaitAsync();
        await other.Dialer.Closed.WaitAsync();
        Assert.False(other.Acceptor.TryJoinBatch());
        other.Acceptor.AssertSound();
    }

    [Fact]
    public async Task A_loop_that_waits_lets_nobody_join()
    {
        using var transport = OneLoop();
        await using var pair = await LinkPair.ConnectAsync(transport, MuxAddress.Parse("mux://127.0.0.1:0"));
        pair.Dialer.Send("x"u8);
        await pair.Acceptor.Batches.ReachAsync(1);

        Assert.True(SpinWait.SpinUntil(() => !pair.Acceptor.TryJoinBatch(), Awaited.Patience), "Waited for the loop to wait.");
        Assert.False(pair.Acceptor.TryJoinBatch());
    }

    /// <summary>Within a delivery to one link lets another join. A loop without a core for a while lets nobody join: some delivery does.</summary>
    private static async Task JoinAsync(LinkPair busy, LinkProbe other, bool thenClose)
    {
        bool hasJoined = false;
        busy.Acceptor.WhenReceived = bytes =>
        {
            if (!hasJoined && other.TryJoinBatch())
            {
                hasJoined = true;
                if (thenClose) other.Close();
            }

            return bytes.Length;
        };
        for (int i = 1; i <= 1_000 && !hasJoined; i++)
        {
            busy.Dialer.Send("x"u8);
            await busy.Acceptor.Batches.ReachAsync(i);
        }

        Assert.True(hasJoined, "In 1,000 deliveries the link could join none.");
    }

    private static EpollTransport OneLoop(LogCollector? log = null) => new(new EpollTransportOptions { LoopCount = 1 }, log ?? new LogCollector(), TimeProvider.System);
}
