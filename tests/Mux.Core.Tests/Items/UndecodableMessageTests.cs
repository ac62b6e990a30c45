using System.Collections.ObjectModel;
using Mux.Calls;
using Mux.Contracts;
using Mux.Protobuf;
using Mux.Protocol;
using Mux.Serialization;
using Mux.TestSupport.Connections;

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
        var reader = Assert.ThrowsAny<Exception>(static () => GeneratedCodec.ToBytes("text"));
        var setter = Assert.ThrowsAny<Exception>(static () => ArgumentNullException.ThrowIfNull((object?)null));
        Assert.Contains("which is a defect of Mux", TextOf(reader), StringComparison.Ordinal);
        Assert.Contains("code of its type", TextOf(setter), StringComparison.Ordinal);
    }

    [Fact]
    public void A_reader_of_Mux_that_uses_null_is_said_to_be_a_defect()
    {
        var error = Assert.Throws<NullReferenceException>(static () => Fill<string>(null!, "a"));
        Assert.Contains("which is a defect of Mux", TextOf(error), StringComparison.Ordinal);
    }

    [Fact]
    public void A_set_that_cannot_compare_its_items_is_no_defect_of_Mux() =>
        AssertRefused("System.Collections.Generic.SortedSet.", static () => Fill(new SortedSet<object>(), new object(), new object()));

    [Fact]
    public void A_collection_that_is_read_only_is_no_defect_of_Mux() =>
        AssertRefused("System.Collections.ObjectModel.Collection.", static () => Fill(new Collection<int>(Array.Empty<int>()), 1));

    private static void AssertRefused(string thrower, Action reading)
    {
        var error = Assert.ThrowsAny<Exception>(reading);
        var text = TextOf(error);
        Assert.StartsWith($"The reply could not be decoded: {thrower}", text, StringComparison.Ordinal);
        Assert.EndsWith(
            $" threw {UndecodableMessage.NameOf(error)}. A type in the message may not support what it was called for.",
            text,
            StringComparison.Ordinal);
    }

    private static string TextOf(Exception error) => UndecodableMessage.Reply(new ProbeCall(s_method), error).Text;

    /// <summary>Fills a collection as generated code does.</summary>
    private static void Fill<T>(ICollection<T> target, params ReadOnlySpan<T> items)
    {
        var reader = new MessageReader([], "test.Message(1 Items)");
        var buffer = default(ItemBuffer<T>);
        foreach (var item in items) buffer.Add(item);
        buffer.AddTo(ref reader, tag: 10, target);
    }
}
