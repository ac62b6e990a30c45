using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Push;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>Calls that belong to one connection: they wait with their owner, and go nowhere else.</summary>
public sealed class BoundCallTests
{
    private static readonly MethodDescriptor s_echo = new("test", "Echo", MethodShape.Unary, takesToken: false);
    private static readonly byte[] s_draining = [(byte)ConnectionCode.Draining, 0, 0, 0, 0, 0];

    private readonly Bound _bound = new();

    [Fact]
    public void A_bound_call_without_a_slot_is_given_back_where_another_one_waits()
    {
        var peer = ScriptedPeer.Open(accepting: true, settings: new PeerSettings { MaxCalls = 1 });
        Assert.True(Start(peer, out var first));
        Assert.True(Start(peer, out var second));
        Assert.Equal([second], _bound.Waiting);
        Assert.Equal((false, false, null, 1L), (first.IsDone, second.IsDone, second.Holder, peer.Sut.Initiator.Started));
        Assert.Equal(0, _bound.Rooms);
        peer.Respond(first.Id, [1]);
        Assert.Equal(1, _bound.Rooms);
        var other = new ProbeCall(s_echo);
        Assert.True(peer.Sut.Initiator.TryStart(other, []));
        var waits = new ProbeCall(s_echo);
        Assert.True(peer.Sut.Initiator.TryStart(waits, []));
        Assert.Equal(1, peer.Sut.Initiator.WaitingCount);
        peer.Respond(other.Id, [1]);
        Assert.Equal(0, peer.Sut.Initiator.WaitingCount);
    }

    [Fact]
    public void A_bound_call_gets_a_slot_after_the_calls_that_waited_before_it_although_others_never_cease_to_wait()
    {
        var peer = ScriptedPeer.Open(accepting: false, settings: new PeerSettings { MaxCalls = 1 });
        var open = peer.Call(s_echo, [0]);
        var before = peer.Call(s_echo, [1]);
        Assert.True(Start(peer, out var bound));
        Assert.Equal([bound], _bound.Waiting);
        Queue<ProbeCall> after = new([peer.Call(s_echo, [2])]);

        Answer(open);
        Assert.Equal((CallPlace.Open, 0), (before.Place, _bound.Rooms));
        Answer(before);
        Assert.Equal((0, 1), (peer.Sut.Initiator.OpenCount, _bound.Rooms)); // the slot is kept until it comes

        Assert.True(peer.Sut.Initiator.TryStart(bound, []));
        Assert.Equal([bound], _bound.Waiting); // it has not come back
        Assert.Equal(CallPlace.Open, bound.Place);
        Answer(bound);
        Assert.Equal(CallPlace.Open, after.Peek().Place);
        while (after.TryDequeue(out var call)) peer.Respond(call.Id, [1]);
        Assert.Equal((0, 0), (peer.Sut.Initiator.OpenCount, peer.Sut.Initiator.WaitingCount));

        void Answer(ProbeCall call)
        {
            after.Enqueue(peer.Call(s_echo, [3])); // there are always some
            peer.Respond(call.Id, [1]);
        }
    }

    [Fact]
    public void A_bound_call_gets_a_slot_although_each_reply_makes_the_next_call_in_its_turn()
    {
        var peer = ScriptedPeer.Open(accepting: false, settings: new PeerSettings { MaxCalls = 1 });
        ProbeCall last = null!;
        int made = 0;
        Next();
        Assert.True(Start(peer, out var bound));
        Assert.Equal([bound], _bound.Waiting);

        peer.Respond(last.Id, [1]);
        Assert.Equal((1, 0, 1), (_bound.Rooms, peer.Sut.Initiator.OpenCount, peer.Sut.Initiator.WaitingCount));
        Assert.True(peer.Sut.Initiator.TryStart(bound, []));
        peer.Respond(bound.Id, [1]);
        Assert.Equal([1], bound.Response);
        for (int i = 0; i < 3; i++) peer.Respond(last.Id, [1]);
        Assert.Equal(5, made);

        void Next()
        {
            last = new ProbeCall(s_echo) { OnDone = Next };
            made++;
            Assert.True(peer.Sut.Initiator.TryStart(last, []));
        }
    }

    [Fact]
    public void A_slot_is_not_kept_for_long_for_a_bound_call_that_does_not_come()
    {
        var peer = ScriptedPeer.Open(accepting: false, settings: new PeerSettings { MaxCalls = 1 });
        var open = peer.Call(s_echo, [0]);
        Assert.True(Start(peer, out _));
        var after = peer.Call(s_echo, [1]);
        peer.Respond(open.Id, [1]);
        Assert.Equal((1, CallPlace.Waiting), (_bound.Rooms, after.Place));
        var late = peer.Call(s_echo, [2]);
        Assert.Equal(CallPlace.Waiting, late.Place);

        peer.Time.Advance(TimeSpan.FromMilliseconds(40));

        Assert.Equal((CallPlace.Open, CallPlace.Waiting), (after.Place, late.Place));
        peer.Respond(after.Id, [1]);
        peer.Respond(late.Id, [1]);
        Assert.Equal((0, 0), (peer.Sut.Initiator.OpenCount, peer.Sut.Initiator.WaitingCount));
    }

    [Fact]
    public void A_slot_that_is_kept_for_a_bound_call_that_is_over_goes_at_once_to_the_calls_that_wait()
    {
        var peer = ScriptedPeer.Open(accepting: false, settings: new PeerSettings { MaxCalls = 1 });
        var owner = new GroupQueue(peer: null!, peer.Sut, _bound, static _ => { });
        var open = peer.Call(s_echo, [0]);
        Assert.True(Start(peer, out _));
        var after = peer.Call(s_echo, [1]);
        peer.Respond(open.Id, [1]);
        Assert.Equal((1, CallPlace.Waiting), (_bound.Rooms, after.Place));

        Assert.False(owner.Run()); // it has nothing
        peer.Sut.Flush();

        Assert.Equal(CallPlace.Open, after.Place);
        peer.Respond(after.Id, [1]);
        Assert.Equal((0, 0), (peer.Sut.Initiator.OpenCount, peer.Sut.Initiator.WaitingCount));
    }

    [Fact]
    public void A_bound_call_behind_much_that_is_not_read_is_given_back()
    {
        var peer = ScriptedPeer.Open(accepting: true, new() { UnsentLimit = 8 });
        peer.StopReading();
        Assert.True(Start(peer, out _));
        Assert.True(Start(peer, out var second));
        Assert.Equal([second], _bound.Waiting);
        Assert.False(second.IsDone);
    }

    [Fact]
    public void While_this_side_drains_bound_calls_are_made_as_long_as_a_request_is_open()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var method = peer.Methods.Add("test/Slow");
        peer.Define(0, "test/Slow");
        peer.Request(new CallId(1, 1), 0, []);
        peer.Sut.BeginDrain(grace: 20_000_000);
        peer.SendFrame(FrameKind.GoAway, default, [], FrameFlags.Answer);
        Assert.False(peer.Sut.Initiator.TryStart(new ProbeCall(s_echo), [])); // others go elsewhere
        Assert.True(Start(peer, out var call));
        method.Pending[0].Reply([]);
        Assert.False(call.IsDone);
        Assert.Equal(ConnectionState.Open, peer.Sut.State); // the call is open
        Assert.False(Start(peer, out _));
        peer.Respond(call.Id, [7]);
        Assert.Equal([7], call.Response);
        Assert.True(peer.Sut.HasEnded);
    }

    [Fact]
    public void No_bound_call_is_made_to_a_side_that_drains_or_to_which_the_end_is_left()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Methods.Add("test/Slow");
        peer.Define(0, "test/Slow");
        peer.Request(new CallId(1, 1), 0, []);
        peer.SendFrame(FrameKind.GoAway, default, s_draining);
        Assert.False(Start(peer, out _));

        var other = ScriptedPeer.Open(accepting: false);
        other.Methods.Add("test/Slow");
        other.Define(0, "test/Slow");
        other.Request(new CallId(1, 1), 0, []);
        other.Sut.LeaveToPeer();
        Assert.False(Start(other, out _));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_bound_call_that_was_not_sent_at_the_end_goes_to_no_other_connection(bool takesUnsent)
    {
        var peer = ScriptedPeer.Open(accepting: false, takesUnsent: takesUnsent);
        peer.StopReading();
        Assert.True(peer.Sut.Initiator.TryStart(new ProbeCall(s_echo), [])); // offered to the link: it may have been sent
        Assert.True(Start(peer, out var call));
        peer.Sut.Abort(new ConnectionEnd(CloseReason.ConnectionLost, "lost"));
        Assert.DoesNotContain(peer.Owner.Unsent, unsent => unsent.Call == call);
        Assert.DoesNotContain(call, peer.Owner.Withdrawn);
        Assert.Equal(takesUnsent ? 1 : 0, _bound.Unsent.Count);
        if (!takesUnsent) Assert.Equal(MuxStatus.Unavailable, call.Failure!.Status);
    }

    private bool Start(ScriptedPeer peer, out ProbeCall call) => peer.Sut.Initiator.TryStart(call = new ProbeCall(s_echo) { Bound = _bound }, []);

    private sealed class Bound : IBoundCalls, IRoomWatch
    {
        public List<OutgoingCall> Waiting { get; } = [];

        public int Rooms { get; private set; }

        public IRoomWatch Room => this;

        public List<(OutgoingCall Call, CallFailure? Failure)> Unsent { get; } = [];

        public void OnNoRoom(OutgoingCall call, ReadOnlySpan<byte> body) => Waiting.Add(call);

        public void OnRoom() => Rooms++;

        public void OnUnsent(OutgoingCall call, CallFailure? failure)
        {
            CallQueue.ReleaseBody(call);
            Unsent.Add((call, failure));
        }
    }
}
