using Mux.Connections;
using Mux.TestSupport.Connections;
using Mux.Wire;

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

        Assert.Equal([s_first, s_second], peer.ReadAll().Select(frame => frame.Id).Order(Comparer<CallId>.Create((a, b) => a.Slot - b.Slot)));
        Assert.Equal(CloseReason.Drained, peer.Owner.End?.Reason);
    }

    private static MuxExecution ExecutionOf(RawFrame frame)
    {
        Assert.True(FailFrame.TryRead(frame.Payload, out var fail, out _));
        return fail.Execution;
    }
}
