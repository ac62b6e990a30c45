using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>Messages whose call ended before they did: nothing of them may reach the next call of the slot, nor stay.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class StaleMessageTests
{
    private static readonly CallId s_id = new(1, 1), s_next = new(1, 2);

    private readonly long _buffersBefore = BufferPool.Outstanding;

    [Fact]
    public void A_request_that_was_refused_is_not_continued_when_the_generations_of_its_slot_have_wrapped()
    {
        var (peer, _) = Accepting(MethodShape.Unary);
        peer.Begin(FrameKind.Request, s_id, 5_000_000, [0, 0, 0, 0]); // too large: whoever reads the answer in time sends nothing more
        Assert.Equal(FrameKind.Fail, peer.Read().Kind);

        CallOnce(peer, fromGeneration: 2, toGeneration: CallId.GenerationMask + 1);
        peer.Request(s_id, 1, [42]);

        Assert.Equal([42], peer.Read().Payload);
        Assert.Null(peer.Owner.End);
    }

    [Fact]
    public void An_item_that_the_answer_cut_is_not_continued_when_the_generations_of_its_slot_have_wrapped()
    {
        var (peer, method) = Accepting(MethodShape.RequestStream);
        peer.RequestStream(s_id, 0);
        peer.Begin(FrameKind.RequestItem, s_id, 100_000);
        method.Pending[0].Reply([1]);
        peer.ReadAll();

        CallOnce(peer, fromGeneration: 2, toGeneration: CallId.GenerationMask + 1);
        peer.RequestStream(s_id, 0);
        peer.SendFrame(FrameKind.RequestItem, s_id, [1, 2, 3]);

        Assert.Equal([1, 2, 3], Assert.Single(method.Items[1].Bodies));
        Assert.Null(peer.Owner.End);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void An_item_that_the_answer_cut_gives_its_memory_back_when_the_slot_begins_another_call(bool isFull)
    {
        var (peer, method) = Accepting(MethodShape.RequestStream);
        peer.RequestStream(s_id, 0);
        peer.Begin(FrameKind.RequestItem, s_id, 100_000);
        peer.Continue(FrameKind.RequestItem, s_id, new byte[10_000]);
        method.Pending[0].Reply([1]);
        peer.ReadAll();
        Assert.Equal(_buffersBefore + 1, BufferPool.Outstanding);

        if (isFull) peer.RequestStream(s_next, 0);
        else CallOnce(peer, fromGeneration: 2, toGeneration: 2);

        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Fact]
    public void A_continuation_of_a_refused_request_is_a_violation_once_its_slot_has_begun_another_call()
    {
        var (peer, _) = Accepting(MethodShape.Unary);
        peer.Begin(FrameKind.Request, s_id, 5_000_000, [0, 0, 0, 0]);
        peer.Continue(FrameKind.Request, s_id, new byte[1_000]); // crossed with the answer
        peer.Request(s_next, 0, []);
        Assert.Null(peer.Owner.End);

        peer.Continue(FrameKind.Request, s_id, new byte[1_000]);

        Assert.Equal(CloseReason.ProtocolError, peer.Owner.End?.Reason);
    }

    [Fact]
    public void An_item_of_a_call_that_was_given_up_goes_with_the_reply_in_fragments_that_frees_the_slot()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var call = peer.CallStream(new MethodDescriptor("test", "Down", MethodShape.ResponseStream, takesToken: false));
        peer.Begin(FrameKind.ResponseItem, s_id, 100_000);
        peer.Continue(FrameKind.ResponseItem, s_id, new byte[10_000]);
        CallHolder.Cancel(call);
        Assert.Equal(_buffersBefore + 1, BufferPool.Outstanding);

        peer.Begin(FrameKind.Response, s_id, 10);
        peer.Continue(FrameKind.Response, s_id, new byte[10], isLast: true);

        Assert.Null(peer.Owner.End);
        Assert.Equal((_buffersBefore, 0), (BufferPool.Outstanding, peer.Sut.Initiator.OpenCount));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_message_of_a_call_that_was_given_up_makes_way_for_one_that_somebody_waits_for(bool isItem)
    {
        var peer = ScriptedPeer.Open(accepting: false, new ConnectionOptions { ReassemblyLimit = 70_000 });
        var descriptor = new MethodDescriptor("test", "Down", isItem ? MethodShape.ResponseStream : MethodShape.Unary, takesToken: false);
        OutgoingCall given = isItem ? peer.CallStream(descriptor) : peer.Call(descriptor, []);
        var kind = isItem ? FrameKind.ResponseItem : FrameKind.Response;
        peer.Begin(kind, given.Id, 60_000);
        peer.Continue(kind, given.Id, new byte[10_000]);
        CallHolder.Cancel(given);

        var call = peer.Call(new MethodDescriptor("test", "Other", MethodShape.Unary, takesToken: false), []);
        peer.Begin(FrameKind.Response, call.Id, 60_000);
        peer.Continue(FrameKind.Response, call.Id, new byte[60_000], isLast: true);

        Assert.Equal(60_000, call.Response?.Length);
        peer.Continue(kind, given.Id, new byte[50_000], isLast: true); // what crossed with CANCEL
        Assert.Null(peer.Owner.End);
        Assert.Equal((_buffersBefore, 0L), (BufferPool.Outstanding, peer.Sut.Reassembly.Used));
    }

    [Fact]
    public void A_reply_that_is_not_taken_is_noted_before_its_caller_hears_of_it_who_may_lose_the_turn()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var call = peer.Call(new MethodDescriptor("test", "Small", MethodShape.Unary, takesToken: false) { Choices = new MethodChoices { MaxMessageBytes = 1_000 } }, []);
        Exception? thrown = null;
        call.OnDone = () =>
        {
            var turn = Turn.Current!;
            turn.EnterUser(null);
            var successor = new Thread(() => thrown = Record.Exception(() =>
            {
                // The caller's code blocks: another thread goes on with the turn, and there the rest of the reply is.
                Assert.True(turn.TryTakeOver(turn.Word));
                peer.Link.Handler.OnReceived(ScriptedPeer.Frame(FrameKind.Response, call.Id, new byte[30_000], FrameFlags.More));
                peer.Link.Handler.OnReceived(ScriptedPeer.Frame(FrameKind.Response, call.Id, new byte[30_000]));
                peer.Link.Handler.OnBatchEnd();
            }));
            successor.Start();
            successor.Join();
            turn.TryLeaveUser();
        };

        peer.Link.Handler.OnReceived(ScriptedPeer.Frame(FrameKind.Response, call.Id, [0x60, 0xEA, 0, 0], FrameFlags.More)); // 60,000

        Assert.Null(thrown);
        Assert.Null(peer.Owner.End);
        Assert.Equal((MuxStatus.ResourceExhausted, 0), (call.Failure?.Status, peer.Sut.Initiator.OpenCount));
    }

    /// <summary>A server with one method of a shape and one that answers at once.</summary>
    private static (ScriptedPeer Peer, ProbeMethod Method) Accepting(MethodShape shape)
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var method = peer.Methods.Add("test/Method", shape);
        peer.Methods.Add("test/Echo").Handler = body => body;
        peer.Define(0, "test/Method", shape);
        peer.Define(1, "test/Echo");
        return (peer, method);
    }

    private static void CallOnce(ScriptedPeer peer, uint fromGeneration, uint toGeneration)
    {
        for (uint generation = fromGeneration; generation <= toGeneration; generation++)
        {
            peer.Request(new CallId(s_id.Slot, generation & CallId.GenerationMask), 1, [7]);
            Assert.Equal(FrameKind.Response, peer.Read().Kind);
        }
    }
}
