using Mux.Contracts;
using Mux.Items;
using Mux.Serialization;
using Mux.TestSupport.Connections;
using Mux.Wire;

namespace Mux.Core.Tests.Items;

public sealed class UndecodableMessageTests
{
    private static readonly MethodDescriptor s_method = new("test", "Undecodable", MethodShape.Unary, takesToken: false) { RequestFingerprint = 1, ResponseFingerprint = 0xAB };

    [Fact]
    public void A_call_of_whose_reply_anything_came_was_executed()
    {
        var error = new OverflowException();
        var call = new ProbeCall(s_method);

        Assert.Equal(MuxExecution.Executed, UndecodableMessage.Reply(call, error).Execution);
        Assert.Equal(MuxExecution.Executed, UndecodableMessage.ReplyItem(call, error).Execution);
    }

    [Theory]
    [InlineData(false, "")]
    [InlineData(true, " Both sides have the same contract for it (replies of shape 000000AB), so these bytes were not written by that contract's codec.")]
    public void A_reply_is_said_to_be_damaged_if_the_peer_compares_and_did_not_answer(bool compares, string text)
    {
        var peer = ScriptedPeer.Open(accepting: false, settings: new PeerSettings { ReadsFingerprints = compares });
        var call = peer.Call(s_method, []);
        Assert.Equal("bad" + text, UndecodableMessage.Reply(call, new InvalidMessageException("bad")).Text);
    }

    [Theory]
    [InlineData(0x7F, " The two sides were built against different contracts: replies have the shape 0000007F at the sender and 000000AB at the receiver.")]
    [InlineData(0xAB, " Both sides have the same contract for it (replies of shape 000000AB), so these bytes were not written by that contract's codec.")]
    [InlineData(0, "")]
    public void What_the_peer_answered_is_compared(byte replies, string text)
    {
        var peer = ScriptedPeer.Open(accepting: false, settings: new PeerSettings { ReadsFingerprints = true });
        var call = peer.Call(s_method, []);
        peer.SendFrame(FrameKind.Define, default, [0, 0, 9, 0, 0, 0, replies, 0, 0, 0], FrameFlags.Answer);
        Assert.Equal("bad" + text, UndecodableMessage.Reply(call, new InvalidMessageException("bad")).Text);
        Assert.Null(peer.Owner.End);
    }

    [Theory]
    [InlineData(0x7F, " The two sides were built against different contracts: replies have the shape 0000007F at the sender and 000000AB at the receiver.")]
    [InlineData(0xAB, "")]
    public void A_setter_that_throws_is_named_and_says_nothing_of_the_bytes(byte replies, string text)
    {
        var peer = ScriptedPeer.Open(accepting: false, settings: new PeerSettings { ReadsFingerprints = true });
        var call = peer.Call(s_method, []);
        peer.SendFrame(FrameKind.Define, default, [0, 0, 9, 0, 0, 0, replies, 0, 0, 0], FrameFlags.Answer);
        var failure = UndecodableMessage.Reply(call, new FormatException("Name is empty."));
        Assert.Equal($"The reply could not be decoded: code of its type, such as a setter or a constructor, threw System.FormatException: Name is empty.{text}", failure.Text);
    }

    [Fact]
    public void A_reader_of_Mux_that_fails_is_not_said_to_be_code_of_the_message()
    {
        var reader = Assert.ThrowsAny<Exception>(static () => GeneratedCodec.ToBytes<string>(null!)); // throws by the framework
        var setter = Assert.ThrowsAny<Exception>(static () => ArgumentNullException.ThrowIfNull((object?)null));
        Assert.Contains("which is a defect of Mux", UndecodableMessage.Reply(new ProbeCall(s_method), reader).Text, StringComparison.Ordinal);
        Assert.Contains("code of its type", UndecodableMessage.Reply(new ProbeCall(s_method), setter).Text, StringComparison.Ordinal);
    }
}
