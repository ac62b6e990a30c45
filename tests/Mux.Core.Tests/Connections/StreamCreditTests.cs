using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>The windows, budgets and measurements behind credit, one by one.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class StreamCreditTests
{
    private static readonly CallId s_id = new(1, 1);

    [Fact]
    public void An_item_may_begin_while_anything_is_left_and_is_finished_whatever_it_costs()
    {
        var sut = new InboundWindow(ScriptedPeer.Open(accepting: true).Sut, s_id, FrameKind.RequestCredit, 1_000);

        Assert.Null(sut.OnFrame(900, isFirst: true));
        Assert.Null(sut.OnFrame(0, isFirst: true)); // 92 were left
        Assert.Null(sut.OnFrame(4, isFirst: true)); // 28 were
        Assert.Null(sut.OnFrame(32_768, isFirst: false));

        var violation = sut.OnFrame(0, isFirst: true);
        Assert.Equal(ConnectionCode.FlowControlError, violation?.Code);
        Assert.Contains("1000 bytes were granted", violation!.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Credit_is_returned_by_half_windows_and_what_was_returned_may_be_used()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var sut = new InboundWindow(peer.Sut, s_id, FrameKind.RequestCredit, 1_000);
        Assert.Null(sut.OnFrame(992, isFirst: true));

        sut.OnTaken(499);
        Assert.Empty(Credits(peer, FrameKind.RequestCredit));
        sut.OnTaken(1);
        Assert.Equal([500], Credits(peer, FrameKind.RequestCredit));

        Assert.Null(sut.OnFrame(492, isFirst: true));
        Assert.NotNull(sut.OnFrame(0, isFirst: true));
    }

    [Fact]
    public void A_window_that_is_over_returns_nothing_and_gives_its_budget_back_once()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var sut = new InboundWindow(peer.Sut, s_id, FrameKind.RequestCredit, 1_000);
        lock (peer.Sut.Gate)
        {
            Assert.True(peer.Sut.StreamBudget.TryReserve(1_000));
            sut.EndLocked();
            sut.EndLocked();
        }

        sut.OnTaken(1_000);

        Assert.Equal(0, peer.Sut.StreamBudget.Used);
        Assert.Empty(peer.ReadAll());
    }

    [Fact]
    public void A_window_grows_while_it_is_the_limit_as_far_as_the_budget_goes()
    {
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { StreamLimit = 2_500 });
        var sut = new InboundWindow(peer.Sut, s_id, FrameKind.RequestCredit, 1_000);
        lock (peer.Sut.Gate) Assert.True(peer.Sut.StreamBudget.TryReserve(1_000));
        sut.OnTaken(500); // by which the way is measured
        var ping = peer.ReadAll().Single(frame => frame.Kind == FrameKind.Ping);
        peer.Time.Advance(TimeSpan.FromMilliseconds(10));
        peer.SendFrame(FrameKind.Ping, default, ping.Payload, FrameFlags.Answer);

        sut.OnTaken(1_000); // a window in a round trip

        Assert.Equal([2_000], Credits(peer, FrameKind.RequestCredit));
        peer.Time.Advance(TimeSpan.FromMilliseconds(10));
        sut.OnTaken(2_000);
        Assert.Equal([2_500], Credits(peer, FrameKind.RequestCredit));
        Assert.Equal(2_500, peer.Sut.StreamBudget.Used);
        lock (peer.Sut.Gate) sut.EndLocked();
        Assert.Equal(0, peer.Sut.StreamBudget.Used);
    }

    [Fact]
    public void A_stream_that_finds_no_windows_is_refused_without_a_pause_of_large_requests()
    {
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Local = new PeerSettings { StreamCredit = 1_000 }, StreamLimit = 1_500 });
        var method = peer.Methods.Add("test/Up", MethodShape.RequestStream);
        peer.Define(0, "test/Up", MethodShape.RequestStream);
        peer.RequestStream(new CallId(1, 1), 0);

        peer.RequestStream(new CallId(2, 1), 0);

        var refusal = peer.Read();
        Assert.Equal((FrameKind.Fail, new CallId(2, 1)), (refusal.Kind, refusal.Id));
        Assert.Equal(FrameFlags.None, refusal.Header.Flags & FrameFlags.Meta); // its mark is metadata
        method.Pending[0].Reply([]);
    }

    [Fact]
    public void The_bulk_window_takes_a_fragment_while_anything_is_left_and_returns_by_halves()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var sut = new BulkWindow(peer.Sut, 1_000, 4_000);

        Assert.Null(sut.OnFrame(499));
        peer.Sut.FlushTurn();
        Assert.Empty(peer.ReadAll());
        Assert.Null(sut.OnFrame(30_000));
        peer.Sut.FlushTurn();
        Assert.Equal([30_499], Credits(peer, FrameKind.Credit));
        Assert.Null(sut.OnFrame(499));
        Assert.Null(sut.OnFrame(500));
        peer.Sut.FlushTurn();
        Assert.Equal([999], Credits(peer, FrameKind.Credit));
    }

    [Fact]
    public void A_bulk_window_that_is_used_up_takes_nothing()
    {
        // Its credit comes back as bytes are stored: only a connection that is not open keeps it.
        var peer = ScriptedPeer.Open(accepting: true);
        var sut = new BulkWindow(peer.Sut, 1_000, 4_000);
        peer.End();

        Assert.Null(sut.OnFrame(999));
        Assert.Null(sut.OnFrame(1));

        Assert.Equal(ConnectionCode.FlowControlError, sut.OnFrame(1)?.Code);
    }

    [Theory]
    [InlineData(1_000, 1_000, 10, 10, 2_000)] // the window is the limit: it doubles
    [InlineData(1_000, 500, 10, 10, 1_000)]
    [InlineData(1_000, 100, 10, 10, 1_000)] // never smaller
    [InlineData(1_000, 1_000, 10, 0, 1_000)] // nothing measured
    [InlineData(1_000, 1_000, 0, 10, 20_000)]
    [InlineData(1_000, int.MaxValue, 1, 1_000_000, WindowGrowth.Largest)]
    [InlineData(WindowGrowth.Largest + 1, int.MaxValue, 1, 1_000_000, WindowGrowth.Largest + 1)]
    public void A_window_becomes_twice_what_the_path_holds(long size, long used, long elapsed, long roundTrip, long expected) =>
        Assert.Equal(expected, WindowGrowth.Next(size, used, elapsed, roundTrip));

    [Fact]
    public void A_round_trip_longer_than_the_time_between_two_measurements_is_measured()
    {
        var sut = new RoundTrip();
        Assert.True(sut.TryAsk(1_000));
        Assert.False(sut.TryAsk(101_000));
        sut.OnAnswer(1_000, 151_000);
        Assert.Equal(150_000, sut.Shortest);
        Assert.True(sut.TryAsk(201_000));
        Assert.False(sut.TryAsk(10_200_999)); // no answer: it may have been left out for a later one
        Assert.True(sut.TryAsk(10_201_000));
    }

    [Fact]
    public void The_way_is_measured_now_and_then_and_the_shortest_counts()
    {
        var sut = new RoundTrip();
        Assert.Equal(0, sut.Shortest);
        sut.OnAnswer(0, 50); // to nothing

        Assert.True(sut.TryAsk(1_000));
        Assert.False(sut.TryAsk(100_999));
        sut.OnAnswer(999, 1_100); // to something else
        Assert.Equal(0, sut.Shortest);
        sut.OnAnswer(1_000, 1_300);
        sut.OnAnswer(1_000, 1_301); // a second time
        Assert.Equal(300, sut.Shortest);

        Assert.True(sut.TryAsk(101_000));
        sut.OnAnswer(101_000, 101_900);
        Assert.Equal(300, sut.Shortest);
        Assert.True(sut.TryAsk(201_000));
        sut.OnAnswer(201_000, 201_000);
        Assert.Equal(1, sut.Shortest);
    }

    [Fact]
    public void Streams_take_all_or_nothing_of_their_budget_to_begin_and_what_there_is_to_grow()
    {
        var sut = new StreamBudget(100);

        Assert.True(sut.TryReserve(60));
        Assert.False(sut.TryReserve(41));
        Assert.Equal(0, sut.Take(-5));
        Assert.Equal(40, sut.Take(50));
        Assert.Equal(0, sut.Take(1));
        sut.Release(60);
        Assert.Equal(40, sut.Used);
        Assert.True(sut.TryReserve(60));
    }

    [Fact]
    public void Consumers_are_told_once_for_several_items_in_order_and_those_left_elsewhere()
    {
        var sut = new ItemDeliveries();
        var streams = Enumerable.Range(0, 3).Select(_ => new ProbeItems()).ToArray();
        foreach (var stream in streams)
        {
            if (stream.OnItem([1], 64)) sut.Add(stream);
            if (stream.OnItem([2], 64)) sut.Add(stream);
        }

        Assert.False(sut.IsEmpty);
        sut.RunElsewhere();

        Assert.True(sut.IsEmpty);
        Assert.All(streams, stream => Assert.Equal((2, false), (stream.Published, stream.InTurn)));
        sut.RunElsewhere(); // nothing is told twice
    }

    internal static List<int> Credits(ScriptedPeer peer, FrameKind kind) => CreditsOf(peer.ReadAll(), kind);

    internal static List<int> CreditsOf(IEnumerable<RawFrame> frames, FrameKind kind) =>
        [.. frames.Where(frame => frame.Kind == kind).Select(frame => CreditFrame.TryRead(frame.Payload, kind, out int bytes, out _) ? bytes : -1)];
}
