using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>Streams and large messages of calls that the peer makes, frame by frame.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class AcceptedStreamTests : IDisposable
{
    private static readonly CallId s_id = new(1, 1), s_second = new(2, 1);

    private readonly long _buffersBefore = BufferPool.Outstanding;
    private readonly ManualWork _work = new();
    private ScriptedPeer _peer = null!;
    private ProbeMethod _method = null!, _echo = null!;

    public void Dispose()
    {
        // Whatever the connection was at: its end gives everything back.
        if (_peer.Owner.Released) return;
        _peer.End();
        _work.RunAll();
        foreach (var call in _method.Pending.Where(call => call.Replies.Slots.Find(call.Id) == RequestSlots.Relation.Open)) call.Reply([]);
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
        Assert.Equal((0, 0L), (_peer.Sut.RequestCounts.OpenCount, _peer.Sut.StreamBudget.Used));
    }

    [Fact]
    public void Items_reach_the_handler_with_their_cost_and_their_end()
    {
        Open(MethodShape.RequestStream);
        _peer.SendFrame(FrameKind.RequestItem, s_id, [1, 2, 3]);
        _peer.Send([.. ScriptedPeer.Frame(FrameKind.RequestItem, s_id, []), .. ScriptedPeer.Frame(FrameKind.RequestItem, s_id, new byte[100])]);
        var items = Assert.Single(_method.Items);

        Assert.Equal([3, 0, 100], items.Bodies.Select(body => body.Length));
        Assert.Equal([64, 64, 108], items.Costs);
        Assert.Equal((3, true, false), (items.Published, items.InTurn, items.IsEnded));
        _peer.SendFrame(FrameKind.RequestEnd, s_id, []);
        Assert.True(items.IsEnded);
        Assert.Null(items.Failure);

        _method.Pending[0].Reply([7]);
        var reply = Assert.Single(_peer.ReadAll());
        Assert.Equal((FrameKind.Response, s_id), (reply.Kind, reply.Id));
        Assert.Equal([7], reply.Payload);
    }

    [Fact]
    public void Credit_comes_back_when_half_a_window_is_taken()
    {
        Open(MethodShape.RequestStream, new PeerSettings { StreamCredit = 1_000 });
        for (int i = 0; i < 2; i++) _peer.SendFrame(FrameKind.RequestItem, s_id, new byte[400]);
        _method.Items[0].Take(1);
        Assert.Empty(_peer.ReadAll());

        _method.Items[0].Take(1);

        var credit = _peer.Read();
        Assert.Equal((FrameKind.RequestCredit, s_id), (credit.Kind, credit.Id));
        Assert.Equal([0x30, 0x03, 0, 0], credit.Payload); // 816
    }

    [Fact]
    public void A_large_item_is_finished_whatever_is_left_and_the_next_one_needs_credit()
    {
        Open(MethodShape.RequestStream, new PeerSettings { StreamCredit = 100 });
        byte[] body = Bytes(40_000);
        _peer.Begin(FrameKind.RequestItem, s_id, body.Length);
        _peer.Continue(FrameKind.RequestItem, s_id, body.AsSpan(0, 32_768));
        Assert.Empty(_method.Items[0].Bodies);
        _peer.Continue(FrameKind.RequestItem, s_id, body.AsSpan(32_768), isLast: true);
        var items = _method.Items[0];
        Assert.Equal(body, Assert.Single(items.Bodies));
        Assert.Equal([64 + 32_776 + 7_240], items.Costs);
        items.Take();
        Assert.Equal([40_080], StreamCreditTests.Credits(_peer, FrameKind.RequestCredit));
        _peer.SendFrame(FrameKind.RequestItem, s_id, new byte[100]);
        _peer.SendFrame(FrameKind.RequestItem, s_id, new byte[100]);
        AssertGoAway(ConnectionCode.FlowControlError);
    }

    [Fact]
    public void An_answered_call_has_its_items_end_and_credit_discarded()
    {
        Open(MethodShape.Duplex);
        _peer.Begin(FrameKind.RequestItem, s_id, 50_000);
        _method.Pending[0].Reply([]);
        _peer.ReadAll();

        _peer.Continue(FrameKind.RequestItem, s_id, new byte[30_000]);
        _peer.Continue(FrameKind.RequestItem, s_id, new byte[20_000], isLast: true);
        _peer.SendFrame(FrameKind.RequestItem, s_id, [1]);
        _peer.SendFrame(FrameKind.RequestEnd, s_id, []);
        _peer.SendFrame(FrameKind.RequestEnd, s_id, []);
        _peer.Credit(FrameKind.ResponseCredit, s_id, int.MaxValue);
        _peer.SendFrame(FrameKind.Cancel, s_id, [0]);
        Assert.Equal(7, _peer.Sut.Received.DiscardedFrames);
        AssertGoesOn();
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Fact]
    public void A_CANCEL_inside_a_request_answers_it_and_gives_its_memory_back()
    {
        Open(MethodShape.Unary);
        _peer.Begin(FrameKind.Request, s_id, 100_000, [0, 0, 0, 0]);
        _peer.Continue(FrameKind.Request, s_id, new byte[32_768]);
        Assert.Equal(_buffersBefore + 1, BufferPool.Outstanding);

        _peer.SendFrame(FrameKind.Cancel, s_id, [0]);

        AssertFail(_peer.Read(), s_id, MuxStatus.Cancelled, MuxExecution.NotExecuted);
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
        Assert.Empty(_method.Bodies);
        AssertGoesOn(new CallId(1, 2));
    }

    [Fact]
    public void A_CANCEL_inside_an_item_gives_its_memory_back_and_what_follows_is_discarded()
    {
        Open(MethodShape.RequestStream);
        _peer.Begin(FrameKind.RequestItem, s_id, 100_000);
        _peer.Continue(FrameKind.RequestItem, s_id, new byte[32_768]);

        _peer.SendFrame(FrameKind.Cancel, s_id, [0]);
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
        _peer.Continue(FrameKind.RequestItem, s_id, new byte[32_768]);
        _peer.SendFrame(FrameKind.RequestItem, s_id, [1]);
        _peer.SendFrame(FrameKind.RequestEnd, s_id, []);
        Assert.Equal(3, _peer.Sut.Received.DiscardedFrames);
        Assert.Empty(_method.Items[0].Bodies);
        Assert.Empty(_peer.ReadAll());
        AssertGoesOn();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_large_request_that_is_not_taken_is_refused_at_its_first_frame_and_its_credit_comes_back(bool isTooLarge)
    {
        var local = new PeerSettings { BulkCredit = 40_000, MaxMessage = isTooLarge ? 20_000 : 4_000_000 };
        Open(MethodShape.Unary, new ConnectionOptions { Local = local, ReassemblyLimit = 50_000 });
        _peer.Begin(FrameKind.Request, s_id, 60_000, [0, 0, 0, 0]);
        AssertFail(_peer.Read(), s_id, MuxStatus.ResourceExhausted, MuxExecution.NotExecuted);
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);

        for (int i = 0; i < 6; i++) _peer.Continue(FrameKind.Request, s_id, new byte[10_000], isLast: i == 5);
        Assert.Equal([20_000, 20_000, 20_000], StreamCreditTests.Credits(_peer, FrameKind.Credit));
        AssertGoesOn(new CallId(1, 2));
    }

    [Fact]
    public void An_item_that_is_not_taken_ends_its_stream_and_all_of_it_is_discarded_whatever_it_costs()
    {
        Open(MethodShape.RequestStream, new PeerSettings { StreamCredit = 100, MaxMessage = 20_000 });
        _peer.Begin(FrameKind.RequestItem, s_id, 100_000);
        var items = _method.Items[0];
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.Executed), (items.Failure!.Status, items.Failure.Execution));

        for (int i = 0; i < 4; i++) _peer.Continue(FrameKind.RequestItem, s_id, new byte[25_000], isLast: i == 3);
        _peer.SendFrame(FrameKind.RequestItem, s_id, [1]);
        _peer.SendFrame(FrameKind.RequestEnd, s_id, []);
        Assert.Empty(items.Bodies);
        _method.Pending[0].Fail(MuxStatus.ResourceExhausted, MuxExecution.Executed, "x");
        AssertFail(_peer.Read(), s_id, MuxStatus.ResourceExhausted, MuxExecution.Executed);
        AssertGoesOn();
    }

    [Fact]
    public void Items_that_an_answer_cut_make_room_for_others()
    {
        Open(MethodShape.RequestStream, new ConnectionOptions { ReassemblyLimit = 50_000 });
        _peer.Begin(FrameKind.RequestItem, s_id, 40_000);
        _method.Pending[0].Fail(MuxStatus.InvalidArgument, MuxExecution.Executed, "x"); // the rest of the item does not come
        _peer.ReadAll();

        _peer.Begin(FrameKind.Request, s_second, 40_000, [1, 0, 0, 0]);
        _peer.Continue(FrameKind.Request, s_second, Bytes(30_000));
        _peer.Continue(FrameKind.Request, s_second, Bytes(10_000), isLast: true);
        _work.RunAll();
        Assert.Equal(40_000, Assert.Single(_peer.ReadMessages()).Payload.Length);
    }

    [Fact]
    public void Streams_are_refused_when_their_windows_would_hold_too_much()
    {
        Open(MethodShape.RequestStream, new ConnectionOptions { Local = new PeerSettings { StreamCredit = 1_000 }, StreamLimit = 1_500 });
        Assert.Equal(1_000, _peer.Sut.StreamBudget.Used);

        _peer.RequestStream(s_second, 0);
        AssertFail(_peer.Read(), s_second, MuxStatus.ResourceExhausted, MuxExecution.NotExecuted);
        _method.Pending[0].Reply([]);
        Assert.Equal(0, _peer.Sut.StreamBudget.Used);
        _peer.ReadAll();

        _peer.RequestStream(new CallId(1, 2), 0);
        Assert.Equal(2, _method.Pending.Count);
    }

    [Theory]
    [InlineData(0, MuxCallPriority.Normal)]
    [InlineData(1, MuxCallPriority.High)]
    [InlineData(2, MuxCallPriority.Low)]
    public void A_call_has_the_priority_that_its_request_says(byte options, MuxCallPriority expected)
    {
        Open(MethodShape.ResponseStream, start: false);
        _peer.SendFrame(FrameKind.Request, s_id, [0, 0, options, 0]);

        Assert.Equal(expected, _method.Pending[0].Priority);
        Assert.Equal(new OutboundFlow(expected).Quantum, _method.Pending[0].Stream!.Responses!.Quantum);
    }

    [Fact]
    public void A_deadline_that_passes_between_fragments_answers_the_call_and_the_rest_is_discarded()
    {
        Open(MethodShape.Unary);
        _peer.Begin(FrameKind.Request, s_id, 100_000, [0, 0, (byte)RequestOptions.Deadline, 0, 0x10, 0x27, 0, 0]); // 10 ms
        _peer.Continue(FrameKind.Request, s_id, new byte[30_000]);
        _peer.Time.Advance(TimeSpan.FromMilliseconds(9));
        Assert.Empty(_peer.ReadAll());

        _peer.Time.Advance(TimeSpan.FromMilliseconds(2));

        AssertFail(_peer.Read(), s_id, MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted);
        _peer.Continue(FrameKind.Request, s_id, new byte[30_000]);
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
        _peer.Continue(FrameKind.Request, s_id, new byte[40_000], isLast: true);
        Assert.Empty(_method.Bodies);
        AssertGoesOn(new CallId(1, 2));
    }

    [Fact]
    public async Task A_deadline_is_no_later_than_this_side_allows()
    {
        _peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { MaxDeadline = 1_000_000 });
        _echo = _method = _peer.Methods.Add("test/Slow", takesToken: true);
        _peer.Define(0, "test/Slow");
        _peer.SendFrame(FrameKind.Request, s_id, [0, 0, (byte)RequestOptions.Deadline, 0, 0xFF, 0xFF, 0xFF, 0xFF]);
        _peer.Request(s_second, 0, []);

        _peer.Time.Advance(TimeSpan.FromSeconds(1.1));

        await _method.Tokens[0].FiresAsync();
        await _method.Tokens[1].FiresAsync();
    }

    [Fact]
    public void Items_of_a_reply_leave_as_they_are_made_and_its_end_behind_them()
    {
        Open(MethodShape.ResponseStream);
        var responses = _method.Pending[0].Stream!.Responses!;
        Assert.True(ProbeStreamCall.Send(responses, [1, 2, 3]));
        byte[] large = Bytes(40_000);
        Assert.True(ProbeStreamCall.Send(responses, large));
        _method.Pending[0].Reply([]);

        var frames = _peer.ReadAll();

        Assert.Equal([FrameKind.ResponseItem, FrameKind.ResponseItem, FrameKind.ResponseItem, FrameKind.ResponseItem, FrameKind.Response], frames.Select(frame => frame.Kind));
        Assert.Equal([3, 4, 32_768, 7_232, 0], frames.Select(frame => frame.Header.Length));
        Assert.Equal([FrameFlags.None, FrameFlags.More, FrameFlags.More, FrameFlags.None, FrameFlags.None], frames.Select(frame => frame.Header.Flags));
        Assert.Equal([0x40, 0x9C, 0, 0], frames[1].Payload);
        Assert.Equal(large, frames[2].Payload.Concat(frames[3].Payload));
        Assert.False(ProbeStreamCall.Send(responses, [1]));
    }

    [Fact]
    public async Task A_stream_waits_for_credit_when_none_is_left()
    {
        Open(MethodShape.ResponseStream, settings: new PeerSettings { StreamCredit = 100 });
        var responses = _method.Pending[0].Stream!.Responses!;
        Assert.True(responses.HasCredit);
        ProbeStreamCall.Send(responses, new byte[100]);
        Assert.False(responses.HasCredit);
        var wait = responses.WaitAsync().AsTask();

        _peer.Credit(FrameKind.ResponseCredit, s_id, 8); // 0 is not enough
        _work.RunAll();
        Assert.False(wait.IsCompleted);
        _peer.Credit(FrameKind.ResponseCredit, s_id, 1);
        _work.RunAll();

        Assert.True(wait.IsCompletedSuccessfully);
        Assert.True(await wait);
        Assert.True(responses.HasCredit);
    }

    [Fact]
    public async Task A_stream_that_waits_is_told_when_its_call_is_over()
    {
        Open(MethodShape.ResponseStream, settings: new PeerSettings { StreamCredit = 1 });
        var responses = _method.Pending[0].Stream!.Responses!;
        ProbeStreamCall.Send(responses, new byte[100]);
        var wait = responses.WaitAsync().AsTask();

        responses.Abort();
        _work.RunAll();

        Assert.True(wait.IsCompletedSuccessfully);
        Assert.False(await wait);
    }

    [Fact]
    public void A_reply_with_metadata_stays_behind_the_items_of_its_stream()
    {
        Open(MethodShape.ResponseStream);
        var call = _method.Pending[0];
        _peer.StopReading();
        ProbeStreamCall.Send(call.Stream!.Responses!, Bytes(100_000));
        var options = new MuxCallOptions { ResponseMetadata = new MuxMetadata() };
        options.ResponseMetadata.Add("k", "v");
        call.WithOptions(options).Reply([]);

        _peer.Link.Grow(long.MaxValue);
        _work.RunAll();

        var messages = _peer.ReadMessages();
        Assert.Equal([FrameKind.ResponseItem, FrameKind.Response], messages.Select(frame => frame.Kind));
        Assert.Equal(FrameFlags.Meta, messages[1].Header.Flags);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_stream_that_was_cut_has_no_end_as_if_it_were_whole(bool isCut)
    {
        Open(MethodShape.ResponseStream);
        var call = _method.Pending[0];
        _peer.StopReading();
        ProbeStreamCall.Send(call.Stream!.Responses!, Bytes(100_000));
        if (isCut) call.Stream.Abort();

        call.Reply([]);
        _peer.Link.Grow(long.MaxValue);
        _work.RunAll();

        var last = _peer.ReadAll()[^1];
        if (isCut) AssertFail(last, s_id, MuxStatus.Cancelled, MuxExecution.Executed);
        else Assert.Equal(FrameKind.Response, last.Kind);
    }

    [Fact]
    public void A_large_reply_goes_as_far_as_its_credit_and_on_when_there_is_more()
    {
        Open(MethodShape.Unary, settings: new PeerSettings { BulkCredit = 32_769 });
        byte[] body = Bytes(100_000);
        _method.Handler = _ => body;
        _peer.Request(s_id, 0, []);
        Assert.Equal([4, 32_768, 32_768], _peer.ReadAll().Select(frame => frame.Header.Length));

        _peer.Request(s_second, 1, [5]); // messages pass
        Assert.Equal([5], _peer.Read().Payload);
        _peer.Credit(FrameKind.Credit, default, 32_767);
        Assert.Empty(_peer.ReadAll());
        _peer.Credit(FrameKind.Credit, default, 1);
        Assert.Equal(32_768, Assert.Single(_peer.ReadAll()).Header.Length);
        _peer.Credit(FrameKind.Credit, default, 100_000);
        var last = Assert.Single(_peer.ReadAll());
        Assert.Equal((FrameFlags.None, 100_000 - 3 * 32_768), (last.Header.Flags, last.Header.Length));
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Fact]
    public void A_CANCEL_of_an_answered_call_cuts_its_large_reply()
    {
        Open(MethodShape.Unary, settings: new PeerSettings { BulkCredit = 1 });
        _method.Handler = _ => new byte[100_000];
        _peer.Request(s_id, 0, []);
        Assert.Equal([4, 32_768], _peer.ReadAll().Select(frame => frame.Header.Length));

        _peer.SendFrame(FrameKind.Cancel, s_id, [0]);

        AssertFail(_peer.Read(), s_id, MuxStatus.Cancelled, MuxExecution.Executed);
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
        _peer.SendFrame(FrameKind.Cancel, s_id, [0]);
        _peer.Credit(FrameKind.Credit, default, 1_000_000);
        Assert.Empty(_peer.ReadAll());
        AssertGoesOn(new CallId(1, 2));
    }

    [Fact]
    public void A_drain_waits_for_large_replies()
    {
        Open(MethodShape.Unary, settings: new PeerSettings { BulkCredit = 1 });
        _method.Handler = _ => new byte[100_000];
        _peer.Request(s_id, 0, []);
        _peer.Sut.BeginDrain(20_000_000);
        _peer.SendFrame(FrameKind.GoAway, default, [], FrameFlags.Answer);
        Assert.Null(_peer.Owner.End);

        _peer.Credit(FrameKind.Credit, default, 1_000_000);

        Assert.Equal(100_000, Assert.Single(_peer.ReadMessages(), frame => frame.Kind == FrameKind.Response).Payload.Length);
        Assert.Equal(CloseReason.Drained, _peer.Owner.End?.Reason);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public async Task The_end_of_the_connection_gives_everything_back(int state)
    {
        Open(MethodShape.Duplex, settings: new PeerSettings { BulkCredit = 1, StreamCredit = 1 });
        var responses = _method.Pending[0].Stream!.Responses!;
        Task<bool>? wait = null;
        switch (state)
        {
            case 0: // an unfinished request
                _peer.Begin(FrameKind.Request, s_second, 50_000, [1, 0, 0, 0]);
                _peer.Continue(FrameKind.Request, s_second, new byte[30_000]);
                break;
            case 1: // an unfinished item
                _peer.Begin(FrameKind.RequestItem, s_id, 50_000);
                break;
            case 2: // items in the lane
                _peer.StopReading();
                ProbeStreamCall.Send(responses, new byte[200_000]);
                break;
            case 3: // a producer that waits
                ProbeStreamCall.Send(responses, new byte[100]);
                wait = responses.WaitAsync().AsTask();
                break;
            case 4: // a large reply without credit
                _echo.Handler = _ => new byte[200_000];
                _peer.Request(s_second, 1, []);
                break;
            case 5: // items that nobody took
                _peer.SendFrame(FrameKind.RequestItem, s_id, new byte[1_000]);
                break;
            case 6: // an item that is made
                var writer = responses.BeginItem();
                writer.Write(new byte[300_000]);
                responses.AbortItem();
                responses.Release();
                break;
        }

        _peer.End();
        _work.RunAll();
        _method.Pending[0].Reply([]);

        Assert.False(ProbeStreamCall.Send(responses, [1]));
        Assert.False(ProbeStreamCall.Send(responses, new byte[100_000]));
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
        Assert.Equal((0, 0L), (_peer.Sut.RequestCounts.OpenCount, _peer.Sut.StreamBudget.Used));
        if (wait is null) return;
        Assert.True(wait.IsCompletedSuccessfully);
        Assert.False(await wait);
    }

    private void Open(MethodShape shape, PeerSettings local) => Open(shape, new ConnectionOptions { Local = local });

    /// <summary>A connection with one call of a method of that shape, ordinal 0, and an echo, ordinal 1. A unary method is not called yet.</summary>
    private void Open(MethodShape shape, ConnectionOptions? options = null, PeerSettings? settings = null, bool start = true)
    {
        _peer = ScriptedPeer.Open(accepting: true, (options ?? new ConnectionOptions()) with { Work = _work }, settings);
        _method = _peer.Methods.Add($"test/{shape}", shape);
        _echo = _peer.Methods.Add("test/Echo");
        _echo.Handler = body => body;
        _peer.Define(0, $"test/{shape}", shape);
        _peer.Define(1, "test/Echo");
        if (!start || shape == MethodShape.Unary) return;
        if ((shape & MethodShape.RequestStream) != 0) _peer.RequestStream(s_id, 0);
        else _peer.Request(s_id, 0, []);
    }

    private void AssertGoesOn(CallId? id = null)
    {
        _peer.Request(id ?? s_second, 1, [42]);
        Assert.Equal([42], _peer.ReadAll().Single(frame => frame.Kind == FrameKind.Response).Payload);
        Assert.Null(_peer.Owner.End);
    }

    private void AssertGoAway(ConnectionCode code)
    {
        var last = _peer.ReadAll()[^1];
        Assert.Equal(FrameKind.GoAway, last.Kind);
        Assert.True(GoAwayFrame.TryRead(last.Payload, out var goAway, out _));
        Assert.Equal(code, goAway.Code);
    }

    private static void AssertFail(RawFrame frame, CallId id, MuxStatus status, MuxExecution execution)
    {
        Assert.Equal((FrameKind.Fail, id), (frame.Kind, frame.Id));
        Assert.True(FailFrame.TryRead(frame.Payload, out var fail, out _));
        Assert.Equal((status, execution), ((MuxStatus)fail.Status, fail.Execution));
    }

    private static byte[] Bytes(int length) => [.. Enumerable.Range(0, length).Select(i => (byte)(i * 7))];
}
