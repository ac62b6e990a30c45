using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;
using Mux.Transports;

namespace Mux.Core.Tests.Connections;

/// <summary>Calls that the code after a call makes, in the turn of its reply: they are sent when the batch ends, and much can happen before.</summary>
public sealed class TurnRequestTests
{
    private static readonly MethodDescriptor s_echo = new("test", "Echo", MethodShape.Unary, takesToken: false);
    private static readonly MethodDescriptor s_other = new("test", "Other", MethodShape.Unary, takesToken: false);
    private static readonly MethodDescriptor s_tell = new("test", "Tell", MethodShape.OneWay, takesToken: false);

    [Fact]
    public void A_call_of_the_turn_takes_the_slot_of_the_reply_and_leaves_when_the_batch_ends()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        ProbeCall? next = null;
        var id = StartFirst(peer, () => next = peer.Call(s_echo, [2]));

        peer.Link.Deliver(ScriptedPeer.Frame(FrameKind.Response, id, [1]), endBatch: false);
        Assert.Empty(peer.ReadAll());
        Assert.Equal(1, peer.Sut.Initiator.Load);
        peer.Link.EndBatch();

        var request = Assert.Single(peer.ReadAll());
        Assert.Equal((FrameKind.Request, new CallId(id.Slot, id.Generation + 1)), (request.Kind, request.Id));
        Assert.Equal([0, 0, 0, 0, 2], request.Payload);
        peer.Respond(request.Id, [3]);
        Assert.Equal([3], next!.Response);
        Assert.Equal((2, 0), (peer.Sut.Initiator.Started, peer.Sut.Initiator.Load));
    }

    [Fact]
    public void The_cancel_of_a_call_whose_request_has_not_left_follows_the_request()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        ProbeCall? next = null;
        var id = StartFirst(peer, () =>
        {
            next = peer.Call(s_echo, [2]);
            CallHolder.Cancel(next);
        });

        peer.Respond(id, [1]);

        Assert.Equal(MuxStatus.Cancelled, next!.Failure!.Status);
        var frames = peer.ReadAll();
        Assert.Equal([FrameKind.Request, FrameKind.Cancel], frames.Select(frame => frame.Kind));
        Assert.Equal(frames[0].Id, frames[1].Id);
        peer.Respond(frames[0].Id, [9]); // late: nothing comes of it, and the slot is free again
        Assert.Equal(0, peer.Sut.Initiator.Load);
    }

    [Fact]
    public void A_call_whose_request_has_not_left_when_the_connection_ends_goes_back_to_the_owner_with_its_request()
    {
        var (peer, elsewhere) = (ScriptedPeer.Open(accepting: false), ScriptedPeer.Open(accepting: false));
        ProbeCall? next = null;
        var id = StartFirst(peer, () =>
        {
            next = peer.Call(s_echo, [2, 3]);
            peer.Sut.Abort(new ConnectionEnd(CloseReason.ConnectionLost, "Lost while its turn ran."));
        });

        peer.Respond(id, [1]);

        Assert.Same(next, Assert.Single(peer.Owner.Withdrawn));
        Assert.Equal((false, CallPlace.Outside, null), (next!.IsDone, next.Place, next.Holder));
        Assert.Equal(1, peer.Sut.Initiator.Started);
        Assert.Equal([2, 3], Assert.Single(peer.Owner.WithdrawnRequests));
        Assert.True(elsewhere.Sut.Initiator.TryStart(next, [2, 3]));
        elsewhere.Respond(elsewhere.ReadAll()[^1].Id, [4]);
        Assert.Equal([4], next.Response);
    }

    [Fact]
    public void A_call_that_was_cancelled_before_the_connection_ended_does_not_go_back()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        ProbeCall? next = null;
        var id = StartFirst(peer, () =>
        {
            next = peer.Call(s_echo, [2]);
            CallHolder.Cancel(next);
            peer.Sut.Abort(new ConnectionEnd(CloseReason.ConnectionLost, "Lost while its turn ran."));
        });

        peer.Respond(id, [1]);

        Assert.Empty(peer.Owner.Withdrawn);
        Assert.Equal(MuxStatus.Cancelled, next!.Failure!.Status);
    }

    [Fact]
    public void Requests_of_the_turn_are_sent_before_a_drain_of_the_peer_is_acknowledged()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        ProbeCall? next = null;
        var id = StartFirst(peer, () => next = peer.Call(s_echo, [2]));
        byte[] draining = [(byte)ConnectionCode.Draining, 0, 0, 0, 0, 0];

        peer.Send([.. ScriptedPeer.Frame(FrameKind.Response, id, [1]), .. ScriptedPeer.Frame(FrameKind.GoAway, default, draining)]);

        var frames = peer.ReadAll();
        Assert.Equal([FrameKind.Request, FrameKind.GoAway], frames.Select(frame => frame.Kind));
        Assert.Empty(peer.Owner.Withdrawn);
        peer.Respond(frames[0].Id, [3]);
        Assert.Equal([3], next!.Response);
    }

    [Fact]
    public void Replies_and_calls_of_one_turn_leave_together_in_the_order_in_which_they_were_made()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Methods.Add("test/Mirror").Handler = body => body;
        peer.Define(0, "test/Mirror");
        ProbeCall? next = null;
        var id = StartFirst(peer, () => next = peer.Call(s_echo, [2]));
        int sends = peer.Link.Sends;

        peer.Send(
        [
            .. ScriptedPeer.Frame(FrameKind.Request, new CallId(1, 1), [0, 0, 0, 0, 7]),
            .. ScriptedPeer.Frame(FrameKind.Response, id, [1]),
            .. ScriptedPeer.Frame(FrameKind.Request, new CallId(2, 1), [0, 0, 0, 0, 8])
        ]);

        var frames = peer.ReadAll();
        Assert.Equal(sends + 1, peer.Link.Sends);
        Assert.Equal([FrameKind.Response, FrameKind.Request, FrameKind.Response], frames.Select(frame => frame.Kind));
        Assert.Equal([[7], [0, 0, 0, 0, 2], [8]], frames.Select(frame => frame.Payload.ToArray()));
        peer.Respond(frames[1].Id, [3]);
        Assert.Equal([3], next!.Response);
    }

    [Fact]
    public void A_call_made_among_replies_goes_back_with_its_own_request_when_the_connection_ends()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Methods.Add("test/Mirror").Handler = body => body;
        peer.Define(0, "test/Mirror");
        var id = StartFirst(peer, () =>
        {
            peer.Call(s_echo, [2, 3]);
            peer.Sut.Abort(new ConnectionEnd(CloseReason.ConnectionLost, "Lost while its turn ran."));
        });

        peer.Send([.. ScriptedPeer.Frame(FrameKind.Request, new CallId(1, 1), [0, 0, 0, 0, 7]), .. ScriptedPeer.Frame(FrameKind.Response, id, [1])]);

        Assert.Equal([2, 3], Assert.Single(peer.Owner.WithdrawnRequests));
        Assert.Equal(0, peer.Sut.RequestCounts.OpenCount);
    }

    [Fact]
    public void The_deadline_of_a_call_of_the_turn_is_kept()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        ProbeCall? next = null;
        var id = StartFirst(peer, () => next = peer.Call(s_echo, [2], TimeSpan.FromMilliseconds(50)));
        peer.Respond(id, [1]);
        Assert.True(RequestHead.TryRead(Assert.Single(peer.ReadAll()).Payload, out var head, out _));
        Assert.Equal(50_000u, head.DeadlineMicroseconds);

        peer.Time.Advance(TimeSpan.FromMilliseconds(60));
        peer.Sut.OnTick(peer.Sut.Clock.Now);

        Assert.Equal(MuxStatus.DeadlineExceeded, next!.Failure!.Status);
        Assert.Equal([(byte)CancelReason.Deadline], Assert.Single(peer.ReadAll(), frame => frame.Kind == FrameKind.Cancel).Payload);
    }

    [Fact]
    public void Where_nothing_takes_over_from_code_that_blocks_the_deadline_of_its_call_is_watched_at_once()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        ProbeCall? next = null;
        bool wasDone = false;
        var id = StartFirst(peer, () =>
        {
            next = peer.Call(s_echo, [2], TimeSpan.FromMilliseconds(50));
            peer.Time.Advance(TimeSpan.FromMilliseconds(60)); // the code waits for the reply, in the turn that would bring it
            peer.Sut.OnTick(peer.Sut.Clock.Now);
            wasDone = next.IsDone;
        });

        peer.Respond(id, [1]);

        Assert.Equal((true, MuxStatus.DeadlineExceeded), (wasDone, next!.Failure!.Status));
    }

    [Theory]
    [InlineData(nameof(FrameKind.Response))]
    [InlineData(nameof(FrameKind.Fail))]
    [InlineData(nameof(FrameKind.ResponseItem))]
    public void An_answer_to_a_request_that_has_not_left_ends_the_connection_and_no_call_waits_for_ever(string kind)
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var made = new List<ProbeCall>();
        var ids = StartFirst(peer, count: 2, () =>
        {
            if (made.Count == 0) made.Add(peer.Call(s_echo, [2])); // not when the connection ends
        });
        var guessed = new CallId(ids[0].Slot, ids[0].Generation + 1);

        peer.Send([.. ScriptedPeer.Frame(FrameKind.Response, ids[0], [1]), .. ScriptedPeer.Frame(Enum.Parse<FrameKind>(kind), guessed, [1, 0, 0, 0, 0, 0, 0, 0]), .. ScriptedPeer.Frame(FrameKind.Response, ids[1], [1])]);

        Assert.Equal(ConnectionCode.ProtocolError, (ConnectionCode)peer.ReadAll().Single(frame => frame.Kind == FrameKind.GoAway).Payload[0]);
        peer.End();
        Assert.All(made, call => Assert.True(call.IsDone || peer.Owner.Withdrawn.Contains(call)));
        Assert.Single(made);
    }

    [Fact]
    public void A_deadline_that_passed_before_the_call_was_made_fails_it_and_opens_no_slot()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        ProbeCall? next = null;
        var id = StartFirst(peer, () => next = peer.Call(s_echo, [2], TimeSpan.Zero));

        peer.Respond(id, [1]);

        Assert.Equal((MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted), (next!.Failure!.Status, next.Failure.Execution));
        Assert.Empty(peer.ReadAll());
        Assert.Equal(0, peer.Sut.Initiator.Load);
    }

    [Fact]
    public void Calls_that_need_the_lock_and_calls_that_do_not_are_all_sent_each_after_the_definition_of_its_method()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var made = new List<ProbeCall>();
        var ids = StartFirst(peer, count: 4, () =>
        {
            made.Add(peer.Call(s_echo, [1]));
            made.Add(peer.Call(s_other, [2]));
            made.Add(peer.Call(s_tell, [3]));
            made.Add(peer.Call(s_echo, new byte[40_000]));
        });

        peer.Send([.. ids.SelectMany(id => ScriptedPeer.Frame(FrameKind.Response, id, [1]))]);

        var frames = peer.ReadMessages();
        Assert.Equal(16, frames.Count(frame => frame.Kind == FrameKind.Request));
        AssertDefinedFirst(frames);
        foreach (var request in frames.Where(frame => frame.Kind == FrameKind.Request)) peer.Respond(request.Id, [7]);
        Assert.All(made, call => Assert.True(call.IsDone && call.Failure is null));
        Assert.Equal(0, peer.Sut.Initiator.Load);
    }

    [Fact]
    public void More_requests_than_the_block_of_the_turn_holds_are_sent_once_each()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        int made = 0;
        var ids = StartFirst(peer, count: 100, () => peer.Call(s_echo, [(byte)made++, .. new byte[4_000]]));

        peer.Send([.. ids.SelectMany(id => ScriptedPeer.Frame(FrameKind.Response, id, [1]))]);

        var requests = peer.ReadAll();
        Assert.Equal(Enumerable.Range(0, 100), requests.Select(request => (int)request.Payload[4]).Order());
        Assert.Equal(100, requests.Select(request => request.Id.Slot).Distinct().Count());
    }

    [Fact]
    public void A_lost_connection_tells_which_requests_of_the_turn_it_has_sent()
    {
        var peer = ScriptedPeer.Open(accepting: false, new ConnectionOptions { Work = new ManualWork() });
        var made = new List<ProbeCall>();
        var ids = StartFirst(peer, count: 2, () => made.Add(peer.Call(s_echo, new byte[100])));
        peer.Link.Capacity = peer.Link.SentBytes + 100; // a piece of the first request
        peer.Send([.. ids.SelectMany(id => ScriptedPeer.Frame(FrameKind.Response, id, [1]))]);

        peer.End(LinkCloseCause.Reset);

        Assert.Equal([MuxExecution.MayHaveExecuted, MuxExecution.NotExecuted], made.Select(call => call.Failure!.Execution));
    }

    /// <summary>Starts a call whose reply runs the code.</summary>
    private static CallId StartFirst(ScriptedPeer peer, Action onReply) => StartFirst(peer, 1, onReply)[0];

    /// <summary>Starts calls whose replies run the code.</summary>
    private static List<CallId> StartFirst(ScriptedPeer peer, int count, Action onReply)
    {
        for (int i = 0; i < count; i++) peer.Call(s_echo, [0]).OnDone = onReply;
        return [.. peer.ReadAll().Where(frame => frame.Kind == FrameKind.Request).Select(frame => frame.Id)];
    }

    private static void AssertDefinedFirst(IEnumerable<RawFrame> frames)
    {
        int defined = 1; // by the first calls
        foreach (var frame in frames)
        {
            if (frame.Kind == FrameKind.Define) defined++;
            if (frame.Kind == FrameKind.Request) Assert.True(frame.Payload[0] < defined, $"Request of ordinal {frame.Payload[0]} before its definition.");
        }
    }
}
