using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Connections;

/// <summary>What a peer makes a connection hold counts in the memory of the server, from when it holds it until it does not.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class HeldMemoryTests : IDisposable
{
    private const long Limit = 8 << 20;
    private const int MiB = 1 << 20;

    private static readonly CallId s_id = new(1, 1);

    private readonly long _buffersBefore = BufferPool.Outstanding;
    private readonly ManualWork _work = new();
    private readonly MemoryBudget _memory = new(Limit, BudgetLimits.Unbounded);
    private readonly List<PeerLimit> _refused = [];
    private readonly List<ScriptedPeer> _peers = [];

    public void Dispose()
    {
        foreach (var peer in _peers) peer.End();
        _work.RunAll();
        Assert.Equal((_buffersBefore, 0L), (BufferPool.Outstanding, _memory.Used));
    }

    [Fact]
    public void Requests_that_are_not_whole_count_over_all_connections()
    {
        const int Whole = MiB - 10_000; // with what is charged beside it, four of them are half of 8 MiB
        var peers = Enumerable.Range(0, 3).Select(_ => Open()).ToList();
        foreach (var peer in peers)
        {
            for (int slot = 1; slot <= 4; slot++) SendAllButTheEnd(peer, new CallId(slot, 1), Whole);
        }

        // The first leaves as much as it has, the second half of the rest, and so on.
        Assert.Equal([3, 2, 1], peers.Select(peer => peer.Sut.Reassembly.Used / MiB));
        Assert.Equal(6 * (MiB + PartialMessage.EntryCharge), _memory.Used);
        Assert.Equal(6, _refused.Count);
        Assert.All(_refused, limit => Assert.Equal(PeerLimit.HeldBytes, limit));
        var fail = Fail(peers[1].ReadAll().First(frame => frame.Kind == FrameKind.Fail));
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, 100u), ((MuxStatus)fail.Status, fail.Execution, fail.RetryAfterMilliseconds));
        Assert.Contains("Limits.MaxHeldBytes is 8388608 for all connections together.", fail.Text, StringComparison.Ordinal);
        peers[0].End();
        Assert.Equal(3 * (MiB + PartialMessage.EntryCharge), _memory.Used);
    }

    [Fact]
    public void Lengths_that_are_announced_take_nothing_from_other_connections()
    {
        foreach (var hog in Enumerable.Range(0, 20).Select(_ => Open()))
        {
            for (int slot = 1; slot <= 40; slot++) hog.Begin(FrameKind.Request, new CallId(slot, 1), MiB, [0, 0, 0, 0]);
        }

        Assert.Equal(20 * 40 * PartialMessage.EntryCharge, _memory.Used); // 19 KB were sent
        var good = Open();
        good.Request(s_id, 0, new byte[10_000]);
        Assert.Equal(FrameKind.Response, good.Read().Kind);
        SendAllButTheEnd(good, new CallId(2, 1), MiB);
        good.Continue(FrameKind.Request, new CallId(2, 1), new byte[10], isLast: true);
        Assert.Empty(_refused);
        Assert.Equal(0, good.Sut.ParkedRequests);
    }

    [Fact]
    public void A_little_of_many_long_messages_takes_at_most_half_of_the_memory()
    {
        foreach (var hog in Enumerable.Range(0, 20).Select(_ => Open()))
        {
            for (int slot = 1; slot <= 20; slot++)
            {
                hog.Begin(FrameKind.Request, new CallId(slot, 1), MiB, [0, 0, 0, 0]);
                hog.Continue(FrameKind.Request, new CallId(slot, 1), [1]); // an array of 64 KiB while there is much room
            }
        }

        Assert.InRange(_memory.Used, Limit / 4, (Limit / 2) + (400 * (1024 + PartialMessage.EntryCharge)));
        var good = Open();
        good.Request(s_id, 0, new byte[10_000]);
        Assert.Equal(FrameKind.Response, good.Read().Kind);
        SendAllButTheEnd(good, new CallId(2, 1), MiB);
        good.Continue(FrameKind.Request, new CallId(2, 1), new byte[10], isLast: true);
        Assert.Empty(_refused);
    }

    [Fact]
    public void A_request_for_whose_rest_there_is_no_memory_is_refused_and_the_rest_is_dropped()
    {
        var hog = Open();
        var peer = Open();
        peer.Begin(FrameKind.Request, s_id, 200_000, [0, 0, 0, 0]);
        hog.Sut.Memory!.Take(Limit - _memory.Used);

        for (int sent = 0; sent < 200_000; sent += 20_000) peer.Continue(FrameKind.Request, s_id, new byte[20_000], isLast: sent == 180_000);

        var fail = Fail(Assert.Single(peer.ReadAll(), frame => frame.Kind == FrameKind.Fail));
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, 100u), ((MuxStatus)fail.Status, fail.Execution, fail.RetryAfterMilliseconds));
        Assert.Equal([PeerLimit.HeldBytes], _refused);
        Assert.Equal((0L, null), (peer.Sut.Memory!.Used, peer.Owner.End));
        hog.Sut.Memory.Release(hog.Sut.Memory.Used);
        peer.Request(new CallId(1, 2), 0, [1, 2, 3]);
        Assert.Equal([3], peer.ReadAll()[^1].Payload);
    }

    [Fact]
    public void An_item_for_whose_rest_there_is_no_memory_ends_its_stream()
    {
        var hog = Open();
        var peer = Open();
        var method = peer.Methods.Add("test/Items", MethodShape.RequestStream);
        peer.Define(1, "test/Items", MethodShape.RequestStream);
        peer.RequestStream(s_id, 1);
        peer.Begin(FrameKind.RequestItem, s_id, 200_000);
        hog.Sut.Memory!.Take(Limit - _memory.Used);

        for (int sent = 0; sent < 200_000; sent += 20_000) peer.Continue(FrameKind.RequestItem, s_id, new byte[20_000], isLast: sent == 180_000);

        Assert.Equal(MuxStatus.ResourceExhausted, method.Items[0].Failure?.Status);
        Assert.Equal([PeerLimit.HeldBytes], _refused);
        Assert.Equal((65_536L, null), (peer.Sut.Memory!.Used, peer.Owner.End));
        hog.Sut.Memory.Release(hog.Sut.Memory.Used);
        method.Pending[0].Reply([]);
    }

    [Theory]
    [InlineData(10_000)]
    [InlineData(MiB)]
    public void A_request_keeps_its_memory_when_it_is_whole(int length)
    {
        var hog = Open();
        var peer = Open();
        var method = new DeferringMethod();
        peer.Methods.Others.Add(method);
        peer.Define(1, "test/Deferring");
        SendAllButTheEnd(peer, s_id, length, ordinal: 1);
        hog.Sut.Memory!.Take(Limit - _memory.Used);

        peer.Continue(FrameKind.Request, s_id, new byte[10], isLast: true);

        Assert.Empty(_refused);
        Assert.InRange(peer.Sut.Memory!.Used, length, (2 * length) + PartialMessage.EntryCharge);
        hog.Sut.Memory.Release(hog.Sut.Memory.Used);
        peer.Time.Advance(TimeSpan.FromMilliseconds(200)); // a large one waits for memory, which it shares with its reply
        _work.RunAll();
        while (method.Queued.TryDequeue(out var request)) request.Execute();
        peer.Credit(FrameKind.Credit, default, 2 * MiB);
        _work.RunAll();
        Assert.Equal(0, _memory.Used);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_request_keeps_its_memory_while_it_is_parked_and_when_it_starts(bool isFragmented)
    {
        var hog = Open();
        var peer = Open(unsentLimit: 100);
        var method = peer.Methods.Add("test/Later");
        peer.Methods.Add("test/Fat").Handler = static _ => new byte[200];
        peer.Define(1, "test/Later");
        peer.Define(2, "test/Fat");
        peer.StopReading();
        peer.Request(s_id, 2, []); // its reply fills the queue
        if (isFragmented) SendAllButTheEnd(peer, new CallId(2, 1), 10_000, ordinal: 1);
        else peer.Request(new CallId(2, 1), 1, new byte[10_000]);
        hog.Sut.Memory!.Take(Limit - _memory.Used - 1_024); // charges of requests that run are in units of 1 KiB
        if (isFragmented) peer.Continue(FrameKind.Request, new CallId(2, 1), new byte[10], isLast: true);
        Assert.Equal(1, peer.Sut.ParkedRequests);

        peer.Link.Grow(long.MaxValue);
        _work.RunAll();

        Assert.Equal((1, 10_240L), (method.Pending.Count, peer.Sut.Memory!.Used));
        Assert.Empty(_refused);
        hog.Sut.Memory.Release(hog.Sut.Memory.Used);
        method.Pending[0].Reply([]);
    }

    [Fact]
    public void A_frame_that_has_not_arrived_counts_with_the_array_that_keeps_it()
    {
        var peer = Open();
        byte[] frame = ScriptedPeer.Frame(FrameKind.Request, s_id, new byte[50_000]);

        peer.Send(frame.AsSpan(0, 1_000)); // as at the end of most deliveries
        Assert.Equal(0, _memory.Used);
        peer.Send(frame.AsSpan(1_000, 5_000));
        Assert.Equal(8_192, _memory.Used);
        peer.Send(frame.AsSpan(6_000, 20_000));
        Assert.Equal(131_072, _memory.Used);
        peer.Send(frame.AsSpan(26_000));
        Assert.Equal(0, _memory.Used);
        peer.Send(frame.AsSpan(0, 5_000));
        peer.End();
        Assert.Equal(0, _memory.Used);
    }

    [Fact]
    public void Slots_count_beyond_the_first_ones_with_the_rests_of_refused_requests_in_them()
    {
        var peer = Open();
        peer.Define(1, "test/Nowhere");
        for (int slot = 1; slot <= 100; slot++) peer.Begin(FrameKind.Request, new CallId(slot, 1), MiB, [1, 0, 0, 0]);
        Assert.Equal(37 * 56, _memory.Used); // 64 slots are free
        peer.End();
        Assert.Equal(0, _memory.Used);
    }

    [Fact]
    public void A_request_that_runs_counts_until_it_is_answered()
    {
        var peer = Open();
        var method = peer.Methods.Add("test/Later");
        peer.Define(1, "test/Later");
        peer.Request(s_id, 1, new byte[10_000]);
        Assert.Equal(10_240, _memory.Used); // in units of 1 KiB
        method.Pending[0].Reply([]);
        Assert.Equal(0, _memory.Used);
        peer.Request(new CallId(1, 2), 1, new byte[1_000]);
        Assert.Equal(0, _memory.Used); // small ones are bounded by their number
        method.Pending[1].Reply([]);
    }

    [Fact]
    public void A_request_that_is_answered_behind_the_end_of_its_connection_counts_no_longer()
    {
        var peer = Open();
        var method = peer.Methods.Add("test/Later");
        peer.Define(1, "test/Later");
        peer.Request(s_id, 1, new byte[10_000]);
        peer.Request(new CallId(2, 1), 1, new byte[20_000]);
        peer.End();
        Assert.Equal(10_240 + 20_480, _memory.Used); // the handlers have them still
        method.Pending[0].Reply([]);
        Assert.Equal(20_480, _memory.Used);
        method.Pending[1].Fail(MuxStatus.Aborted, MuxExecution.Executed, "It failed.");
        Assert.Equal(0, _memory.Used);
    }

    [Fact]
    public void A_request_whose_handler_ends_the_connection_counts_no_longer()
    {
        var peer = Open();
        peer.Methods.Add("test/Last").Handler = _ =>
        {
            peer.End();
            return [];
        };
        peer.Define(1, "test/Last");
        peer.Request(s_id, 1, new byte[10_000]);
        Assert.Equal(0, _memory.Used);
    }

    [Fact]
    public void A_stream_that_waits_for_memory_of_others_goes_on_when_they_have_given_it_back()
    {
        var hog = Open();
        var peer = Open();
        var method = peer.Methods.Add("test/Items", MethodShape.Duplex);
        peer.Define(1, "test/Items", MethodShape.Duplex);
        for (int slot = 1; slot <= 2; slot++) peer.RequestStream(new CallId(slot, 1), 1); // two windows: it is not one of those that hold little
        hog.Sut.Memory!.Take(Limit - _memory.Used);
        var waiting = peer.Sut.Replies.Slots.FindStream(s_id)!.Responses!.WaitAsync().AsTask();
        Assert.False(waiting.IsCompleted);
        peer.Time.Advance(TimeSpan.FromSeconds(1));
        _work.RunAll();
        Assert.False(waiting.IsCompleted);
        hog.Sut.Memory.Release(Limit / 2);
        peer.Time.Advance(TimeSpan.FromMilliseconds(200));
        _work.RunAll();
        Assert.True(waiting.IsCompleted);
        hog.Sut.Memory.Release(Limit - (Limit / 2) - (2 * 65_536));
        foreach (var call in method.Pending) call.Reply([]);
    }

    [Fact]
    public void A_request_that_finds_no_memory_is_refused_and_a_small_one_of_another_connection_is_served()
    {
        var hog = Open();
        hog.Sut.Memory!.Take(Limit);
        var peer = Open();
        peer.Request(s_id, 0, new byte[10_000]);
        Assert.Equal(MuxStatus.ResourceExhausted, (MuxStatus)Fail(peer.Read()).Status);
        peer.Request(new CallId(2, 1), 0, [1, 2]);
        Assert.Equal([2], peer.Read().Payload);
        Assert.Equal([PeerLimit.HeldBytes], _refused);
        hog.Sut.Memory.Release(Limit);
        peer.Request(new CallId(1, 2), 0, new byte[10_000]);
        Assert.Equal(FrameKind.Response, peer.Read().Kind);
    }

    [Fact]
    public void A_stream_counts_its_window_and_is_refused_without_room_for_it()
    {
        var peer = Open();
        var method = peer.Methods.Add("test/Items", MethodShape.RequestStream);
        peer.Define(1, "test/Items", MethodShape.RequestStream);
        peer.RequestStream(s_id, 1);
        Assert.Equal(65_536, _memory.Used);
        peer.Sut.Memory!.Take(Limit);
        peer.RequestStream(new CallId(2, 1), 1);
        Assert.Contains("Limits.MaxHeldBytes", Fail(peer.Read()).Text, StringComparison.Ordinal);
        Assert.Equal([PeerLimit.HeldBytes], _refused);
        peer.Sut.Memory.Release(Limit);
        method.Pending[0].Reply([]);
        Assert.Equal(0, _memory.Used);
    }

    [Fact]
    public void A_large_reply_counts_with_its_array_until_all_of_it_is_sent()
    {
        var peer = Open();
        var method = peer.Methods.Add("test/Later");
        peer.Define(1, "test/Later");
        peer.Request(s_id, 1, []);
        peer.Link.Capacity = peer.Link.SentBytes + (MiB / 2);
        method.Pending[0].Reply(new byte[MiB - 8]); // with room for a header, an array of 1 MiB
        _work.RunAll();
        Assert.Equal(MiB, _memory.Used);
        peer.Link.Grow(long.MaxValue);
        _work.RunAll();
        Assert.Equal(0, _memory.Used);
    }

    [Fact]
    public void Handlers_whose_replies_are_not_read_wait_although_their_requests_were_queued_before()
    {
        var peer = Open();
        var method = new DeferringMethod();
        peer.Methods.Others.Add(method);
        peer.Define(1, "test/Deferring");
        peer.StopReading();
        for (int slot = 1; slot <= 40; slot++) peer.Request(new CallId(slot, 1), 1, []);
        Assert.Equal(40, method.Queued.Count);

        while (method.Queued.TryDequeue(out var request)) request.Execute(); // as workers come to them
        _work.RunAll();

        Assert.InRange(method.Ran, 4, 6); // a connection has half of 8 MiB, and the one that goes beyond is not cut
        Assert.InRange(_memory.Used, 4 * MiB, 6 * MiB);
        Assert.Equal(40, peer.Sut.RequestCounts.OpenCount + method.Ran);

        peer.Link.Grow(long.MaxValue);
        for (int granted = 0; granted < 40; granted++)
        {
            peer.Credit(FrameKind.Credit, default, MiB);
            _work.RunAll();
            while (method.Queued.TryDequeue(out var request)) request.Execute();
            Assert.InRange(_memory.Used, 0, 6 * MiB);
        }

        _work.RunAll();
        Assert.Equal((40, 0, 0L), (method.Ran, peer.Sut.RequestCounts.OpenCount, _memory.Used));
    }

    [Fact]
    public void Handlers_that_wait_for_room_are_given_up_with_their_connection()
    {
        var peer = Open();
        var method = new DeferringMethod();
        peer.Methods.Others.Add(method);
        peer.Define(1, "test/Deferring");
        peer.StopReading();
        for (int slot = 1; slot <= 40; slot++) peer.Request(new CallId(slot, 1), 1, []);
        while (method.Queued.TryDequeue(out var request)) request.Execute();

        peer.End();
        _work.RunAll();
        while (method.Queued.TryDequeue(out var request)) request.Execute();

        Assert.Equal(0, peer.Sut.RequestCounts.OpenCount);
        Assert.InRange(method.Ran, 4, 6);
    }

    [Fact]
    public async Task A_stream_whose_link_has_failed_waits_for_the_end_of_the_connection()
    {
        var peer = Open();
        peer.Methods.Add("test/Items", MethodShape.Duplex);
        peer.Define(1, "test/Items", MethodShape.Duplex);
        peer.RequestStream(s_id, 1);
        peer.Credit(FrameKind.ResponseCredit, s_id, int.MaxValue - 65_536); // all that a peer may grant
        var responses = peer.Sut.Replies.Slots.FindStream(s_id)!.Responses!;
        Assert.True(await responses.WaitAsync());

        peer.Link.HasFailed = true; // it takes everything, and nobody gets it
        peer.SendFrame(FrameKind.Ping, default, new byte[8]); // the next bytes that are sent find it out

        var waiting = responses.WaitAsync().AsTask();
        Assert.False(waiting.IsCompleted);
        peer.End();
        _work.RunAll();
        Assert.False(await waiting.Within("the end of the stream"));
    }

    private static void SendAllButTheEnd(ScriptedPeer peer, CallId id, int length, byte ordinal = 0)
    {
        peer.Begin(FrameKind.Request, id, length, [ordinal, 0, 0, 0]);
        for (int sent = 0; sent < length - 10 && peer.Sut.Replies.Slots.Find(id) == RequestSlots.Relation.Open; sent += 32_768)
        {
            peer.Continue(FrameKind.Request, id, new byte[Math.Min(32_768, length - 10 - sent)]);
        }
    }

    private static FailFrame Fail(RawFrame frame)
    {
        Assert.Equal(FrameKind.Fail, frame.Kind);
        Assert.True(FailFrame.TryRead(frame.Payload, out var fail, out _));
        return fail;
    }

    private ScriptedPeer Open(long unsentLimit = 1 << 20)
    {
        var clock = new Clock(TimeProvider.System);
        var shared = new SharedBudgets(
            new HandlerLimit(BudgetLimits.Unbounded, _ => { }), new UnsentWatch(new ConnectionLedger(), clock, BudgetLimits.Unbounded), _memory, _refused.Add);
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Shared = shared, Work = _work, UnsentLimit = unsentLimit, Local = new PeerSettings { MaxCalls = 100 } });
        peer.Methods.Add("test/Length").Handler = static body => [(byte)body.Length];
        peer.Define(0, "test/Length");
        _peers.Add(peer);
        return peer;
    }

    /// <summary>A method whose handlers run elsewhere and answer with 1 MiB.</summary>
    private sealed class DeferringMethod : InboundMethod, IThreadPoolWorkItem
    {
        public Queue<IThreadPoolWorkItem> Queued { get; } = [];

        public int Ran { get; private set; }

        public override MethodDescriptor Descriptor { get; } = new("test", "Deferring", MethodShape.Unary, takesToken: false);

        public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
        {
            if (call.InTurn) TryQueue(call, new UnparkedRequest(call with { InTurn = false }, BufferPool.Rent(0), 0, next: this), 0);
            else Answer(call);
        }

        public override bool TryQueue(in InboundCall call, IWork item, int bytes)
        {
            Queued.Enqueue(item);
            return true;
        }

        void IThreadPoolWorkItem.Execute()
        {
            // Behind a request that was not parked nothing waits.
        }

        private void Answer(in InboundCall call)
        {
            Ran++;
            call.Reply(new byte[MiB - 8]);
        }
    }
}
