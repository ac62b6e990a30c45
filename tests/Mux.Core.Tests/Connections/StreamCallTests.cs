using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>Streams and large messages of calls that this side makes, frame by frame.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class StreamCallTests : IDisposable
{
    private static readonly MethodDescriptor s_up = Describe("Up", MethodShape.RequestStream), s_down = Describe("Down", MethodShape.ResponseStream), s_both = Describe("Both", MethodShape.Duplex);
    private static readonly MethodDescriptor s_unary = Describe("Unary", MethodShape.Unary), s_oneWay = Describe("OneWay", MethodShape.OneWay);
    private static readonly CallId s_id = new(1, 1);
    private static readonly byte[] s_fail = [(byte)MuxStatus.ResourceExhausted, 0, 0, 0, 0, 0, 0, 0];

    private readonly long _buffersBefore = BufferPool.Outstanding;
    private readonly ManualWork _work = new();
    private ScriptedPeer _peer = null!;

    public void Dispose()
    {
        _peer.End();
        _work.RunAll();
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
        Assert.Equal(0L, _peer.Sut.StreamBudget.Used);
    }

    [Fact]
    public void A_request_stream_is_announced_and_its_items_and_end_follow()
    {
        Open();
        var call = _peer.CallStream(s_up, [9]);
        Assert.True(call.IsAppended);
        call.Send([1, 2, 3]);
        call.Send([]);
        call.Requests!.End();

        var frames = _peer.ReadAll();

        Assert.Equal([FrameKind.Define, FrameKind.Request, FrameKind.RequestItem, FrameKind.RequestItem, FrameKind.RequestEnd], frames.Select(frame => frame.Kind));
        Assert.Equal((byte)MethodShape.RequestStream, frames[0].Payload[2]);
        Assert.Equal([0, 0, (byte)RequestOptions.Stream, 0, 9], frames[1].Payload);
        Assert.Equal([1, 2, 3], frames[2].Payload);
        Assert.Empty(frames[3].Payload);
        _peer.Respond(s_id, [5]);
        Assert.Equal([5], call.Response);
    }

    [Fact]
    public void Items_stay_behind_a_large_request_and_other_calls_pass()
    {
        Open(settings: new PeerSettings { BulkCredit = 1 });
        var call = _peer.CallStream(s_up, new byte[50_000]);
        call.Send([1]);
        call.Requests!.End();
        _peer.Call(s_unary, [7]);
        Assert.Equal([FrameKind.Define, FrameKind.Request, FrameKind.Request, FrameKind.Define, FrameKind.Request], _peer.ReadAll().Select(frame => frame.Kind));

        _peer.Credit(FrameKind.Credit, default, 100_000);

        var frames = _peer.ReadAll();
        Assert.Equal([FrameKind.Request, FrameKind.RequestItem, FrameKind.RequestEnd], frames.Select(frame => frame.Kind));
        Assert.Equal(FrameFlags.None, frames[0].Header.Flags);
    }

    [Fact]
    public void Items_of_a_reply_reach_the_caller_and_their_credit_goes_back()
    {
        Open(new PeerSettings { StreamCredit = 1_000 });
        var call = _peer.CallStream(s_down);
        Assert.Equal(1_000, _peer.Sut.StreamBudget.Used);
        _peer.ReadAll();
        _peer.SendFrame(FrameKind.ResponseItem, s_id, new byte[492]);
        _peer.Begin(FrameKind.ResponseItem, s_id, 5_000);
        _peer.Continue(FrameKind.ResponseItem, s_id, new byte[1_000]);
        _peer.Continue(FrameKind.ResponseItem, s_id, new byte[4_000], isLast: true);
        Assert.Equal([492, 5_000], call.Received.Bodies.Select(body => body.Length));
        Assert.Equal([500, 64 + 1_008 + 4_008], call.Received.Costs);

        call.Received.Take();
        Assert.Equal([500, 5_080], StreamCreditTests.Credits(_peer, FrameKind.ResponseCredit));
        _peer.Respond(s_id, []);

        Assert.NotNull(call.Response);
        Assert.Equal(0, _peer.Sut.StreamBudget.Used);
        call.Received.Window!.OnTaken(1_000);
        Assert.Empty(_peer.ReadAll());
    }

    [Fact]
    public async Task A_request_stream_waits_for_credit()
    {
        Open(settings: new PeerSettings { StreamCredit = 64 });
        var call = _peer.CallStream(s_up);
        call.Send([1]);
        Assert.False(call.Requests!.HasCredit);
        var wait = call.Requests.WaitAsync().AsTask();

        _peer.Credit(FrameKind.RequestCredit, s_id, 1);
        _work.RunAll();

        Assert.True(wait.IsCompletedSuccessfully);
        Assert.True(await wait);
    }

    [Fact]
    public async Task A_stream_whose_window_never_opens_ends_by_its_deadline()
    {
        Open(settings: new PeerSettings { StreamCredit = 1 });
        var call = new ProbeStreamCall(s_up);
        call.SetDeadline(_peer.Sut.Clock.Now, 1_000_000);
        _peer.Sut.Initiator.TryStart(call, []);
        call.Send([1]);
        var wait = call.Requests!.WaitAsync().AsTask();
        _peer.ReadAll();

        _peer.Time.Advance(TimeSpan.FromSeconds(1.1));
        _work.RunAll();

        Assert.Equal(MuxStatus.DeadlineExceeded, call.Failure?.Status);
        Assert.True(wait.IsCompletedSuccessfully);
        Assert.False(await wait);
        var cancel = _peer.Read();
        Assert.Equal(FrameKind.Cancel, cancel.Kind);
        Assert.Equal([1], cancel.Payload);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_reply_that_is_not_taken_gives_the_call_up_and_its_fragments_are_forgotten_and_credited(bool isTooLarge)
    {
        Open(new ConnectionOptions { Local = new PeerSettings { BulkCredit = 40_000, MaxMessage = isTooLarge ? 20_000 : 4_000_000 }, ReassemblyLimit = 50_000 });
        var call = _peer.Call(s_unary, []);
        _peer.ReadAll();

        _peer.Begin(FrameKind.Response, s_id, 60_000);

        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.Executed), (call.Failure!.Status, call.Failure.Execution));
        var cancel = _peer.Read();
        Assert.Equal((FrameKind.Cancel, s_id), (cancel.Kind, cancel.Id));
        for (int i = 0; i < 6; i++) _peer.Continue(FrameKind.Response, s_id, new byte[10_000], isLast: i == 5);
        Assert.Equal([20_000, 20_000, 20_000], StreamCreditTests.Credits(_peer, FrameKind.Credit));
        Assert.Equal((1, 0), (_peer.Sut.Received.LateReplies, _peer.Sut.Initiator.OpenCount));
        AssertGoesOn();
    }

    [Fact]
    public void A_large_reply_to_a_call_that_was_cancelled_meanwhile_gives_its_memory_back_at_the_next_fragment()
    {
        Open();
        var call = _peer.Call(s_unary, []);
        _peer.Begin(FrameKind.Response, s_id, 60_000);
        _peer.Continue(FrameKind.Response, s_id, new byte[20_000]);
        CallHolder.Cancel(call);
        Assert.Equal(_buffersBefore + 1, BufferPool.Outstanding);

        _peer.Continue(FrameKind.Response, s_id, new byte[20_000]);

        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
        _peer.SendFrame(FrameKind.Fail, s_id, s_fail); // which cuts it
        Assert.Equal((1, 0), (_peer.Sut.Received.LateReplies, _peer.Sut.Initiator.OpenCount));
        AssertGoesOn();
    }

    [Fact]
    public void An_item_that_is_not_taken_gives_the_call_up_and_the_rest_is_dropped()
    {
        Open(new PeerSettings { MaxMessage = 20_000, StreamCredit = 100 });
        var call = _peer.CallStream(s_down);
        _peer.ReadAll();

        _peer.Begin(FrameKind.ResponseItem, s_id, 100_000);
        for (int i = 0; i < 5; i++) _peer.Continue(FrameKind.ResponseItem, s_id, new byte[20_000], isLast: i == 4);

        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.Executed), (call.Failure!.Status, call.Failure.Execution));
        Assert.Equal(FrameKind.Cancel, Assert.Single(_peer.ReadAll()).Kind);
        Assert.Equal(5, _peer.Sut.Received.DiscardedFrames);
        _peer.Respond(s_id, []);
        AssertGoesOn();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void An_item_that_stays_unfinished_is_dropped_with_the_late_answer(bool isFail)
    {
        Open();
        var call = _peer.CallStream(s_down);
        _peer.Begin(FrameKind.ResponseItem, s_id, 100_000);
        CallHolder.Cancel(call);

        if (isFail) _peer.SendFrame(FrameKind.Fail, s_id, s_fail);
        else _peer.Respond(s_id, []);

        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
        AssertGoesOn();
    }

    [Fact]
    public void A_FAIL_may_come_inside_an_item()
    {
        Open();
        var call = _peer.CallStream(s_both);
        _peer.Begin(FrameKind.ResponseItem, s_id, 100_000);

        _peer.SendFrame(FrameKind.Fail, s_id, s_fail);

        Assert.Equal(MuxStatus.ResourceExhausted, call.Failure?.Status);
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
        Assert.False(call.Send([1]));
        AssertGoesOn();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Metadata_above_the_limit_fails_the_call_and_only_one_that_goes_on_is_cancelled(bool isWhole)
    {
        Open();
        var call = _peer.Call(s_unary, []);
        _peer.ReadAll();
        byte[] block = MetadataOf(65);

        if (isWhole) _peer.SendFrame(FrameKind.Response, s_id, [.. block, 1, 2], FrameFlags.Meta);
        else _peer.SendFrame(FrameKind.Response, s_id, [10, 0, 0, 0, .. block], FrameFlags.Meta | FrameFlags.More);

        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.Executed), (call.Failure!.Status, call.Failure.Execution));
        Assert.Equal(isWhole ? [] : [FrameKind.Cancel], _peer.ReadAll().Select(frame => frame.Kind));
        if (!isWhole) _peer.Continue(FrameKind.Response, s_id, new byte[10], isLast: true);
        Assert.Equal(0, _peer.Sut.Initiator.OpenCount);
        AssertGoesOn();
    }

    [Fact]
    public void A_large_request_that_is_cancelled_or_answered_is_sent_no_further()
    {
        Open(settings: new PeerSettings { BulkCredit = 1 });
        var cancelled = _peer.Call(s_unary, new byte[100_000]);
        var answered = _peer.Call(s_unary, new byte[100_000]);
        Assert.Equal([8, 32_768], _peer.ReadAll().Where(frame => frame.Id == s_id).Select(frame => frame.Header.Length));

        CallHolder.Cancel(cancelled);
        _peer.SendFrame(FrameKind.Fail, answered.Id, s_fail);
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
        _peer.Credit(FrameKind.Credit, default, 1_000_000);

        Assert.Equal(FrameKind.Cancel, Assert.Single(_peer.ReadAll()).Kind);
    }

    [Fact]
    public void A_large_one_way_request_that_is_refused_is_sent_no_further_and_its_slot_is_free()
    {
        Open(settings: new PeerSettings { BulkCredit = 1 });
        var call = _peer.Call(s_oneWay, new byte[100_000]);
        Assert.True(call.Appended);
        _peer.ReadAll();

        _peer.SendFrame(FrameKind.Fail, s_id, s_fail);
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
        _peer.Credit(FrameKind.Credit, default, 1_000_000);

        Assert.Empty(_peer.ReadAll());
        var next = _peer.Call(s_oneWay, new byte[20_000]);
        Assert.Equal(new CallId(1, 2), next.Id);
        Assert.Equal(20_000 + 4, Assert.Single(_peer.ReadMessages()).Payload.Length);
        _peer.Respond(next.Id, []);
    }

    [Fact]
    public void A_large_reply_to_a_one_way_call_is_ignored()
    {
        Open();
        _peer.Call(s_oneWay, [1]);

        _peer.Begin(FrameKind.Response, s_id, 100);
        _peer.Continue(FrameKind.Response, s_id, new byte[100], isLast: true);

        AssertGoesOn();
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Fact]
    public void A_call_that_cannot_be_defined_holds_nothing_of_the_stream_budget()
    {
        Open(settings: new PeerSettings { MaxOrdinals = 0 });

        var call = _peer.CallStream(s_down);

        Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted), (call.Failure!.Status, call.Failure.Execution));
        Assert.Equal(0, _peer.Sut.StreamBudget.Used);
    }

    [Fact]
    public void Calls_whose_streams_would_hold_too_much_fail_before_a_byte_is_sent()
    {
        Open(new ConnectionOptions { Local = new PeerSettings { StreamCredit = 1_000 }, StreamLimit = 1_500 });
        _peer.CallStream(s_down);
        _peer.ReadAll();

        var call = _peer.CallStream(s_down);

        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), (call.Failure!.Status, call.Failure.Execution));
        Assert.Empty(_peer.ReadAll());
    }

    [Fact]
    public void An_item_above_the_peers_limit_is_not_sent()
    {
        Open(settings: new PeerSettings { MaxMessage = 20_000 });
        var call = _peer.CallStream(s_up);
        _peer.ReadAll();

        var error = Assert.Throws<MuxException>(() => call.Send(new byte[20_001]));

        Assert.Equal(MuxStatus.ResourceExhausted, error.Status);
        Assert.Contains("MaxMessageBytes of the server (MuxServerOptions) is 20000", error.Message, StringComparison.Ordinal);
        Assert.Empty(_peer.ReadAll());
        call.Requests!.Release();
        Assert.True(call.Send([1]));
    }

    [Theory]
    [InlineData(0, MuxExecution.NotExecuted)]
    [InlineData(21, MuxExecution.NotExecuted)] // the definition
    [InlineData(22, MuxExecution.MayHaveExecuted)]
    public void Calls_of_which_nothing_was_offered_are_not_executed_behind_large_ones(int taken, MuxExecution expected)
    {
        Open();
        _peer.Link.Capacity = _peer.Link.SentBytes + taken;
        var large = _peer.Call(s_unary, new byte[200_000]);
        var small = _peer.Call(s_unary, [1]);

        _peer.End();

        Assert.Equal(expected, large.Failure!.Execution);
        Assert.Equal(MuxExecution.NotExecuted, small.Failure!.Execution);
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
        _peer = ScriptedPeer.Open(accepting: false);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void The_end_of_the_connection_gives_everything_back_and_decides_the_call(int state)
    {
        Open(settings: new PeerSettings { BulkCredit = 1, StreamCredit = 1 });
        var call = _peer.CallStream(s_both, state == 0 ? new byte[100_000] : []);
        switch (state)
        {
            case 1: // an unfinished item of the reply
                _peer.Begin(FrameKind.ResponseItem, s_id, 50_000);
                _peer.Continue(FrameKind.ResponseItem, s_id, new byte[30_000]);
                break;
            case 2: // items in the lane
                _peer.StopReading();
                call.Send(new byte[200_000]);
                break;
            case 3: // an unfinished reply of another call
                _peer.Begin(FrameKind.Response, _peer.Call(s_unary, []).Id, 50_000);
                break;
            case 4: // a call that waits
                _peer.StopReading();
                call.Send(new byte[1_200_000]);
                _peer.Call(s_unary, new byte[100_000]);
                break;
        }

        _peer.End();
        _work.RunAll();

        Assert.Equal(MuxStatus.Unavailable, call.Failure?.Status);
        Assert.False(call.Send([1]));
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
        Assert.Equal((0, 0L), (_peer.Sut.Initiator.WaitingCount, _peer.Sut.StreamBudget.Used));
        _peer = ScriptedPeer.Open(accepting: false);
    }

    private void Open(PeerSettings local) => Open(new ConnectionOptions { Local = local });

    private void Open(ConnectionOptions? options = null, PeerSettings? settings = null) =>
        _peer = ScriptedPeer.Open(accepting: false, (options ?? new ConnectionOptions()) with { Work = _work }, settings);

    private void AssertGoesOn()
    {
        var call = _peer.Call(s_unary, [1]);
        _peer.Respond(call.Id, [2]);
        Assert.Equal([2], call.Response);
        Assert.Null(_peer.Owner.End);
    }

    private static byte[] MetadataOf(int count)
    {
        var metadata = new MuxMetadata();
        for (int i = 0; i < count; i++) metadata.Add("k", "v");
        var block = new byte[MetadataBlock.Measure(metadata, out _)];
        MetadataBlock.Write(block, metadata);
        return block;
    }

    private static MethodDescriptor Describe(string name, MethodShape shape) => new("test", name, shape, takesToken: false);
}
