using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>A peer that begins a frame and goes silent holds a receive buffer: it may do so for the stall time.</summary>
public sealed class UnfinishedFrameTests
{
    private static readonly byte[] s_ping = ScriptedPeer.Frame(FrameKind.Ping, default, new byte[8]);

    [Theory]
    [InlineData(1)]
    [InlineData(8)]
    [InlineData(15)]
    public void A_frame_that_stays_unfinished_for_the_stall_time_ends_the_connection(int bytes)
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Send(s_ping.AsSpan(0, bytes));

        peer.Time.Advance(TimeSpan.FromSeconds(29.9));
        Assert.Null(peer.Owner.End);
        peer.Time.Advance(TimeSpan.FromSeconds(0.2));

        Assert.Equal(CloseReason.SlowPeer, peer.Owner.End?.Reason);
        Assert.True(GoAwayFrame.TryRead(peer.Read().Payload, out var goAway, out _));
        Assert.Equal(ConnectionCode.SlowPeer, goAway.Code);
    }

    [Fact]
    public void More_of_the_same_frame_gives_it_no_more_time()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        for (int i = 0; i < s_ping.Length - 1; i++)
        {
            peer.Send(s_ping.AsSpan(i, 1));
            peer.Time.Advance(TimeSpan.FromSeconds(2.1));
        }

        Assert.Equal(CloseReason.SlowPeer, peer.Owner.End?.Reason);
    }

    [Fact]
    public void A_frame_that_is_finished_in_time_gives_the_next_one_all_of_it()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Send(s_ping.AsSpan(0, 5));
        for (int i = 0; i < 10; i++)
        {
            peer.Time.Advance(TimeSpan.FromSeconds(20));
            peer.Send([.. s_ping.AsSpan(5), .. s_ping.AsSpan(0, 5)]);
        }

        peer.Send(s_ping.AsSpan(5));
        peer.Time.Advance(TimeSpan.FromMinutes(10));

        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void A_frame_whose_rest_waits_to_be_read_is_not_the_peers_fault()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Send(s_ping.AsSpan(0, 5));
        peer.Link.UndeliveredInput = true;

        peer.Time.Advance(TimeSpan.FromMinutes(1));

        Assert.Null(peer.Owner.End);
    }
}
