using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>A side that is done with a connection and leaves its end to the peer: GOAWAY(Ok), PROTOCOL.md section 7.1.</summary>
public sealed class LeftConnectionTests
{
    private static readonly CallId s_first = new(1, 1);
    private static readonly MethodDescriptor s_echo = new("test", "Echo", MethodShape.Unary, takesToken: false);
    private static readonly byte[] s_done = [(byte)ConnectionCode.Ok, 0, 0, 0, 0, 0];

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_side_whose_peer_is_done_acknowledges_and_ends_the_connection_at_once_if_no_call_is_open(bool accepting)
    {
        var peer = ScriptedPeer.Open(accepting);

        peer.SendFrame(FrameKind.GoAway, default, s_done);

        Assert.Equal((FrameKind.GoAway, FrameFlags.Answer), Single(peer.ReadAll()));
        Assert.True(peer.Link.IsSendEnded);
        Assert.Equal(CloseReason.PeerDrained, peer.Owner.End?.Reason);
        peer.End();
        Assert.True(peer.Owner.Released);
    }

    [Fact]
    public void A_server_whose_client_is_done_ends_the_connection_with_the_reply_to_the_last_call()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var slow = peer.Methods.Add("test/Slow");
        peer.Define(0, "test/Slow");
        peer.Send([.. ScriptedPeer.Frame(FrameKind.Request, s_first, [0, 0, 0, 0]), .. ScriptedPeer.Frame(FrameKind.GoAway, default, s_done)]);
        peer.Time.Advance(TimeSpan.FromMinutes(1));
        Assert.Null(peer.Owner.End);

        slow.Pending[0].Reply([7]);

        Assert.Equal([FrameKind.GoAway, FrameKind.Response], peer.ReadAll().Select(frame => frame.Kind));
        Assert.True(peer.Link.IsSendEnded);
        Assert.Equal(CloseReason.PeerDrained, peer.Owner.End?.Reason);
    }

    [Fact]
    public void A_server_whose_client_is_done_waits_for_the_rest_of_a_request()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Methods.Add("test/Echo").Handler = body => [(byte)body.Length];
        peer.Define(0, "test/Echo");
        peer.Begin(FrameKind.Request, s_first, total: 4, head: [0, 0, 0, 0]);
        peer.SendFrame(FrameKind.GoAway, default, s_done);
        Assert.Null(peer.Owner.End);

        peer.Continue(FrameKind.Request, s_first, [1, 2, 3, 4], isLast: true);

        Assert.Equal([4], peer.ReadAll().Last(frame => frame.Kind == FrameKind.Response).Payload);
        Assert.Equal(CloseReason.PeerDrained, peer.Owner.End?.Reason);
    }

    [Fact]
    public void A_server_whose_client_is_done_ends_the_connection_when_the_handler_of_a_one_way_call_has_ended()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var slow = peer.Methods.Add("test/Slow", MethodShape.OneWay);
        peer.Define(0, "test/Slow", MethodShape.OneWay);
        peer.SendFrame(FrameKind.Request, s_first, [0, 0, (byte)RequestOptions.OneWay, 0]);
        peer.SendFrame(FrameKind.GoAway, default, s_done);
        Assert.Null(peer.Owner.End);

        slow.Pending[0].Reply([]);

        Assert.Equal(CloseReason.PeerDrained, peer.Owner.End?.Reason);
    }

    [Fact]
    public void A_peer_that_drains_and_is_not_done_ends_the_connection_itself()
    {
        var peer = ScriptedPeer.Open(accepting: true);

        peer.SendFrame(FrameKind.GoAway, default, [(byte)ConnectionCode.Draining, 0, 0, 0, 0, 0]);
        peer.Time.Advance(TimeSpan.FromSeconds(4.9));

        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void A_side_that_is_done_says_so_behind_its_last_request_and_lets_the_peer_end_the_connection()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var call = peer.Call(s_echo, [1]);
        peer.Sut.LeaveToPeer();
        var sent = peer.ReadAll();
        Assert.Equal([FrameKind.Define, FrameKind.Request, FrameKind.GoAway], sent.Select(frame => frame.Kind));
        Assert.Equal(s_done, sent[^1].Payload);
        Assert.False(peer.Sut.TakesCalls);

        peer.SendFrame(FrameKind.GoAway, default, [], FrameFlags.Answer);
        peer.Respond(call.Id, [2]);
        Assert.Equal([2], call.Response);
        Assert.False(peer.Link.IsSendEnded, "This side ended its direction first.");
        Assert.Null(peer.Owner.End);
        peer.End();

        Assert.Equal(CloseReason.Drained, peer.Owner.End?.Reason);
        Assert.True(peer.Owner.Released);
    }

    [Fact]
    public void A_peer_that_leaves_the_connection_open_is_left_a_second_after_the_last_call()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var call = peer.Call(s_echo, [1]);
        peer.Sut.LeaveToPeer();
        peer.SendFrame(FrameKind.GoAway, default, [], FrameFlags.Answer);
        peer.Time.Advance(TimeSpan.FromSeconds(10));
        Assert.Null(peer.Owner.End); // the call is open
        peer.Respond(call.Id, [2]);

        peer.Time.Advance(TimeSpan.FromSeconds(0.9));
        Assert.Null(peer.Owner.End);
        peer.Time.Advance(TimeSpan.FromSeconds(0.2));

        Assert.Equal(CloseReason.Drained, peer.Owner.End?.Reason);
        Assert.True(peer.Link.IsSendEnded);
        peer.Time.Advance(TimeSpan.FromSeconds(1.1));
        Assert.True(peer.Link.IsClosed);
    }

    [Fact]
    public void A_peer_that_does_not_even_acknowledge_is_left_after_the_same_time()
    {
        var peer = ScriptedPeer.Open(accepting: false);

        peer.Sut.LeaveToPeer();
        peer.Time.Advance(TimeSpan.FromSeconds(1.1));

        Assert.Equal(CloseReason.Drained, peer.Owner.End?.Reason);
    }

    [Fact]
    public void A_connection_that_is_lost_with_its_call_open_is_no_end_in_order()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var call = peer.Call(s_echo, [1]);
        peer.Sut.LeaveToPeer();

        peer.End();

        Assert.Equal(CloseReason.ConnectionLost, peer.Owner.End?.Reason);
        Assert.Equal(MuxExecution.MayHaveExecuted, call.Failure?.Execution);
    }

    [Fact]
    public void A_later_drain_with_a_time_for_the_open_call_ends_the_connection_after_that_time()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var call = peer.Call(s_echo, [1]);
        peer.Sut.LeaveToPeer();
        peer.ReadAll();

        peer.Sut.BeginDrain(2_000_000);
        peer.Time.Advance(TimeSpan.FromSeconds(2.1));

        Assert.Equal(MuxExecution.MayHaveExecuted, call.Failure?.Execution);
        Assert.Equal(CloseReason.Drained, peer.Owner.End?.Reason);
        Assert.Empty(peer.ReadAll()); // nothing is announced twice
    }

    [Fact]
    public void Two_sides_that_are_both_done_do_not_wait_for_each_other()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Sut.LeaveToPeer();

        peer.SendFrame(FrameKind.GoAway, default, s_done);

        Assert.NotNull(peer.Owner.End);
        Assert.True(peer.Link.IsSendEnded);
    }

    [Fact]
    public void A_connection_that_is_not_open_is_not_left()
    {
        var peer = new ScriptedPeer(accepting: false, new ConnectionOptions());

        peer.Sut.LeaveToPeer();
        peer.SendHandshake();

        Assert.Equal([FrameKind.Hello], peer.ReadAll().Select(frame => frame.Kind));
        Assert.True(peer.Sut.TakesCalls);
    }

    private static (FrameKind Kind, FrameFlags Flags) Single(List<RawFrame> frames)
    {
        var frame = Assert.Single(frames);
        return (frame.Kind, frame.Header.Flags);
    }
}
