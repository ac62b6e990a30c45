using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;
using Mux.Transports;

namespace Mux.Core.Tests.Connections;

public sealed class ConnectionLossTests
{
    private static readonly MethodDescriptor s_echo = new("test", "Echo", MethodShape.Unary, takesToken: false);

    [Fact]
    public void A_call_whose_bytes_are_in_the_hands_of_a_sender_may_have_executed()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var call = new ProbeCall(s_echo);
        peer.Link.OnSend = () => peer.Sut.Abort(new ConnectionEnd(CloseReason.Disposed, "Given up while the link has the bytes."));

        Assert.True(peer.Sut.Initiator.TryStart(call, [1]));

        Assert.Equal(MuxExecution.MayHaveExecuted, call.Failure?.Execution);
    }

    [Fact]
    public void A_call_that_is_appended_while_others_are_being_sent_is_not_executed()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var (sent, appended) = (new ProbeCall(s_echo), new ProbeCall(s_echo));
        peer.Link.OnSend = () =>
        {
            Assert.True(peer.Sut.Initiator.TryStart(appended, [2]));
            peer.End(LinkCloseCause.Reset);
        };

        Assert.True(peer.Sut.Initiator.TryStart(sent, [1]));

        Assert.Equal(MuxExecution.MayHaveExecuted, sent.Failure?.Execution);
        Assert.Equal(MuxExecution.NotExecuted, appended.Failure?.Execution);
    }

    [Theory]
    [InlineData(0, MuxExecution.NotExecuted)]
    [InlineData(1, MuxExecution.MayHaveExecuted)]
    public void One_accepted_byte_of_a_request_makes_the_difference(int acceptedBytes, MuxExecution expected)
    {
        var peer = ScriptedPeer.Open(accepting: false);
        peer.Call(s_echo, []); // defines the method
        peer.Link.Capacity = peer.Link.SentBytes + acceptedBytes;
        var call = peer.Call(s_echo, new byte[10]);

        peer.End(LinkCloseCause.Reset);

        Assert.Equal(expected, call.Failure?.Execution);
    }

    [Fact]
    public void Nothing_is_sent_over_a_link_that_is_gone_and_what_had_not_arrived_is_counted_before_the_release()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var method = peer.Methods.Add("test/Large");
        peer.Define(0, "test/Large");
        peer.Begin(FrameKind.Request, new CallId(1, 1), 100_000, [0, 0, 0, 0]);
        peer.Continue(FrameKind.Request, new CallId(1, 1), new byte[30_000]);
        int sent = 0;
        peer.Link.OnSend = () => sent++;

        peer.End(LinkCloseCause.Reset);

        Assert.Equal((0, 0, true), (sent, peer.Sut.RequestCounts.OpenCount, peer.Owner.Released));
        Assert.Equal(1, peer.Sut.RequestCounts.LockedTally.CountOf(method.Descriptor, MuxStatus.Unavailable));
    }
}
