using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>How a drain ends: nothing that was answered is lost, nobody is told a wrong thing, and the end comes.</summary>
public sealed class DrainEndTests
{
    private static readonly CallId s_first = new(1, 1);
    private static readonly CallId s_second = new(2, 1);

    [Fact]
    public void Answers_of_a_turn_that_has_not_ended_are_sent_before_a_drain_is_done()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var slow = peer.Methods.Add("test/Slow");
        peer.Methods.Add("test/Echo").Handler = body => body;
        peer.Define(0, "test/Slow");
        peer.Define(1, "test/Echo");
        peer.Request(s_first, 0, []);
        peer.Sut.BeginDrain(20_000_000);
        Assert.Equal(FrameKind.GoAway, peer.Read().Kind);

        byte[] acknowledgement = ScriptedPeer.Frame(FrameKind.GoAway, default, [], FrameFlags.Answer);
        peer.Link.Deliver([.. ScriptedPeer.Frame(FrameKind.Request, s_second, [1, 0, 0, 0, 42]), .. acknowledgement], endBatch: false);
        slow.Pending[0].Reply([7]); // the last call, answered by somebody else while the turn holds the other answer
        peer.Link.EndBatch();

        Assert.Equal([1, 2], peer.ReadAll().Select(frame => frame.Id.Slot).Order());
        Assert.Equal(CloseReason.Drained, peer.Owner.End?.Reason);
    }

    [Fact]
    public void A_large_reply_of_the_last_turn_is_sent_before_a_drain_is_done()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var slow = peer.Methods.Add("test/Slow");
        peer.Methods.Add("test/Small").Handler = _ => new byte[100];
        peer.Methods.Add("test/Large").Handler = _ =>
        {
            slow.Pending[0].Reply([]);
            return new byte[65_500];
        };
        peer.Define(0, "test/Slow");
        peer.Define(1, "test/Small");
        peer.Define(2, "test/Large");
        peer.Request(s_first, 0, []);
        peer.Sut.BeginDrain(20_000_000);
        Assert.Equal(FrameKind.GoAway, peer.Read().Kind);
        peer.Time.Advance(TimeSpan.FromSeconds(5.1)); // the acknowledgement is no longer waited for

        peer.Send([.. ScriptedPeer.Frame(FrameKind.Request, s_second, [1, 0, 0, 0]), .. ScriptedPeer.Frame(FrameKind.Request, new CallId(3, 1), [2, 0, 0, 0])]);

        Assert.Equal([0, 100, 65_500], peer.ReadMessages().Select(frame => frame.Header.Length).Order());
        Assert.Equal(CloseReason.Drained, peer.Owner.End?.Reason);
    }

    [Fact]
    public async Task When_the_grace_ends_the_token_of_a_running_handler_fires()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var method = peer.Methods.Add("test/Slow", takesToken: true);
        peer.Define(0, "test/Slow");
        peer.Request(s_first, 0, []);
        peer.Sut.BeginDrain(2_000_000);

        peer.Time.Advance(TimeSpan.FromSeconds(2.1));

        await method.Tokens[0].FiresAsync();
    }

    [Fact]
    public void When_the_grace_ends_a_parked_request_is_failed_not_executed_and_a_running_one_may_have()
    {
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { UnsentLimit = 100 });
        peer.Methods.Add("test/Fat").Handler = _ => new byte[200];
        var slow = peer.Methods.Add("test/Slow");
        peer.Define(0, "test/Fat");
        peer.Define(1, "test/Slow");
        peer.StopReading();
        peer.Request(s_first, 1, []); // runs
        peer.Request(s_second, 0, []); // its reply fills the queue
        peer.Request(new CallId(3, 1), 1, []); // parked
        peer.Sut.BeginDrain(2_000_000);
        peer.Time.Advance(TimeSpan.FromSeconds(2.1));
        peer.Link.Grow(long.MaxValue);

        var fails = peer.ReadAll().Where(frame => frame.Kind == FrameKind.Fail).ToDictionary(frame => frame.Id.Slot, ExecutionOf);
        Assert.Equal(new() { [1] = MuxExecution.MayHaveExecuted, [3] = MuxExecution.NotExecuted }, fails);
        Assert.Single(slow.Bodies);
    }

    [Fact]
    public void Answers_that_a_slow_reader_has_not_taken_are_sent_before_the_sending_ends()
    {
        var peer = OpenWithUnreadAnswer();

        peer.Time.Advance(TimeSpan.FromSeconds(3));
        Assert.False(peer.Link.IsClosed, "The reply was given up.");
        peer.Link.Grow(long.MaxValue);

        Assert.Equal([FrameKind.Response, FrameKind.GoAway], peer.ReadAll().Select(frame => frame.Kind));
        Assert.True(peer.Link.IsSendEnded);
        peer.Time.Advance(TimeSpan.FromSeconds(1.1));
        Assert.True(peer.Link.IsClosed);
    }

    [Fact]
    public void A_peer_that_never_takes_the_last_answers_is_left_after_the_flush_time()
    {
        var peer = OpenWithUnreadAnswer();

        peer.Time.Advance(TimeSpan.FromSeconds(5.1));

        Assert.True(peer.Link.IsClosed);
        Assert.Equal(CloseReason.Drained, peer.Owner.End?.Reason);
    }

    [Fact]
    public void A_draining_peer_that_was_still_served_when_its_time_was_over_is_left_when_it_is_not()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var slow = peer.Methods.Add("test/Slow");
        peer.Define(0, "test/Slow");
        peer.SendFrame(FrameKind.GoAway, default, [(byte)ConnectionCode.Draining, 0, 0, 0, 0, 0]); // no call is open: five seconds from here
        peer.Request(s_first, 0, []); // it may still call
        peer.Time.Advance(TimeSpan.FromSeconds(5.1));
        Assert.Null(peer.Owner.End);
        slow.Pending[0].Reply([]);

        peer.Time.Advance(TimeSpan.FromSeconds(5.1));

        Assert.Equal(CloseReason.PeerDrained, peer.Owner.End?.Reason);
    }

    [Fact]
    public void A_drain_ends_with_its_last_answer_also_if_that_drops_what_waits_for_credit()
    {
        var work = new ManualWork();
        var peer = ScriptedPeer.Open(accepting: false, new ConnectionOptions { Work = work }, new PeerSettings { BulkCredit = 1 });
        var call = peer.Call(new MethodDescriptor("s", "Up", MethodShape.Unary, takesToken: false), new byte[200_000]);
        work.RunAll();
        peer.Sut.BeginDrain(Clock.Never);
        peer.SendFrame(FrameKind.GoAway, default, [], FrameFlags.Answer);
        Assert.False(peer.Link.IsSendEnded);
        var fail = new byte[FrameWriter.MaxFailFrame];

        peer.Send(fail.AsSpan(0, FrameWriter.Fail(fail, call.Id, new FailFrame((byte)MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, 0, "no room"))));

        Assert.Equal(MuxStatus.ResourceExhausted, call.Failure?.Status);
        Assert.True(peer.Link.IsSendEnded);
    }

    [Fact]
    public void A_connection_that_lingers_asks_for_no_tick_before_its_time()
    {
        var options = new ConnectionOptions { KeepAliveTime = 300_000, KeepAliveTimeout = 300_000 };
        var peer = ScriptedPeer.Open(accepting: true, options);
        peer.Sut.BeginDrain(200_000);
        peer.SendFrame(FrameKind.GoAway, default, [], FrameFlags.Answer);
        Assert.True(peer.Link.IsSendEnded);

        peer.Time.Advance(TimeSpan.FromSeconds(0.5)); // behind the keep-alive time and the grace

        Assert.InRange(peer.Sut.NextDue, peer.Sut.Clock.Now + 100_000, Clock.Never);
    }

    /// <summary>A connection whose drain the peer has acknowledged, which does not read the last answer.</summary>
    private static ScriptedPeer OpenWithUnreadAnswer()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Methods.Add("test/Fat").Handler = _ => new byte[10_000];
        peer.Define(0, "test/Fat");
        peer.StopReading();
        peer.Request(s_first, 0, []);
        peer.Sut.BeginDrain(20_000_000);
        peer.SendFrame(FrameKind.GoAway, default, [], FrameFlags.Answer);
        return peer;
    }

    private static MuxExecution ExecutionOf(RawFrame frame)
    {
        Assert.True(FailFrame.TryRead(frame.Payload, out var fail, out _));
        return fail.Execution;
    }
}
