using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>What a side takes at most of one method, at both ends: whatever is more ends its call, also if it comes in one frame, and never the connection.</summary>
public sealed class MethodLimitTests
{
    private const int Limit = 100;

    private static readonly MethodDescriptor s_unary = Describe("Unary", MethodShape.Unary), s_up = Describe("Up", MethodShape.RequestStream), s_down = Describe("Down", MethodShape.ResponseStream);
    private static readonly CallId s_id = new(1, 1);
    private static readonly byte[] s_metadata = [5, 0, 1, (byte)'a', 1, 0, 9];

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_reply_above_the_limit_of_its_method_fails_its_call_alone(bool hasMetadata)
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var call = peer.Call(s_unary, [1]);
        peer.ReadAll();

        if (hasMetadata) peer.SendFrame(FrameKind.Response, s_id, [.. s_metadata, .. new byte[Limit + 1]], FrameFlags.Meta);
        else peer.Respond(s_id, new byte[Limit + 1]);

        AssertTooLarge(call.Failure, Limit + 1, Limit);
        var tally = peer.Sut.Initiator.TurnTally;
        Assert.Equal((1L, 1L, 0), (tally.CountOf(s_unary, MuxStatus.ResourceExhausted), tally.Total, peer.Sut.Initiator.OpenCount));
        Assert.Empty(peer.ReadAll()); // the call is over at the peer: there is nothing to cancel
        AssertTakesReply(peer, Limit);
    }

    [Fact]
    public void A_reply_to_a_request_stream_above_the_limit_of_its_method_fails_its_call_alone()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var call = peer.CallStream(s_up);
        peer.ReadAll();

        peer.Respond(s_id, new byte[Limit + 1]);

        AssertTooLarge(call.Failure, Limit + 1, Limit);
        Assert.False(call.Send([1]));
        Assert.Empty(peer.ReadAll());
        AssertTakesReply(peer, Limit);
    }

    [Fact]
    public void A_reply_in_one_frame_above_the_limit_of_this_side_fails_its_call_alone()
    {
        const int Own = 20_000;
        var peer = ScriptedPeer.Open(accepting: false, new ConnectionOptions { Local = new PeerSettings { MaxMessage = Own } });
        var method = new MethodDescriptor("test", "Unlimited", MethodShape.Unary, takesToken: false);
        var call = peer.Call(method, []);

        peer.Respond(s_id, new byte[Own + 1]);

        AssertTooLarge(call.Failure, Own + 1, Own);
        AssertTakesReply(peer, Limit);
    }

    [Fact]
    public void An_item_of_a_reply_above_the_limit_of_its_method_gives_its_call_up()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var call = peer.CallStream(s_down);
        peer.ReadAll();
        peer.SendFrame(FrameKind.ResponseItem, s_id, new byte[Limit]);
        Assert.Single(call.Received.Bodies);

        peer.SendFrame(FrameKind.ResponseItem, s_id, new byte[Limit + 1]);

        AssertTooLarge(call.Failure, Limit + 1, Limit);
        Assert.Equal([FrameKind.Cancel], peer.ReadAll().Select(frame => frame.Kind));
        peer.SendFrame(FrameKind.ResponseItem, s_id, [1]);
        Assert.Single(call.Received.Bodies);
        peer.Respond(s_id, []);
        AssertTakesReply(peer, Limit);
    }

    [Fact]
    public void A_body_where_there_is_no_reply_is_ignored_however_long_it_is()
    {
        var peer = ScriptedPeer.Open(accepting: false);
        var stream = peer.CallStream(s_down);
        peer.Call(Describe("OneWay", MethodShape.OneWay), []);
        peer.ReadAll();

        peer.Respond(s_id, new byte[Limit + 1]);
        peer.Respond(new CallId(2, 1), new byte[Limit + 1]);

        Assert.Null(stream.Failure);
        Assert.NotNull(stream.Response);
        Assert.Equal(0, peer.Sut.Initiator.OpenCount);
        Assert.Empty(peer.ReadAll());
    }

    [Theory]
    [InlineData(0)]
    [InlineData((int)MuxCallPriority.High)]
    public void A_request_above_the_limit_of_its_method_is_refused_alone(int options)
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var method = peer.Methods.Add("test/Limited", maxMessage: Limit);
        method.Handler = static _ => [];
        peer.Define(0, "test/Limited");

        Request(s_id, Limit + 1);
        Request(new CallId(2, 1), Limit);

        AssertRefused(peer.Read(), $"The request is {Limit + 1} bytes; MaxMessageBytes allows {Limit}.", MuxExecution.NotExecuted);
        Assert.Equal(FrameKind.Response, peer.Read().Kind);
        Assert.Equal([Limit], method.Bodies.Select(body => body.Length));

        void Request(CallId id, int length) => peer.SendFrame(FrameKind.Request, id, [0, 0, (byte)options, 0, .. new byte[length]]);
    }

    [Fact]
    public void The_request_beside_a_stream_above_the_limit_of_its_method_is_refused_alone()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var method = peer.Methods.Add("test/LimitedUp", MethodShape.RequestStream, maxMessage: Limit);
        peer.Define(0, "test/LimitedUp", MethodShape.RequestStream);

        peer.RequestStream(s_id, 0, new byte[Limit + 1]);

        AssertRefused(peer.Read(), $"The request is {Limit + 1} bytes; MaxMessageBytes allows {Limit}.", MuxExecution.NotExecuted);
        Assert.Empty(method.Items);
        Assert.Equal(0, peer.Sut.StreamBudget.Used);
        Assert.Equal(ConnectionState.Open, peer.Sut.State);
    }

    [Fact]
    public void An_item_of_a_request_above_the_limit_of_its_method_ends_the_stream_at_its_handler()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var method = peer.Methods.Add("test/LimitedUp", MethodShape.RequestStream, maxMessage: Limit);
        peer.Define(0, "test/LimitedUp", MethodShape.RequestStream);
        peer.RequestStream(s_id, 0);
        peer.SendFrame(FrameKind.RequestItem, s_id, new byte[Limit]);

        peer.SendFrame(FrameKind.RequestItem, s_id, new byte[Limit + 1]);
        peer.SendFrame(FrameKind.RequestItem, s_id, [1]);

        var items = Assert.Single(method.Items);
        Assert.Equal([Limit], items.Bodies.Select(body => body.Length));
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.Executed), (items.Failure!.Status, items.Failure.Execution));
        Assert.Equal($"An item is {Limit + 1} bytes; MaxMessageBytes allows {Limit}.", items.Failure.Text);
        method.Pending[0].Reply([]); // the handler may still answer
        Assert.Equal([FrameKind.Response], peer.ReadAll().Select(frame => frame.Kind));
        Assert.Equal(ConnectionState.Open, peer.Sut.State);
    }

    private static void AssertTooLarge(CallFailure? failure, int length, int limit)
    {
        Assert.NotNull(failure);
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.Executed, MuxCallPhase.Decode), (failure.Status, failure.Execution, failure.Phase));
        Assert.Equal($"The peer sent a message of {length} bytes; MaxMessageBytes allows {limit}.", failure.Text);
    }

    private static void AssertRefused(RawFrame frame, string text, MuxExecution execution)
    {
        Assert.True(FailFrame.TryRead(frame.Payload, out var fail, out _));
        Assert.Equal(((byte)MuxStatus.ResourceExhausted, execution, text), (fail.Status, fail.Execution, fail.Text));
    }

    /// <summary>The connection goes on, and the slot of the call that failed is free.</summary>
    private static void AssertTakesReply(ScriptedPeer peer, int length)
    {
        var call = peer.Call(s_unary, []);
        Assert.Equal(new CallId(1, 2), call.Id);
        peer.Respond(call.Id, new byte[length]);
        Assert.Equal(length, call.Response?.Length);
        Assert.Equal(ConnectionState.Open, peer.Sut.State);
    }

    private static MethodDescriptor Describe(string name, MethodShape shape) => new("test", name, shape, takesToken: false) { Choices = new MethodChoices { MaxMessageBytes = Limit } };
}
