using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;
using Mux.Transports;

namespace Mux.Core.Tests.Connections;

/// <summary>What calls learn when their peer ends the connection.</summary>
public sealed class PeerEndTests
{
    private static readonly MethodDescriptor s_method = new("test", "Own", MethodShape.Unary, takesToken: false);

    private readonly ScriptedPeer _peer = ScriptedPeer.Open(accepting: false);

    [Fact]
    public void Calls_that_a_GOAWAY_fails_carry_when_to_call_again()
    {
        var call = _peer.Call(s_method, []);
        _peer.SendFrame(FrameKind.GoAway, default, [(byte)ConnectionCode.ExcessiveLoad, 0, 0xE8, 3, 0, 0]);

        Assert.Equal((MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, 1_000u), (call.Failure!.Status, call.Failure.Execution, call.Failure.RetryAfterMilliseconds));
        _peer.End();
    }

    [Fact]
    public void A_peer_that_ends_its_sending_direction_is_gone_and_its_open_calls_are_lost()
    {
        var call = _peer.Call(s_method, []);
        _peer.End(LinkCloseCause.EndOfStream);

        Assert.Equal(CloseReason.ConnectionLost, _peer.Owner.End?.Reason);
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, 0u), (call.Failure!.Status, call.Failure.Execution, call.Failure.RetryAfterMilliseconds));
    }
}
