using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.TestSupport.Connections;
using Mux.Transports;

namespace Mux.Core.Tests.BadInput;

/// <summary>Streams that end, or go silent, in the middle.</summary>
public sealed class TruncationTests
{
    private static readonly MethodDescriptor s_own = new("test", "Own", MethodShape.Unary, takesToken: false);

    [Theory]
    [InlineData(LinkCloseCause.EndOfStream)]
    [InlineData(LinkCloseCause.Reset)]
    public void A_peer_that_connects_and_leaves_gets_no_byte(LinkCloseCause cause)
    {
        var peer = new ScriptedPeer(accepting: true);

        peer.End(cause);

        Assert.Equal(CloseReason.ConnectionLost, peer.Owner.End?.Reason);
        Assert.Empty(peer.Link.Sent);
        Assert.True(peer.Owner.Released);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_handshake_cut_at_any_byte_is_a_lost_connection(bool accepting)
    {
        byte[] handshake = Raw.Hello(1, 1, Raw.Setting(SettingKey.MaxCalls, 77u));
        for (int length = 0; length < handshake.Length; length++)
        {
            var peer = new ScriptedPeer(accepting);
            int sentBefore = peer.Link.SentBytes;
            peer.Send(handshake.AsSpan(0, length));

            peer.End();

            Assert.Equal(CloseReason.ConnectionLost, peer.Owner.End?.Reason);
            Assert.Equal(sentBefore, peer.Link.SentBytes);
            Assert.False(peer.Owner.Opened);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_frame_cut_at_any_byte_is_a_lost_connection_and_runs_nothing(bool accepting)
    {
        byte[] request = Raw.Request(1, 1, 0, RequestOptions.Deadline, 1, 0, 0, 0, 42);
        for (int length = 1; length < request.Length; length++)
        {
            var peer = ScriptedPeer.Open(accepting);
            var method = peer.Methods.Add("test/Slow");
            peer.Define(0, "test/Slow");
            var own = peer.Call(s_own, []);
            peer.ReadAll();
            peer.Send(request.AsSpan(0, length));

            peer.End();

            Assert.Equal(CloseReason.ConnectionLost, peer.Owner.End?.Reason);
            Assert.Equal(MuxExecution.MayHaveExecuted, own.Failure?.Execution);
            Assert.Empty(method.Bodies);
            Assert.Empty(peer.ReadAll());
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_preface_and_then_nothing_is_answered_when_the_time_is_over(bool accepting)
    {
        var peer = new ScriptedPeer(accepting);
        peer.Send(Preface.Bytes);
        peer.ReadAll();

        peer.Time.Advance(TimeSpan.FromSeconds(10.1));

        Assert.Equal(CloseReason.HandshakeTimeout, peer.Owner.End?.Reason);
        Assert.True(GoAwayFrame.TryRead(Assert.Single(peer.ReadAll()).Payload, out var goAway, out _));
        Assert.Equal(ConnectionCode.SlowPeer, goAway.Code);
    }
}
