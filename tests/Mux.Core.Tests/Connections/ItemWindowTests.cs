using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>Windows in items: what the receiver of a response stream grants, and that its sender keeps to it.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class ItemWindowTests
{
    private const long RoundTrip = 100; // microseconds

    private static readonly CallId s_id = new(1, 1);
    private static readonly MethodDescriptor s_down = new("test", "Down", MethodShape.ResponseStream, takesToken: false);
    private static readonly ConnectionOptions s_counts = new() { Local = new PeerSettings { ReadsItemWindows = true } };

    [Fact]
    public void A_window_stays_as_small_as_its_sender_wants_while_the_consumer_is_slower_than_the_round_trip()
    {
        var sut = new ItemWindow(2, now: 0);
        for (int item = 1; item <= 100; item++)
        {
            Assert.True(sut.OnTaken());
            Assert.Equal(1, sut.Return(item * 10_000, RoundTrip));
        }
    }

    [Fact]
    public void A_window_grows_while_the_round_trip_limits_a_consumer_that_keeps_up_and_shrinks_afterwards()
    {
        var sut = new ItemWindow(2, now: 0);
        long now = 0;
        int size = 2;
        for (int returns = 0; returns < 6; returns++) size += Take(sut, now += RoundTrip / 2).More;
        Assert.Equal(128, size); // 2, doubled six times

        for (int returns = 0; returns < 7; returns++) size += Take(sut, now += 10_000_000).More;
        Assert.Equal(2, size);
    }

    [Fact]
    public void The_receiver_returns_items_as_they_are_taken_and_counts_those_that_come_without_credit()
    {
        var peer = ScriptedPeer.Open(accepting: false, s_counts);
        var call = peer.CallStream(s_down);
        peer.Credit(FrameKind.ItemWindow, s_id, 2);
        for (int item = 0; item < 2; item++) peer.SendFrame(FrameKind.ResponseItem, s_id, [1]);
        peer.ReadAll();
        call.Received.Take();
        Assert.Equal([1, 1], StreamCreditTests.Credits(peer, FrameKind.ItemCredit));

        for (int item = 0; item < 2; item++) peer.SendFrame(FrameKind.ResponseItem, s_id, [1]);
        Assert.Null(peer.Owner.End);
        peer.SendFrame(FrameKind.ResponseItem, s_id, [1]);
        Assert.NotNull(peer.Owner.End);
        Assert.Contains("4 items were granted", peer.Owner.End.Text, StringComparison.Ordinal);
    }

    /// <summary>Of a turn that runs while another thread has ended its connection.</summary>
    [Fact]
    public void A_window_that_comes_when_its_call_is_sent_again_elsewhere_reaches_nobody()
    {
        var peer = ScriptedPeer.Open(accepting: false, s_counts);
        var call = peer.CallStream(s_down);
        Assert.True(call.Window!.TryGiveBack());
        peer.Credit(FrameKind.ItemWindow, s_id, 2);
        Assert.Null(peer.Owner.End);
        Assert.Null(call.Received.ItemWindow);
    }

    [Fact]
    public void A_call_that_has_told_its_consumer_of_a_window_is_not_sent_again()
    {
        var peer = ScriptedPeer.Open(accepting: false, s_counts);
        var call = peer.CallStream(s_down);
        peer.Credit(FrameKind.ItemWindow, s_id, 2);
        Assert.Equal(2, call.Received.ItemWindow);
        Assert.False(call.Window!.TryGiveBack());
    }

    [Fact]
    public void Items_and_windows_of_a_connection_do_not_reach_the_attempt_on_another_one()
    {
        ScriptedPeer peer = ScriptedPeer.Open(accepting: false, s_counts), next = ScriptedPeer.Open(accepting: false, s_counts);
        var call = peer.CallStream(s_down);
        Assert.True(call.Window!.TryGiveBack());
        call.Window = new InboundWindow(next.Sut, s_id, FrameKind.ResponseCredit, 1_000);
        peer.Credit(FrameKind.ItemWindow, s_id, 2);
        peer.SendFrame(FrameKind.ResponseItem, s_id, [1]);
        Assert.Null(peer.Owner.End);
        Assert.True(call.Window.TryGiveBack());
        Assert.Empty(call.Received.Bodies);
        Assert.Null(call.Received.ItemWindow);
    }

    [Fact]
    public async Task A_reader_of_bytes_returns_each_item_that_it_has_read_and_those_without_a_byte()
    {
        var peer = ScriptedPeer.Open(accepting: false, s_counts);
        var window = new InboundWindow(peer.Sut, s_id, FrameKind.ResponseCredit, 64 * 1024);
        var sut = new ByteReader(new HeldItemTests.Consumer());
        sut.Begin(window);
        Assert.True(window.TryCountItems(4));
        peer.ReadAll();
        int returned = 0;
        for (int round = 0; round < 5; round++)
        {
            for (int item = 0; item < 4; item++) Arrive(new byte[item]); // the first one is empty
            var read = await sut.ReadAsync(TestContext.Current.CancellationToken);
            Assert.Equal(6, read.Buffer.Length);
            sut.AdvanceTo(read.Buffer.GetPosition(1), read.Buffer.GetPosition(2)); // which says little of items
            read = await sut.ReadAsync(TestContext.Current.CancellationToken);
            sut.AdvanceTo(read.Buffer.End);
            returned += StreamCreditTests.Credits(peer, FrameKind.ItemCredit).Sum();
            Assert.InRange(returned, 4 * (round + 1), int.MaxValue);
        }

        await sut.DisposeAsync();

        void Arrive(byte[] body)
        {
            Assert.Null(window.OnFrame(body.Length, isFirst: true));
            if (sut.OnItem(body, CreditFrame.CostOfItem(body.Length))) sut.Publish(null);
        }
    }

    [Theory]
    [InlineData(false, false, "was not asked for")]
    [InlineData(true, true, "is not ahead of its first item, or came twice")]
    public void A_window_that_was_not_asked_for_or_comes_late_breaks_a_rule(bool asked, bool behindAnItem, string expected)
    {
        var peer = ScriptedPeer.Open(accepting: false, asked ? s_counts : new ConnectionOptions());
        peer.CallStream(s_down);
        if (behindAnItem) peer.SendFrame(FrameKind.ResponseItem, s_id, [1]);
        peer.Credit(FrameKind.ItemWindow, s_id, 2);
        Assert.NotNull(peer.Owner.End);
        Assert.Contains(expected, peer.Owner.End.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task The_sender_announces_its_window_ahead_of_the_first_item_and_keeps_to_it_if_the_peer_counts_items(bool counts)
    {
        var work = new ManualWork();
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Work = work }, PeerSettings.Default with { ReadsItemWindows = counts });
        var method = peer.Methods.Add("test/Down", MethodShape.ResponseStream);
        peer.Define(0, "test/Down", MethodShape.ResponseStream);
        peer.Request(s_id, 0, []);
        var sut = method.Pending[0].Stream!.Responses!;
        sut.LimitItems(2);
        for (int item = 0; item < 2; item++) ProbeStreamCall.Send(sut, [1]);
        FrameKind[] items = [FrameKind.ResponseItem, FrameKind.ResponseItem];
        Assert.Equal(counts ? [FrameKind.ItemWindow, .. items] : items, peer.ReadAll().Select(frame => frame.Kind));
        Assert.Equal(!counts, sut.HasCredit);
        if (counts)
        {
            var wait = sut.WaitAsync().AsTask();
            peer.Credit(FrameKind.ResponseCredit, s_id, 128);
            work.RunAll();
            Assert.False(wait.IsCompleted);
            peer.Credit(FrameKind.ItemCredit, s_id, 1);
            work.RunAll();
            Assert.True(wait.IsCompletedSuccessfully && await wait && sut.HasCredit);
        }

        method.Pending[0].Reply([]);
        peer.End();
        work.RunAll();
    }

    private static (int Taken, int More) Take(ItemWindow window, long now)
    {
        int taken = 1;
        for (; !window.OnTaken(); taken++)
        {
        }

        return (taken, window.Return(now, RoundTrip) - taken);
    }
}
