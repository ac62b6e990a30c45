using Mux.Sessions.Lifecycle;
using Mux.TestSupport.Connections;
using Mux.Wire;

namespace Mux.Core.Tests.Connections;

public sealed class TurnEndTests
{
    [Fact]
    public void Frames_behind_the_one_with_which_a_drain_was_done_are_not_read()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Methods.Add("test/Echo").Handler = body =>
        {
            peer.Time.Advance(TimeSpan.FromMilliseconds(1)); // long enough for the turn to send in between
            return body;
        };
        peer.Define(0, "test/Echo");
        peer.Sut.BeginDrain(20_000_000);
        var batch = new List<byte>();
        for (int slot = 1; slot <= 15; slot++) batch.AddRange(ScriptedPeer.Frame(FrameKind.Request, new CallId(slot, 1), [0, 0, 0, 0]));
        batch.AddRange(ScriptedPeer.Frame(FrameKind.GoAway, default, [], FrameFlags.Answer)); // the sixteenth, behind which the clock is read
        long framesBefore = peer.Sut.Received.Frames;
        batch.AddRange(ScriptedPeer.Frame(FrameKind.Ping, default, new byte[8]));

        // A thread of its own: one that ran other tests may be measuring calls one by one, and would read the clock elsewhere.
        var thread = new Thread(() => peer.Send([.. batch]));
        thread.Start();
        thread.Join();

        Assert.Equal(CloseReason.Drained, peer.Owner.End?.Reason);
        Assert.Equal(framesBefore + 16, peer.Sut.Received.Frames);
    }

    [Fact]
    public void An_answer_of_a_handler_that_ended_its_own_connection_goes_nowhere_and_counts()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Methods.Add("test/Suicide").Handler = body =>
        {
            peer.Sut.Close(new ConnectionEnd(CloseReason.Disposed, "Closed by its own handler."), goAway: null);
            return body;
        };
        peer.Define(0, "test/Suicide");

        peer.Request(new CallId(1, 1), 0, [1]);

        Assert.Empty(peer.ReadAll());
        Assert.Equal(0, peer.Sut.RequestCounts.OpenCount);
        Assert.True(peer.Link.IsSendEnded);
    }
}
