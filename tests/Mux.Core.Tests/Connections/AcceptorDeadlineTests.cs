using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

public sealed class AcceptorDeadlineTests
{
    private static readonly byte[] s_within50Ms = [0, 0, (byte)RequestOptions.Deadline, 0, 0x50, 0xC3, 0, 0];

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_deadline_of_an_answered_request_does_not_cancel_the_next_one_in_its_slot(bool nextTakesToken)
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var first = peer.Methods.Add("test/First", takesToken: true);
        var next = peer.Methods.Add("test/Next", takesToken: nextTakesToken);
        peer.Define(0, "test/First");
        peer.Define(1, "test/Next");
        peer.SendFrame(FrameKind.Request, new CallId(1, 1), s_within50Ms);
        first.Pending[0].Reply([]);

        peer.Request(new CallId(1, 2), 1, []);
        peer.Time.Advance(TimeSpan.FromMilliseconds(100));

        Assert.False(peer.Sut.Replies.Slots.IsCancelled(new CallId(1, 2)));
        Assert.All(next.Tokens, token => Assert.False(token.Token.IsCancellationRequested));
        Assert.False(next.Pending[0].TryFailAbandoned());
    }

    [Fact]
    public void A_request_that_expired_before_its_handler_started_is_failed_as_expired_not_executed()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var queued = peer.Methods.Add("test/Queued"); // stands for one that waits for a worker
        peer.Define(0, "test/Queued");
        peer.SendFrame(FrameKind.Request, new CallId(1, 1), s_within50Ms);
        peer.Time.Advance(TimeSpan.FromMilliseconds(60));

        Assert.True(queued.Pending[0].TryFailAbandoned());

        Assert.True(FailFrame.TryRead(peer.Read().Payload, out var fail, out _));
        Assert.Equal(((byte)MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted), (fail.Status, fail.Execution));
    }

    [Fact]
    public void A_request_whose_caller_gave_up_before_its_handler_started_is_failed_as_cancelled_not_executed()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var queued = peer.Methods.Add("test/Queued");
        peer.Define(0, "test/Queued");
        peer.Request(new CallId(1, 1), 0, []);
        peer.SendFrame(FrameKind.Cancel, new CallId(1, 1), [0]);

        Assert.True(queued.Pending[0].TryFailAbandoned());

        Assert.True(FailFrame.TryRead(peer.Read().Payload, out var fail, out _));
        Assert.Equal(((byte)MuxStatus.Cancelled, MuxExecution.NotExecuted), (fail.Status, fail.Execution));
    }
}
