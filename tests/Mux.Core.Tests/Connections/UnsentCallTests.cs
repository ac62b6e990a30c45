using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;
using Mux.Transports;

namespace Mux.Core.Tests.Connections;

/// <summary>Calls that a connection had not sent when it ended go back to an owner that accepts them, and another connection sends the same requests.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class UnsentCallTests
{
    private static readonly MethodDescriptor s_echo = new("test", "Echo", MethodShape.Unary, takesToken: false);
    private static readonly MethodDescriptor s_watch = new("test", "Watch", MethodShape.ResponseStream, takesToken: false);
    private static readonly MethodDescriptor s_upload = new("test", "Upload", MethodShape.RequestStream, takesToken: false);
    private static readonly MethodDescriptor s_tell = new("test", "Tell", MethodShape.OneWay, takesToken: false);

    private readonly long _buffersBefore = BufferPool.Outstanding;

    [Fact]
    public void Calls_that_wait_when_the_connection_ends_go_back_in_order_with_their_requests()
    {
        var peer = ScriptedPeer.Open(accepting: false, settings: new PeerSettings { MaxCalls = 1 }, takesUnsent: true);
        var sent = peer.Call(s_echo, [9]);
        var waiting = Enumerable.Range(0, 5).Select(i => peer.Call(s_echo, [(byte)i])).ToList();

        peer.End(LinkCloseCause.Reset);

        Assert.Equal(MuxExecution.MayHaveExecuted, sent.Failure?.Execution);
        Assert.Equal(waiting, peer.Owner.Unsent.Select(unsent => unsent.Call));
        Assert.Equal([0, 1, 2, 3, 4], peer.Owner.Unsent.Select(unsent => unsent.Call.Body![0]));
        Assert.All(peer.Owner.Unsent, unsent => Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted), (unsent.Failure.Status, unsent.Failure.Execution)));
        Assert.Equal(1, peer.Sut.Initiator.Started); // the others count where they are sent
        Assert.Equal(1, peer.Sut.Initiator.LockedTally.Total);
        ReleaseAll(peer);
    }

    [Fact]
    public void Calls_that_wait_for_a_dial_go_back_when_it_fails_and_their_failure_says_that_nothing_was_connected()
    {
        var peer = new ScriptedPeer(accepting: false, takesUnsent: true);
        var call = peer.Call(s_echo, [1]);

        peer.End(LinkCloseCause.ConnectFailed, new InvalidOperationException("Nobody listens."));

        var (unsent, failure) = Assert.Single(peer.Owner.Unsent);
        Assert.Equal((call, MuxCallPhase.Connect, false), (unsent, failure.Phase, call.IsDone));
        ReleaseAll(peer);
    }

    [Fact]
    public void An_open_call_whose_request_is_in_the_queue_goes_back_with_the_bytes_of_it()
    {
        var peer = ScriptedPeer.Open(accepting: false, takesUnsent: true);
        peer.Call(s_echo, []); // defines the method
        peer.Link.Capacity = peer.Link.SentBytes + 3;
        var cut = peer.Call(s_echo, new byte[10]); // three bytes of it leave
        var bodies = Enumerable.Range(0, 2_000).Select(i => Body(100 + (i % 7), i)).ToList();
        var made = bodies.ConvertAll(body => peer.Call(s_echo, body, deadline: TimeSpan.FromSeconds(9)));

        peer.End(LinkCloseCause.Reset);

        Assert.Equal(MuxExecution.MayHaveExecuted, cut.Failure?.Execution);
        Assert.Equal(made.ToHashSet(), [.. peer.Owner.Unsent.Select(unsent => (ProbeCall)unsent.Call)]);
        for (int i = 0; i < made.Count; i++) Assert.Equal(bodies[i], made[i].Body![..made[i].BodyLength]);
        Assert.All(made, call => Assert.Equal((CallPlace.Outside, null), (call.Place, call.Holder)));
        ReleaseAll(peer);
    }

    [Fact]
    public void Bytes_that_a_sender_has_are_not_taken_back_and_those_behind_them_are()
    {
        var peer = ScriptedPeer.Open(accepting: false, takesUnsent: true);
        peer.Call(s_echo, []);
        ProbeCall? behind = null;
        peer.Link.OnSend = () =>
        {
            peer.Link.OnSend = null;
            behind = peer.Call(s_echo, [5, 6, 7]);
            peer.End(LinkCloseCause.Reset);
        };
        var sent = peer.Call(s_echo, [1, 2]);

        Assert.Equal(MuxExecution.MayHaveExecuted, sent.Failure?.Execution);
        Assert.Equal([behind!], peer.Owner.Unsent.Select(unsent => unsent.Call));
        Assert.Equal([5, 6, 7], behind!.Body![..behind.BodyLength]);
        ReleaseAll(peer);
    }

    [Fact]
    public void A_request_with_metadata_goes_back_without_it_because_the_call_has_it()
    {
        var peer = ScriptedPeer.Open(accepting: false, takesUnsent: true);
        peer.StopReading();
        var call = new ProbeCall(s_echo) { Extras = new CallExtras { Metadata = new MuxMetadata { ["tenant"] = "7" } } };
        Assert.True(peer.Sut.Initiator.TryStart(call, [1, 2, 3]));

        peer.End(LinkCloseCause.Reset);

        Assert.Equal([call], peer.Owner.Unsent.Select(unsent => unsent.Call));
        Assert.Equal([1, 2, 3], call.Body![..call.BodyLength]);
        ReleaseAll(peer);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void A_large_request_goes_back_whole_even_if_fragments_of_it_were_made(int sentBefore)
    {
        byte[] body = Body(200_000, 1);
        var peer = ScriptedPeer.Open(accepting: false, takesUnsent: true);
        peer.StopReading();
        for (int i = 0; i < sentBefore; i++) peer.Call(s_echo, [1]); // its batch is refused, and the next one begins after it
        var call = new ProbeCall(s_echo) { Bulk = BulkMessage.Copy(body) };
        Assert.True(peer.Sut.Initiator.TryStart(call, []));

        peer.End(LinkCloseCause.Reset);

        Assert.Contains(call, peer.Owner.Unsent.Select(unsent => unsent.Call));
        var next = ScriptedPeer.Open(accepting: false);
        Assert.True(next.Sut.Initiator.TryStart(call, []));
        Assert.Equal(body, next.ReadMessages()[^1].Payload[^body.Length..]);
        next.End(LinkCloseCause.Reset);
        ReleaseAll(peer);
    }

    [Fact]
    public void A_call_whose_response_is_a_stream_goes_back_and_opens_its_stream_on_the_next_connection()
    {
        var peer = ScriptedPeer.Open(accepting: false, takesUnsent: true);
        peer.StopReading();
        var call = new ProbeStreamCall(s_watch) { MayBeginAgain = true };
        Assert.True(peer.Sut.Initiator.TryStart(call, [4]));

        peer.End(LinkCloseCause.Reset);

        Assert.Equal([call], peer.Owner.Unsent.Select(unsent => unsent.Call));
        Assert.Equal(0, peer.Sut.StreamBudget.Used);
        var next = ScriptedPeer.Open(accepting: false);
        Assert.True(next.Sut.Initiator.TryStart(call, call.Body.AsSpan(0, call.BodyLength)));
        CallQueue.ReleaseBody(call);
        var id = next.ReadAll()[^1].Id;
        next.SendFrame(FrameKind.ResponseItem, id, [8]);
        Assert.Equal([8], Assert.Single(call.Received.Bodies));
        next.End(LinkCloseCause.Reset);
        ReleaseAll(peer);
    }

    [Fact]
    public void A_call_whose_request_stream_has_begun_fails_as_not_executed()
    {
        var peer = ScriptedPeer.Open(accepting: false, takesUnsent: true);
        peer.StopReading();
        var call = peer.CallStream(s_upload);
        Assert.True(call.IsAppended);

        peer.End(LinkCloseCause.Reset);

        Assert.Empty(peer.Owner.Unsent);
        Assert.Equal(MuxExecution.NotExecuted, call.Failure?.Execution);
        ReleaseAll(peer);
    }

    [Fact]
    public void A_one_way_call_in_the_queue_is_over_for_its_caller_and_does_not_go_back()
    {
        var peer = ScriptedPeer.Open(accepting: false, takesUnsent: true);
        peer.StopReading();
        var call = peer.Call(s_tell, [1]);

        peer.End(LinkCloseCause.Reset);

        Assert.True(call.Appended);
        Assert.Empty(peer.Owner.Unsent);
    }

    [Fact]
    public void A_connection_that_ends_in_order_sends_its_queue_so_its_open_calls_do_not_go_back()
    {
        var peer = ScriptedPeer.Open(accepting: false, takesUnsent: true);
        peer.StopReading();
        var call = peer.Call(s_echo, [1]);

        peer.Sut.Close(new ConnectionEnd(CloseReason.Idle, "Over."), new GoAwayFrame(ConnectionCode.IdleTimeout, 0, string.Empty));

        Assert.Empty(peer.Owner.Unsent);
        Assert.Equal(MuxExecution.MayHaveExecuted, call.Failure?.Execution);
        peer.End(LinkCloseCause.Reset);
    }

    [Fact]
    public void Without_such_an_owner_unsent_calls_fail()
    {
        var peer = ScriptedPeer.Open(accepting: false, settings: new PeerSettings { MaxCalls = 1 });
        peer.StopReading();
        var (open, waiting) = (peer.Call(s_echo, [1]), peer.Call(s_echo, [2]));

        peer.End(LinkCloseCause.Reset);

        Assert.Equal((MuxExecution.NotExecuted, MuxExecution.NotExecuted), (open.Failure?.Execution, waiting.Failure?.Execution));
    }

    private static byte[] Body(int length, int seed)
    {
        var body = new byte[length];
        new Random(seed).NextBytes(body);
        return body;
    }

    /// <summary>Releases the requests of the calls, after which no buffer is missing.</summary>
    private void ReleaseAll(ScriptedPeer peer)
    {
        foreach (var (call, _) in peer.Owner.Unsent) CallQueue.ReleaseBody(call);
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }
}
