using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

public sealed class HandshakeTests
{
    private static readonly MethodDescriptor s_own = new("test", "Own", MethodShape.Unary, takesToken: false);

    [Theory]
    [InlineData(1, 1)]
    [InlineData(0, 1)]
    [InlineData(1, 255)]
    [InlineData(0, 255)]
    public void An_offer_that_includes_version_1_is_accepted_and_answered_with_it(byte min, byte max)
    {
        var peer = new ScriptedPeer(accepting: true);

        peer.Send(Raw.Hello(min, max));

        Assert.True(peer.Owner.Opened);
        Assert.True(HelloFrame.TryRead(peer.Read().Payload, out var answer, out _));
        Assert.Equal((1, 1), (answer!.VersionMin, answer.VersionMax));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void An_unknown_setting_is_ignored(bool accepting)
    {
        var peer = new ScriptedPeer(accepting);

        peer.Send(Raw.Hello(1, 1, Raw.Setting((SettingKey)999, [1, 2, 3]), Raw.Setting(SettingKey.MaxCalls, 77u)));

        Assert.True(peer.Owner.Opened);
        Assert.Equal(77, peer.Sut.Peer.MaxCalls);
    }

    [Fact]
    public void The_list_of_compressions_is_ignored_as_long_as_there_is_none()
    {
        var peer = new ScriptedPeer(accepting: true);

        peer.Send(Raw.Hello(1, 1, Raw.Setting(SettingKey.Compression, [1, 2, 3])));

        Assert.True(peer.Owner.Opened);
    }

    [Fact]
    public void Sixty_four_settings_are_taken()
    {
        var peer = new ScriptedPeer(accepting: true);

        peer.Send(Raw.Hello(1, 1, [.. Enumerable.Range(100, 64).Select(key => Raw.Setting((SettingKey)key))]));

        Assert.True(peer.Owner.Opened);
    }

    [Fact]
    public void The_largest_HELLO_is_taken()
    {
        var peer = new ScriptedPeer(accepting: true);
        byte[] hello = Raw.Hello(1, 1, Raw.Setting((SettingKey)999, new byte[4_096 - 4 - 4]));
        Assert.Equal(Preface.Size + FrameHeader.Size + 4_096, hello.Length);

        peer.Send(hello);

        Assert.True(peer.Owner.Opened);
    }

    [Fact]
    public void Frames_right_behind_HELLO_are_read()
    {
        var peer = new ScriptedPeer(accepting: true);
        peer.Methods.Add("test/Echo").Handler = body => body;

        peer.Send([.. Raw.Hello(1, 1), .. Raw.Define(0, 0, "test/Echo"u8), .. Raw.Request(1, 1, 0, RequestOptions.None, 42)]);

        Assert.Equal([FrameKind.Hello, FrameKind.Response], peer.ReadAll().Select(frame => frame.Kind));
    }

    [Fact]
    public void A_refusal_ends_the_dialing_side_with_what_it_says_and_waiting_calls_not_executed()
    {
        var peer = new ScriptedPeer(accepting: false);
        var call = peer.Call(s_own, []);

        peer.Send([.. Preface.Bytes, .. Raw.Frame(FrameKind.GoAway, default, [.. Raw.U16((ushort)ConnectionCode.ExcessiveLoad), 0, 0, 0, 0, .. "too many"u8])]);

        Assert.Equal(CloseReason.PeerError, peer.Owner.End?.Reason);
        Assert.Contains("ExcessiveLoad", peer.Owner.End!.Text, StringComparison.Ordinal);
        Assert.Contains("too many", peer.Owner.End.Text, StringComparison.Ordinal);
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect), (call.Failure!.Status, call.Failure.Execution, call.Failure.Phase));
        Assert.True(peer.Link.IsSendEnded);
    }

    [Fact]
    public void Both_sides_agree_when_they_are_both_this_implementation()
    {
        var (dialing, accepting) = (new ScriptedPeer(accepting: false), new ScriptedPeer(accepting: true));

        accepting.Send(dialing.Link.Sent);
        dialing.Send(accepting.Link.Sent);

        Assert.True(dialing.Owner.Opened && accepting.Owner.Opened);
    }
}
