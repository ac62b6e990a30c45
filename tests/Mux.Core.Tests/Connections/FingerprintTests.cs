using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>What the two sides of a connection tell each other of the shapes of a method.</summary>
public sealed class FingerprintTests
{
    private static readonly MethodDescriptor s_known = new("test", "Known", MethodShape.Unary, takesToken: false) { RequestFingerprint = 7, ResponseFingerprint = 8 };
    private static readonly MethodDescriptor s_unknown = new("test", "Unknown", MethodShape.Unary, takesToken: false);
    private static readonly PeerSettings s_comparing = new() { ReadsFingerprints = true };

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_fingerprint_travels_with_the_definition_to_a_peer_that_reads_it(bool reads)
    {
        var peer = ScriptedPeer.Open(accepting: false, settings: new PeerSettings { ReadsFingerprints = reads });
        peer.Call(s_known, []);
        peer.Call(s_unknown, []);
        peer.Call(s_known, []);

        var defined = peer.ReadAll().Where(frame => frame.Kind == FrameKind.Define).Select(frame => frame.Payload).ToList();
        Assert.Equal(2, defined.Count);
        Assert.True(DefineFrame.TryRead(defined[0], out var known, out _));
        Assert.True(DefineFrame.TryRead(defined[1], out var unknown, out _));
        Assert.Equal(reads ? new MethodFingerprint(7, 8) : default, known.Fingerprint);
        Assert.Equal(default, unknown.Fingerprint);
        Assert.Equal("test/Known"u8, known.Name);
    }

    [Fact]
    public void The_peer_has_what_it_answers_and_until_then_what_this_side_has()
    {
        var peer = ScriptedPeer.Open(accepting: false, settings: s_comparing);
        var initiator = peer.Sut.Initiator;
        Assert.Equal(0u, initiator.PeersReplyFingerprintOf(s_known)); // it has not heard of it
        peer.Call(s_unknown, []);
        peer.Call(s_known, []);
        Assert.Equal(8u, initiator.PeersReplyFingerprintOf(s_known));

        Answer(peer, 1, 30);
        Assert.Equal(30u, initiator.PeersReplyFingerprintOf(s_known));
        Answer(peer, 1, 31);
        Assert.Equal(31u, initiator.PeersReplyFingerprintOf(s_known));
        Assert.Equal(0u, initiator.PeersReplyFingerprintOf(s_unknown));
        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void An_answer_to_a_definition_without_a_fingerprint_is_a_ProtocolError()
    {
        var peer = ScriptedPeer.Open(accepting: false, settings: s_comparing);
        peer.Call(s_known, []);
        peer.Call(s_unknown, []);

        Answer(peer, 1, 30);

        Assert.Equal(CloseReason.ProtocolError, peer.Owner.End?.Reason);
        Assert.Contains("ordinal 1, which was not sent with a fingerprint", peer.Owner.End!.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void What_callers_have_is_kept_for_each_definition()
    {
        const int count = 100;
        var peer = ScriptedPeer.Open(accepting: true);
        var method = peer.Methods.Add("test/Pending");
        for (uint i = 0; i < count; i++)
        {
            var define = Definition(i, "test/Pending"u8);
            var payload = new byte[define.Length];
            define.Write(payload);
            peer.SendFrame(FrameKind.Define, default, payload);
            peer.Request(new CallId((int)i + 1, 1), (int)i, []);
        }

        Assert.Equal(Enumerable.Range(0, count).Select(i => (uint)i), method.Pending.Select(call => call.PeersRequestFingerprint));
        method.Pending.ForEach(call => call.Reply([]));
    }

    [Fact]
    public void A_definition_that_is_another_one_here_is_answered_before_the_reply()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        peer.Methods.Add("test/Echo").Handler = body => body;
        var define = Definition(0, "test/Echo"u8);
        var payload = new byte[define.Length];
        define.Write(payload);
        peer.Send([.. ScriptedPeer.Frame(FrameKind.Define, default, payload), .. ScriptedPeer.Frame(FrameKind.Request, new CallId(1, 1), new byte[4])]);
        var answer = peer.Read();
        Assert.Equal((FrameKind.Define, FrameFlags.Answer), (answer.Kind, answer.Header.Flags));
        Assert.Equal(new byte[DefineAnswer.Length], answer.Payload);
        Assert.Equal(FrameKind.Response, peer.Read().Kind);
    }

    private static DefineFrame Definition(uint i, ReadOnlySpan<byte> name) => new((ushort)i, MethodShape.Unary, name, new MethodFingerprint(i, 1));

    private static void Answer(ScriptedPeer peer, ushort ordinal, uint replies)
    {
        var payload = new byte[DefineAnswer.Length];
        new DefineAnswer(ordinal, new MethodFingerprint(0, replies)).Write(payload);
        peer.SendFrame(FrameKind.Define, default, payload, FrameFlags.Answer);
    }
}
