using Mux.Engine;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Budgets;

/// <summary>Peers that give or take a byte now and then, so that no timeout of silence ends them.</summary>
public sealed class SlowPeerTests
{
    private const int Rate = 240;

    private static readonly ConnectionOptions s_options = new() { Budgets = EffectiveLimits.Of(new MuxServerOptions()).Budgets };

    [Fact]
    public void A_peer_that_takes_a_byte_now_and_then_is_given_up_after_the_stall_time()
    {
        var peer = OpenWithBacklog();
        int seconds = TakeUntilEnd(peer, bytesPerSecond: 10);
        Assert.InRange(seconds, 30, 31);
        Assert.Equal((CloseReason.SlowPeer, PeerLimit.SlowReading), (peer.Owner.End!.Reason, peer.Owner.End.Limit));
        peer.End();
    }

    [Fact]
    public void A_peer_that_takes_what_it_has_to_is_kept_as_long_as_it_does()
    {
        var peer = OpenWithBacklog();
        Assert.Equal(300, TakeUntilEnd(peer, bytesPerSecond: Rate + 10));
        Assert.InRange(TakeUntilEnd(peer, bytesPerSecond: 10), 30, 60); // the period in which it becomes slow may go well
        peer.End();
    }

    [Fact]
    public void A_peer_that_reads_in_rare_bursts_is_judged_by_the_average()
    {
        var peer = OpenWithBacklog();
        for (int i = 0; i < 20; i++)
        {
            peer.Time.Advance(TimeSpan.FromSeconds(25));
            Assert.Null(peer.Owner.End);
            peer.Link.Grow(peer.Link.SentBytes + (long)(25 * Rate * 1.5));
        }

        peer.End();
    }

    [Fact]
    public void A_peer_that_caught_up_has_all_its_time_the_next_time()
    {
        var peer = OpenWithBacklog(replies: 1);
        for (int i = 0; i < 10; i++)
        {
            peer.Time.Advance(TimeSpan.FromSeconds(20));
            peer.Link.Grow(long.MaxValue);
            peer.StopReading();
            Reply(peer, (uint)(i + 2));
        }

        Assert.Null(peer.Owner.End);
        peer.End();
    }

    [Fact]
    public void Frames_that_dribble_in_one_after_the_other_end_the_connection_by_the_time_that_they_take_together()
    {
        var peer = ScriptedPeer.Open(accepting: true, s_options);
        byte[] frame = Raw.Frame(FrameKind.FirstExtension, default, new byte[8]);
        int seconds = 0;
        for (; peer.Owner.End is null && seconds < 1_000; seconds++)
        {
            peer.Send(frame.AsSpan(seconds % frame.Length, 1));
            peer.Time.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.InRange(seconds, 30, 40); // 15 of 16 seconds, of which each byte makes up for 4 ms
        Assert.Equal((CloseReason.SlowPeer, PeerLimit.SlowSending), (peer.Owner.End!.Reason, peer.Owner.End.Limit));
        peer.End();
    }

    [Fact]
    public void Frames_that_come_in_pieces_at_the_least_rate_and_more_go_on_for_ever() => Seeds.ForEach(20, seed =>
    {
        var random = new Random(seed);
        var peer = ScriptedPeer.Open(accepting: true, s_options);
        byte[] frames = [.. Enumerable.Range(0, 200).SelectMany(_ => Raw.Frame(FrameKind.FirstExtension, default, new byte[random.Next(0, 3_000)]))];
        int at = 0;
        while (at < frames.Length)
        {
            int length = Math.Min(random.Next(1, 5_000), frames.Length - at);
            peer.Send(frames.AsSpan(at, length));
            at += length;
            peer.Time.Advance(TimeSpan.FromSeconds(length / (double)Rate * random.NextDouble()));
            Assert.Null(peer.Owner.End);
        }

        peer.End();
    });

    [Fact]
    public void A_rate_is_judged_at_the_end_of_each_period()
    {
        var rate = new ByteRate(100, 10_000_000);
        Assert.Equal(long.MaxValue, rate.Due);
        rate.OnOwed(5, 1_000_000); // before anything was owed
        Assert.Equal(10_000_005, rate.Due);
        rate.OnOwed(6, 1_000);
        Assert.False(rate.IsTooSlow(10_000_004));
        Assert.False(rate.IsTooSlow(10_000_005));
        Assert.Equal(20_000_005, rate.Due);
        rate.OnOwed(10_000_006, 999);
        Assert.True(rate.IsTooSlow(20_000_005));
        rate.Clear();
        Assert.Equal(long.MaxValue, rate.Due);
        Assert.Equal(long.MaxValue, Silent().Due);

        static ByteRate Silent()
        {
            var none = new ByteRate(0, 10_000_000);
            none.OnOwed(5, 0);
            return none;
        }
    }

    private static ScriptedPeer OpenWithBacklog(int replies = 100)
    {
        var peer = ScriptedPeer.Open(accepting: true, s_options);
        peer.Methods.Add("test/Fat").Handler = _ => new byte[5_000];
        peer.Define(0, "test/Fat");
        peer.StopReading();
        for (int i = 1; i <= replies; i++) Reply(peer, (uint)i);
        return peer;
    }

    private static void Reply(ScriptedPeer peer, uint generation) => peer.Request(new CallId(1, generation), 0, []);

    private static int TakeUntilEnd(ScriptedPeer peer, int bytesPerSecond)
    {
        int seconds = 0;
        for (; peer.Owner.End is null && seconds < 300; seconds++)
        {
            peer.Time.Advance(TimeSpan.FromSeconds(1));
            if (peer.Owner.End is null) peer.Link.Grow(peer.Link.SentBytes + bytesPerSecond);
        }

        return seconds;
    }
}
