using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;
using Mux.Transports;

namespace Mux.Core.Tests.Connections;

public sealed class InitiatorTests
{
    [Fact]
    public void Waiting_calls_that_expire_together_fail_in_parts_and_the_lock_is_free_between()
    {
        var peer = new ScriptedPeer(accepting: false, new ConnectionOptions { HandshakeTimeout = Clock.Never, WaitingLimit = long.MaxValue });
        var calls = Enumerable.Range(0, 5_000).Select(_ => peer.Call(s_echo, [], TimeSpan.FromSeconds(1))).ToList();
        int leftAtFirst = -1;
        foreach (var call in calls)
        {
            call.OnDone = () =>
            {
                Assert.False(peer.Sut.Gate.IsHeldByCurrentThread);
                if (leftAtFirst < 0) leftAtFirst = peer.Sut.Initiator.WaitingCount;
            };
        }

        peer.Time.Advance(TimeSpan.FromSeconds(2));

        Assert.All(calls, call => Assert.Equal(MuxStatus.DeadlineExceeded, call.Failure?.Status));
        Assert.InRange(leftAtFirst, 4_000, 4_900);
        Assert.Equal(0, peer.Sut.Initiator.WaitingCount);
    }

    [Fact]
    public void Handlers_whose_deadlines_pass_together_are_all_cancelled()
    {
        var work = new ManualWork();
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Work = work, Local = new PeerSettings { MaxCalls = 3_000 } });
        var method = peer.Methods.Add("test/Slow", takesToken: true);
        peer.Define(0, "test/Slow");
        for (int slot = 1; slot <= 3_000; slot++)
        {
            peer.SendFrame(FrameKind.Request, new CallId(slot, 1), [0, 0, (byte)RequestOptions.Deadline, 0, 0x50, 0xC3, 0, 0]); // 50,000 us
        }

        peer.Time.Advance(TimeSpan.FromMilliseconds(70));
        work.RunAll();

        Assert.Equal(3_000, method.Tokens.Count);
        Assert.All(method.Tokens, token => Assert.True(token.Token.IsCancellationRequested));
        foreach (var call in method.Pending) call.Fail(MuxStatus.Cancelled, MuxExecution.Executed, "cancelled");
        Assert.Equal(0, peer.Sut.RequestCounts.OpenCount);
    }

    private static readonly MethodDescriptor s_echo = new("test", "Echo", MethodShape.Unary, takesToken: false);
    private static readonly MethodDescriptor s_other = new("test", "Other", MethodShape.Unary, takesToken: false);
    private static readonly MethodDescriptor s_tell = new("test", "Tell", MethodShape.OneWay, takesToken: false);

    [Fact]
    public void The_first_call_of_a_method_defines_it_and_the_second_does_not()
    {
        var peer = ScriptedPeer.Open(accepting: false);

        peer.Call(s_echo, [1]);
        peer.Call(s_other, [2]);
        peer.Call(s_echo, [3]);

        Assert.Equal(
            [FrameKind.Define, FrameKind.Request, FrameKind.Define, FrameKind.Request, FrameKind.Request],
            peer.ReadAll().Select(frame => frame.Kind));
    }

    [Fact]
    public void A_reply_completes_the_call_of_its_id_in_any_order()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var first = peer.Call(s_echo, [1]);
        var second = peer.Call(s_echo, [2]);

        peer.Respond(new CallId(2, 1), [20]);
        peer.Respond(new CallId(1, 1), [10]);

        Assert.Equal([10], first.Response);
        Assert.Equal([20], second.Response);
    }

    [Fact]
    public void A_freed_slot_is_used_again_with_the_next_generation()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        for (uint generation = 1; generation <= 5000; generation++)
        {
            var call = peer.Call(s_echo, []);
            var request = peer.ReadAll()[^1];
            Assert.Equal(new CallId(1, generation & CallId.GenerationMask), request.Id);
            peer.Respond(request.Id, []);
            Assert.True(call.IsDone);
        }
    }

    [Fact]
    public void A_failure_of_the_peer_fails_its_call_with_status_execution_and_text()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var call = peer.Call(s_echo, []);
        var payload = new byte[FailFrame.MaxWrittenLength];
        int length = new FailFrame((byte)MuxStatus.NotFound, MuxExecution.Executed, 0, "no such employee").Write(payload);

        peer.SendFrame(FrameKind.Fail, new CallId(1, 1), payload.AsSpan(0, length));

        Assert.Equal(new CallFailure(MuxStatus.NotFound, MuxExecution.Executed, MuxCallPhase.Handler, "no such employee"), call.Failure);
    }

    [Fact]
    public void Calls_before_the_handshake_wait_and_go_out_in_order_with_it()
    {
        var peer = new ScriptedPeer(accepting: false);
        for (byte i = 0; i < 10; i++) peer.Call(s_echo, [i]);
        Assert.Equal(FrameKind.Hello, peer.Read().Kind);
        Assert.Null(peer.TryRead());

        peer.SendHandshake();

        var requests = peer.ReadAll().Where(frame => frame.Kind == FrameKind.Request).ToList();
        Assert.Equal(Enumerable.Range(0, 10), requests.Select(request => (int)request.Payload[^1]));
    }

    [Fact]
    public void Calls_beyond_the_peers_limit_wait_and_follow_in_order_as_replies_come()
    {
        var peer = ScriptedPeer.Open(accepting: false, settings: new PeerSettings { MaxCalls = 3 });
        var calls = Enumerable.Range(0, 10).Select(i => peer.Call(s_echo, [(byte)i])).ToList();
        var open = new Queue<RawFrame>(peer.ReadAll().Where(frame => frame.Kind == FrameKind.Request));
        Assert.Equal(3, open.Count);

        var order = new List<byte>();
        while (open.TryDequeue(out var request))
        {
            order.Add(request.Payload[^1]);
            peer.Respond(request.Id, []);
            foreach (var next in peer.ReadAll()) open.Enqueue(next);
            Assert.InRange(open.Count, 0, 3);
        }

        Assert.Equal(Enumerable.Range(0, 10).Select(i => (byte)i), order);
        Assert.All(calls, call => Assert.NotNull(call.Response));
    }

    [Fact]
    public void A_call_with_no_room_to_wait_fails_not_executed()
    {
        var peer = new ScriptedPeer(accepting: false, new ConnectionOptions { WaitingLimit = 3 * (CallQueue.CallCharge + 10) });
        for (int i = 0; i < 3; i++) peer.Call(s_echo, new byte[10]);

        var failed = peer.Call(s_echo, new byte[10]);

        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), (failed.Failure!.Status, failed.Failure.Execution));
        Assert.Contains("MaxQueuedBytes", failed.Failure.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_request_above_the_peers_message_limit_fails_before_a_byte_is_sent_and_names_size_limit_and_option()
    {
        var peer = ScriptedPeer.Open(accepting: false, settings: new PeerSettings { MaxMessage = 20_000 });

        var call = peer.Call(s_echo, new byte[20_001]);

        Assert.Null(peer.TryRead());
        var failure = call.Failure!;
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Encode), (failure.Status, failure.Execution, failure.Phase));
        Assert.Contains("20001", failure.Text, StringComparison.Ordinal);
        Assert.Contains("20000", failure.Text, StringComparison.Ordinal);
        Assert.Contains("MaxMessageBytes", failure.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void The_largest_request_that_the_peer_takes_is_sent()
    {
        var peer = ScriptedPeer.Open(accepting: false, settings: new PeerSettings { MaxMessage = 20_000 });

        peer.Call(s_echo, new byte[20_000]);

        Assert.Equal(RequestHead.MinLength + 20_000, peer.ReadMessages()[^1].Header.Length);
    }

    [Fact]
    public void A_one_way_call_completes_when_it_is_appended_and_holds_its_slot_until_the_answer()
    {
        var peer = ScriptedPeer.Open(accepting: false);

        var call = peer.Call(s_tell, [7]);

        Assert.True(call.Appended);
        Assert.Equal(1, peer.Sut.Initiator.OpenCount);
        peer.Respond(new CallId(1, 1), []);
        Assert.Equal(0, peer.Sut.Initiator.OpenCount);
    }

    [Fact]
    public void A_waiting_one_way_call_completes_when_it_is_appended_later()
    {
        var peer = new ScriptedPeer(accepting: false);
        var call = peer.Call(s_tell, [7]);
        Assert.False(call.IsDone);

        peer.SendHandshake();

        Assert.True(call.Appended);
    }

    [Fact]
    public void A_cancelled_open_call_fails_at_once_and_sends_CANCEL_and_its_late_reply_is_dropped()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var call = peer.Call(s_echo, []);

        CallHolder.Cancel(call);

        Assert.Equal((MuxStatus.Cancelled, MuxExecution.MayHaveExecuted, true), (call.Failure!.Status, call.Failure.Execution, call.Failure.IsCallerCancel));
        Assert.Equal((FrameKind.Cancel, new CallId(1, 1)), (peer.ReadAll()[^1].Kind, new CallId(1, 1)));
        Assert.Equal(1, peer.Sut.Initiator.OpenCount); // the slot waits for the answer
        peer.Respond(new CallId(1, 1), [1]);
        Assert.Equal(0, peer.Sut.Initiator.OpenCount);
        Assert.Equal(1, peer.Sut.Received.LateReplies);
        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void A_cancelled_waiting_call_fails_not_executed_and_nothing_of_it_is_sent()
    {
        var peer = ScriptedPeer.Open(accepting: false, settings: new PeerSettings { MaxCalls = 1 });
        peer.Call(s_echo, [1]);
        var waiting = peer.Call(s_echo, [2]);
        var behind = peer.Call(s_echo, [3]);

        CallHolder.Cancel(waiting);

        Assert.Equal((MuxStatus.Cancelled, MuxExecution.NotExecuted), (waiting.Failure!.Status, waiting.Failure.Execution));
        peer.ReadAll();
        peer.Respond(new CallId(1, 1), []);
        Assert.Equal([3], peer.ReadAll().Select(frame => frame.Payload[^1]));
        Assert.False(behind.IsDone);
    }

    [Fact]
    public void Cancelling_a_completed_call_does_nothing()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var call = peer.Call(s_echo, []);
        peer.Respond(new CallId(1, 1), []);
        peer.ReadAll();

        CallHolder.Cancel(call);

        Assert.Null(call.Failure);
        Assert.Empty(peer.ReadAll());
    }

    [Fact]
    public void A_call_expires_at_its_deadline_and_not_before()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var call = peer.Call(s_echo, [], TimeSpan.FromMilliseconds(50));

        peer.Time.Advance(TimeSpan.FromMilliseconds(49));
        Assert.False(call.IsDone);
        peer.Time.Advance(TimeSpan.FromMilliseconds(21));

        Assert.Equal((MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted), (call.Failure!.Status, call.Failure.Execution));
        Assert.Equal([(byte)CancelReason.Deadline], peer.ReadAll()[^1].Payload);
    }

    [Fact]
    public void The_request_carries_the_time_left()
    {
        var peer = ScriptedPeer.Open(accepting: false);

        peer.Call(s_echo, [], TimeSpan.FromMilliseconds(50));

        Assert.True(RequestHead.TryRead(peer.ReadAll()[^1].Payload, out var head, out _));
        Assert.Equal(50_000u, head.DeadlineMicroseconds);
    }

    [Fact]
    public void A_deadline_beyond_what_the_field_holds_is_left_to_CANCEL()
    {
        var peer = ScriptedPeer.Open(accepting: false);

        peer.Call(s_echo, [], TimeSpan.FromHours(2));

        Assert.True(RequestHead.TryRead(peer.ReadAll()[^1].Payload, out var head, out _));
        Assert.False(head.HasDeadline);
    }

    [Fact]
    public void A_waiting_call_expires_not_executed()
    {
        var peer = new ScriptedPeer(accepting: false);
        var call = peer.Call(s_echo, [], TimeSpan.FromMilliseconds(50));

        peer.Time.Advance(TimeSpan.FromMilliseconds(70));

        Assert.Equal((MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted), (call.Failure!.Status, call.Failure.Execution));
    }

    [Fact]
    public void The_deadline_of_an_older_call_does_not_end_a_newer_one_in_its_slot()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        peer.Call(s_echo, [], TimeSpan.FromMilliseconds(50));
        peer.Respond(new CallId(1, 1), []);
        var newer = peer.Call(s_echo, [], TimeSpan.FromMilliseconds(500));
        var endless = peer.Call(s_echo, []);

        peer.Time.Advance(TimeSpan.FromMilliseconds(400));

        Assert.False(newer.IsDone);
        Assert.False(endless.IsDone);
    }

    [Fact]
    public void A_thousand_deadlines_expire_in_one_scan()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var calls = Enumerable.Range(0, 1000).Select(_ => peer.Call(s_echo, [], TimeSpan.FromMilliseconds(50))).ToList();

        peer.Time.Advance(TimeSpan.FromMilliseconds(70));

        Assert.All(calls, call => Assert.Equal(MuxStatus.DeadlineExceeded, call.Failure?.Status));
    }

    [Fact]
    public void On_loss_sent_calls_may_have_executed_and_queued_ones_have_not()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var sent = Enumerable.Range(0, 500).Select(_ => peer.Call(s_echo, new byte[10])).ToList();
        peer.Link.Capacity = peer.Link.Sent.Length; // from here on the link takes nothing
        var queued = Enumerable.Range(0, 500).Select(_ => peer.Call(s_echo, new byte[10])).ToList();

        peer.End(LinkCloseCause.Reset);

        Assert.All(sent, call => Assert.Equal((MuxStatus.Unavailable, MuxExecution.MayHaveExecuted), (call.Failure!.Status, call.Failure.Execution)));
        Assert.All(queued, call => Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted), (call.Failure!.Status, call.Failure.Execution)));
        Assert.Equal(CloseReason.ConnectionLost, peer.Owner.End?.Reason);
        Assert.True(peer.Owner.Released);
    }

    [Fact]
    public void A_call_of_which_one_byte_was_sent_may_have_executed()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        peer.Call(s_echo, []);
        peer.Link.Capacity = peer.Link.Sent.Length + 1;
        var call = peer.Call(s_echo, new byte[10]);

        peer.End(LinkCloseCause.Reset);

        Assert.Equal(MuxExecution.MayHaveExecuted, call.Failure!.Execution);
    }

    [Fact]
    public void A_connection_that_never_came_about_fails_its_waiting_calls_not_executed_in_the_connect_phase()
    {
        var peer = new ScriptedPeer(accepting: false);
        var call = peer.Call(s_echo, []);

        peer.End(LinkCloseCause.ConnectFailed, new IOException("refused"));

        Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect), (call.Failure!.Status, call.Failure.Execution, call.Failure.Phase));
        Assert.Equal("refused", call.Failure.Text);
    }

    [Fact]
    public void A_continuation_that_calls_again_only_appends_and_the_turn_sends_all_at_once()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var batch = new List<byte>();
        for (int i = 0; i < 50; i++)
        {
            var call = peer.Call(s_echo, []);
            call.OnDone = () => peer.Call(s_echo, []);
            batch.AddRange(ScriptedPeer.Frame(FrameKind.Response, call.Id, []));
        }

        int sends = peer.Link.Sends;
        peer.Send([.. batch]);

        Assert.Equal(sends + 1, peer.Link.Sends);
        Assert.Equal(50, peer.Sut.Initiator.OpenCount);
    }

    [Fact]
    public void Started_is_completed_plus_active()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        peer.Call(s_echo, []);
        peer.Respond(new CallId(1, 1), []);
        CallHolder.Cancel(peer.Call(s_echo, []));
        peer.Call(s_echo, [], TimeSpan.FromMilliseconds(10));
        peer.Time.Advance(TimeSpan.FromMilliseconds(30));
        peer.Call(s_tell, []);
        peer.Call(s_echo, []);

        var sut = peer.Sut.Initiator;
        Assert.Equal(5, sut.Started);
        Assert.Equal(4, sut.TurnTally.Total + sut.LockedTally.Total);
        peer.End();
        Assert.Equal(5, sut.TurnTally.Total + sut.LockedTally.Total);
    }
}
