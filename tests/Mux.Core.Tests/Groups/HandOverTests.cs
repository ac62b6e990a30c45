using Mux.Contracts;
using Mux.Engine;
using Mux.Push;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Groups;

/// <summary>What becomes of a call to a member alone if an exception comes while it is handed to the connection.</summary>
public sealed class HandOverTests
{
    private static readonly MethodDescriptor s_say = new("test", "Say", MethodShape.OneWay, takesToken: false);
    private static readonly MethodDescriptor s_ask = new("test", "Ask", MethodShape.Unary, takesToken: false);

    private readonly ScriptedPeer _peer = ScriptedPeer.Open(accepting: true);

    [Fact]
    public void A_call_whose_outcome_throws_is_decided_once()
    {
        var call = new FaultyCall(s_say);
        Assert.Equal(GroupStart.Appended, Start(call));
        Assert.Equal((1, null), (call.Outcomes, call.Body));
        Assert.True(_peer.Sut.HasEnded);
    }

    [Fact]
    public void A_call_whose_failure_throws_is_decided_once()
    {
        var call = new FaultyCall(s_ask) { Due = 0 };
        Assert.Equal(GroupStart.Appended, Start(call));
        Assert.Equal((1, null), (call.Outcomes, call.Body));
        Assert.True(_peer.Sut.HasEnded);
    }

    [Fact]
    public void A_call_that_the_connection_did_not_take_keeps_its_request_and_is_missed()
    {
        var call = new FaultyCall(s_say) { HasFaultyReceipt = true };
        Assert.Equal(GroupStart.Gone, Start(call));
        Assert.Equal(0, call.Outcomes);
        Assert.NotNull(call.Body);
        Assert.True(_peer.Sut.HasEnded);
        CallQueue.ReleaseBody(call);
    }

    [Fact]
    public void A_call_is_sent_when_its_caller_flushes_the_connection()
    {
        var call = new ProbeCall(s_ask);
        Assert.Equal(GroupStart.Appended, Start(call));
        Assert.Equal((CallPlace.Open, null), (call.Place, call.Body));
        _peer.Sut.Flush();
        _peer.Respond(call.Id, [7]);
        Assert.Equal([7], call.Response);
        Assert.False(_peer.Sut.HasEnded);
    }

    private GroupStart Start(OutgoingCall call)
    {
        var room = new NoRoom();
        CallQueue.HoldBody(call, [1, 2, 3]);
        var lone = new LoneCalls(static (OutgoingCall _, out bool isTaken) => isTaken = false, calls: null!, _peer.Sut, room);
        var entry = GroupEntry.Rent(LoneCalls.Label, call, charge: 1);
        var start = entry.Start(lone, _peer.Sut, room, out _);
        entry.Return();
        return start;
    }

    private sealed class NoRoom : IRoomWatch
    {
        public void OnRoom() => Assert.Fail("The connection has room.");
    }

    /// <summary>A call whose outcomes throw.</summary>
    private sealed class FaultyCall : OutgoingCall
    {
        public FaultyCall(MethodDescriptor method) => Method = method;

        public int Outcomes { get; private set; }

        /// <summary>True if it throws before it is appended, under the lock of the connection.</summary>
        public bool HasFaultyReceipt { get; init; }

        protected override OutgoingCall? OwnReceipt => HasFaultyReceipt ? throw new OutOfMemoryException("No memory.") : null;

        public override void OnAppended() => Throw();

        public override void OnFailed(CallFailure failure, bool inTurn) => Throw();

        public override void OnResponse(ReadOnlySpan<byte> body, CallTally tally) => Throw();

        private void Throw()
        {
            Outcomes++;
            throw new OutOfMemoryException("No memory.");
        }
    }
}
