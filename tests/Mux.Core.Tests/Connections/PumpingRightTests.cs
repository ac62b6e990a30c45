using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>Items of a request stream go with one attempt of its call.</summary>
public sealed class PumpingRightTests
{
    private readonly ScriptedPeer _peer = ScriptedPeer.Open(accepting: false);
    private readonly ProbeStreamCall _call;
    private PumpingRight _sut;

    public PumpingRightTests() => _call = _peer.CallStream(new MethodDescriptor("shop.Orders", "Put", MethodShape.RequestStream, takesToken: false));

    [Fact]
    public void A_call_whose_items_flow_is_not_repeated()
    {
        Assert.True(_sut.TryTake(_call));
        Assert.False(_sut.TryTake(_call));
        Assert.False(_sut.TryGiveUp(_call));
    }

    [Fact]
    public void The_thread_that_has_appended_an_attempt_sends_nothing_after_the_attempt_was_given_up()
    {
        Assert.True(_sut.TryGiveUp(_call));
        Assert.False(_sut.TryTake(_call));
        _call.Requests = null; // the call is about to begin again
        Assert.False(_sut.TryTake(_call));
        _call.Requests = new OutboundStream(_peer.Sut, new CallId(2, 1), FrameKind.RequestItem, 1_000, MuxCallPriority.Normal);
        Assert.True(_sut.TryTake(_call));
        Assert.False(_sut.TryTake(_call)); // whichever thread it was: items have one sender
    }

    [Fact]
    public void Attempts_that_were_never_appended_are_given_up_as_often_as_they_fail()
    {
        _call.Requests = null;
        Assert.True(_sut.TryGiveUp(_call));
        Assert.True(_sut.TryGiveUp(_call));
    }
}
