using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

public sealed class WithdrawnCallTests
{
    private static readonly MethodDescriptor s_echo = new("test", "Echo", MethodShape.Unary, takesToken: false);
    private static readonly byte[] s_draining = [(byte)ConnectionCode.Draining, 0, 0, 0, 0, 0];

    [Fact]
    public void A_withdrawn_call_tells_its_next_connection_the_time_that_is_left()
    {
        var (draining, next) = (ScriptedPeer.Open(accepting: false, settings: new PeerSettings { MaxCalls = 1 }), ScriptedPeer.Open(accepting: false));
        draining.Call(s_echo, []);
        var call = draining.Call(s_echo, [], TimeSpan.FromMilliseconds(50));
        draining.Time.Advance(TimeSpan.FromMilliseconds(30));
        next.Time.Advance(TimeSpan.FromMilliseconds(30));
        draining.SendFrame(FrameKind.GoAway, default, s_draining);
        Assert.Equal([call], draining.Owner.Withdrawn);

        Assert.True(next.Sut.Initiator.TryStart(call, []));

        Assert.True(RequestHead.TryRead(next.ReadAll()[^1].Payload, out var head, out _));
        Assert.Equal(20_000u, head.DeadlineMicroseconds);
    }

    [Fact]
    public void A_call_that_comes_to_a_dialing_connection_after_the_others_were_withdrawn_is_withdrawn_as_well()
    {
        var dialing = new ScriptedPeer(accepting: false);
        dialing.Sut.WithdrawWaiting(dialing.Sut.Clock.Now); // another connection is open
        dialing.Time.Advance(TimeSpan.FromMilliseconds(20));

        var late = dialing.Call(s_echo, []); // its thread had chosen this connection before
        dialing.Time.Advance(TimeSpan.FromMilliseconds(20));
        Assert.Empty(dialing.Owner.Withdrawn);
        dialing.Time.Advance(TimeSpan.FromMilliseconds(50));

        Assert.Equal([late], dialing.Owner.Withdrawn);
    }

    [Fact]
    public void Withdrawn_calls_come_in_order_and_do_not_count_where_they_were_not_sent()
    {
        var peer = ScriptedPeer.Open(accepting: false, settings: new PeerSettings { MaxCalls = 1 });
        peer.Call(s_echo, []);
        var waiting = Enumerable.Range(0, 5).Select(i => peer.Call(s_echo, [(byte)i])).ToList();

        peer.SendFrame(FrameKind.GoAway, default, s_draining);

        Assert.Equal(waiting, peer.Owner.Withdrawn);
        Assert.Equal(1, peer.Sut.Initiator.Started);
        Assert.All(waiting, call => Assert.Equal((CallPlace.Outside, null), (call.Place, call.Holder)));
    }
}
