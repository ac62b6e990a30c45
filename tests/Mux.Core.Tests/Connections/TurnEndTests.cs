using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;

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

    [Theory]
    [InlineData(64, 0, 1, 2)]
    [InlineData(64, 0, 2, 1)] // another link has input, too
    [InlineData(32, 0, 1, 1)] // too few for two sends
    [InlineData(40, 0, 1, 1)] // the rest would keep nobody busy
    [InlineData(48, 0, 1, 2)] // a third is left
    [InlineData(64, 120, 1, 1)] // so much that the peer has more to do anyway
    public void A_delivery_of_many_calls_is_answered_in_two_halves_if_the_thread_has_nothing_else_to_do(int calls, int bytes, int links, int sends)
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Methods.Add("test/Echo").Handler = static _ => [];
        peer.Define(0, "test/Echo");
        byte[] body = [0, 0, 0, 0, .. new byte[bytes]];
        byte[] batch = [.. Enumerable.Range(2, calls).SelectMany(slot => ScriptedPeer.Frame(FrameKind.Request, new CallId(slot, 1), body))];
        long before = 0, after = 0;

        var thread = new Thread(() =>
        {
            peer.Send(ScriptedPeer.Frame(FrameKind.Request, new CallId(1, 1), body)); // the thread has a turn from now on
            before = peer.Sut.Sending.Counters.Sends;
            Turn.OnInput(links);
            peer.Send(batch);
            after = peer.Sut.Sending.Counters.Sends;
        });
        thread.Start();
        thread.Join();

        Assert.Equal(sends, after - before);
    }

    [Fact]
    public void A_delivery_of_many_calls_that_another_connection_sends_on_is_sent_on_at_once()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Link.HandsOver = true;
        var service = ScriptedPeer.Open(accepting: false);
        peer.Methods.Fallback = (_, _) => new PassingMethod(service);
        peer.Define(0, "test/Passed");
        byte[] batch = [.. Enumerable.Range(2, 64).SelectMany(static slot => ScriptedPeer.Frame(FrameKind.Request, new CallId(slot, 1), [0, 0, 0, 0]))];
        long before = 0, after = 0;

        var thread = new Thread(() =>
        {
            peer.Request(new CallId(1, 1), 0, []); // the thread has a turn from now on
            before = service.Sut.Sending.Counters.Sends;
            Turn.OnInput(1);
            peer.Send(batch);
            after = service.Sut.Sending.Counters.Sends;
        });
        thread.Start();
        thread.Join();

        Assert.Equal(65, service.ReadAll().Count(static frame => frame.Kind == FrameKind.Request));
        Assert.Equal(1, after - before);
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

    /// <summary>Makes a call of another connection of each request, and leaves the request open.</summary>
    private sealed class PassingMethod(ScriptedPeer service) : InboundMethod
    {
        private static readonly MethodDescriptor s_descriptor = new("test", "Passed", MethodShape.Unary, takesToken: false);

        public override MethodDescriptor Descriptor => s_descriptor;

        public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body) => service.Call(s_descriptor, body);
    }
}
