using System.Net.Sockets;
using Mux.Runtime;
using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.Core.Tests.Transports.Sockets;

/// <summary>How links over sockets end and what they hold, whichever engine moves their bytes.</summary>
public abstract class SocketLinkTests(ITransport sut)
{
    private const int Links = 20;

    // Buffers are counted for the process. A link of an earlier test, whose stream never ends a read, may rent one as late as now.
    private const int Others = Links / 2;

    /// <summary>The engine.</summary>
    protected ITransport Sut => sut;

    [Fact]
    public async Task A_reset_is_told_apart_from_an_end_in_order()
    {
        await using var peer = await RawPeer.ConnectAsync(sut);
        await peer.Probe.Connected.WaitAsync();
        peer.Reset();
        await peer.Probe.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.Reset, peer.Probe.Cause);
        Assert.Equal($"Connection with {peer.Probe.Link.RemoteAddress}: connection reset by the peer.", Assert.IsType<IOException>(peer.Probe.Error).Message);
    }

    [Fact]
    public async Task An_end_in_order_is_the_end_of_the_stream_without_an_error()
    {
        await using var peer = await RawPeer.ConnectAsync(sut);
        peer.Socket.Send("bye"u8);
        peer.Socket.Shutdown(SocketShutdown.Send);
        await peer.Probe.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.EndOfStream, peer.Probe.Cause);
        Assert.Null(peer.Probe.Error);
        Assert.Equal(3, peer.Probe.Consumed.Count);
    }

    [Fact]
    public async Task What_the_peer_sent_before_it_went_is_delivered_although_sending_fails_first()
    {
        var gone = new Signal("the peer is gone");
        await using var peer = await ConnectToSendAfterAsync(gone);
        peer.Socket.Send("last words"u8);
        peer.Socket.Dispose();
        gone.Set();
        await peer.Probe.Closed.WaitAsync();
        Assert.Equal(10, peer.Probe.Consumed.Count);
        Assert.Equal(LinkCloseCause.EndOfStream, peer.Probe.Cause);
    }

    [Fact]
    public async Task A_reset_found_by_a_send_is_still_a_reset()
    {
        var gone = new Signal("the peer is gone");
        await using var peer = await ConnectToSendAfterAsync(gone);
        peer.Reset();
        gone.Set();
        await peer.Probe.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.Reset, peer.Probe.Cause);
    }

    [Fact]
    public async Task A_closed_link_ends_the_peer_s_stream_in_order()
    {
        await using var peer = await RawPeer.ConnectAsync(sut);
        await peer.Probe.Connected.WaitAsync();
        peer.Probe.Send("bye"u8);
        peer.Probe.Close();
        await peer.Probe.Closed.WaitAsync();
        var bytes = new byte[10];
        Assert.Equal(3, await peer.Socket.ReceiveAsync(bytes).Within("the last bytes"));
        Assert.Equal(0, await peer.Socket.ReceiveAsync(bytes).Within("the end of the stream"));
    }

    [Fact]
    public async Task A_handler_that_consumes_what_it_was_not_given_loses_its_link()
    {
        await using var peer = await RawPeer.ConnectAsync(sut, new LinkProbe("link") { WhenReceived = bytes => bytes.Length + 1 });
        peer.Socket.Send("x"u8);
        await peer.Probe.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.Failed, peer.Probe.Cause);
    }

    [Fact]
    public async Task Idle_links_hold_no_buffers_and_those_that_wait_for_the_rest_of_a_frame_one_each()
    {
        long before = BufferPool.Outstanding;
        var peers = new List<RawPeer>();
        try
        {
            for (int i = 0; i < Links; i++)
            {
                var probe = new LinkProbe($"link {i}") { WhenReceived = bytes => Math.Min(bytes.Length, 1_000) };
                peers.Add(await RawPeer.ConnectAsync(sut, probe));
            }

            await SendAsync(1_000, batches: 1);
            await LoopsAreIdleAsync(before + Others);

            await SendAsync(1_001, batches: 2);
            await LoopsAreIdleAsync(before + Links + Others);

            foreach (var peer in peers) peer.Probe.Close();
            foreach (var peer in peers) await peer.Probe.Closed.WaitAsync();
            await LoopsAreIdleAsync(before + Others);
        }
        finally
        {
            foreach (var peer in peers) await peer.DisposeAsync();
        }

        async Task SendAsync(int length, int batches)
        {
            foreach (var peer in peers) peer.Socket.Send(new byte[length]);
            foreach (var peer in peers) await peer.Probe.Batches.ReachAsync(batches);
        }
    }

    [Fact]
    public async Task Links_closed_with_a_send_under_way_give_their_buffers_back()
    {
        long before = BufferPool.Outstanding;
        for (int i = 0; i < Links; i++)
        {
            await using var peer = await RawPeer.ConnectAsync(sut);
            await peer.Probe.Connected.WaitAsync();
            var piece = new byte[100_000];
            while (peer.Probe.Send(piece) == piece.Length)
            {
            }

            peer.Probe.Close();
            await peer.Probe.Closed.WaitAsync();
            Assert.Equal(LinkCloseCause.Closed, peer.Probe.Cause);
            Assert.Equal(0, peer.Probe.Writable.Count);
        }

        await LoopsAreIdleAsync(before + Others); // a stream that is not waited for ends its write when it likes
    }

    [Fact]
    public async Task A_link_that_flushes_after_the_peer_s_end_gives_its_handle_back()
    {
        int before = OpenHandles.Count();
        for (int i = 0; i < Links; i++)
        {
            await using var peer = await RawPeer.ConnectAsync(sut);
            await peer.Probe.Connected.WaitAsync();
            var piece = new byte[100_000];
            while (peer.Probe.Send(piece) == piece.Length)
            {
            }

            peer.Probe.ShutdownSend();
            peer.Socket.Shutdown(SocketShutdown.Send);
            while (await peer.Socket.ReceiveAsync(piece).Within("the link's last bytes") > 0)
            {
            }

            await peer.Probe.Closed.WaitAsync();
            Assert.Equal(LinkCloseCause.EndOfStream, peer.Probe.Cause);
        }

        Assert.InRange(OpenHandles.Count(), 0, before + (Links / 2)); // the runtime opens some of its own at first use
    }

    // A link that sends in OnConnected, but only after the signal: the first send is answered by a reset, a later one fails.
    private async Task<RawPeer> ConnectToSendAfterAsync(Signal signal)
    {
        var connected = new Signal("the link is connected");
        var probe = new LinkProbe("link");
        probe.WhenConnected = () =>
        {
            connected.Set();
            signal.Wait();
            for (int i = 0; i < 1_000; i++) Assert.Equal(1, probe.Send("x"u8));
        };
        var peer = await RawPeer.ConnectAsync(sut, probe);
        await connected.WaitAsync();
        return peer;
    }

    // A loop gives its buffer back after the last callback has returned, when nobody is told any more: look until it is so.
    private static Task LoopsAreIdleAsync(long most) => Task.Run(() =>
    {
        bool isIdle = SpinWait.SpinUntil(() => BufferPool.Outstanding <= most, Awaited.Patience);
        Assert.True(isIdle, $"{BufferPool.Outstanding} buffers are out, {most} expected");
    });
}
