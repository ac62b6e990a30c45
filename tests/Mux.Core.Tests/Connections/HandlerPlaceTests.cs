using Mux.Buffers;
using Mux.Connections;
using Mux.Contracts;
using Mux.Execution;
using Mux.Sessions.Budgets;
using Mux.Sessions.Incoming;
using Mux.Sessions.Setup;
using Mux.TestSupport.Connections;
using Mux.Timing;
using Mux.Wire;

namespace Mux.Core.Tests.Connections;

/// <summary>A request takes a place of the server's handlers when it starts: requests that wait leave the places to those that run.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class HandlerPlaceTests : IDisposable
{
    private const int Places = 100;

    private readonly long _buffersBefore = BufferPool.Outstanding;
    private readonly ManualWork _work = new();
    private readonly HandlerLimit _handlers;
    private readonly List<ScriptedPeer> _peers = [];
    private readonly Dictionary<ScriptedPeer, ProbeMethod> _later = [];
    private int _refused;

    public HandlerPlaceTests() => _handlers = new HandlerLimit(Places, () => _refused++);

    public void Dispose()
    {
        foreach (var peer in _peers) peer.End();
        _work.RunAll();
        Assert.Equal((_buffersBefore, 0), (BufferPool.Outstanding, _peers.Sum(peer => peer.Sut.RequestCounts.RunningCount)));
    }

    [Fact]
    public void Parked_requests_of_peers_that_read_nothing_leave_the_places_to_others()
    {
        foreach (var deaf in Enumerable.Range(0, 10).Select(_ => Open()))
        {
            deaf.StopReading();
            for (int slot = 1; slot <= 50; slot++) deaf.Request(new CallId(slot, 1), 0, []); // the first reply is not read, and the others are parked
            Assert.Equal(49, deaf.Sut.ParkedRequests);
        }

        var good = Open();
        for (int slot = 1; slot <= 50; slot++) good.Request(new CallId(slot, 1), 1, []);

        Assert.Equal((50, 0), (LaterOf(good).Pending.Count, _refused));
        AnswerAll(good);
    }

    [Fact]
    public void Requests_that_are_not_whole_leave_the_places_to_others()
    {
        foreach (var slow in Enumerable.Range(0, 10).Select(_ => Open()))
        {
            for (int slot = 1; slot <= 50; slot++) slow.Begin(FrameKind.Request, new CallId(slot, 1), 20, [1, 0, 0, 0]);
        }

        var good = Open();
        for (int slot = 1; slot <= 50; slot++) good.Request(new CallId(slot, 1), 1, []);

        Assert.Equal((50, 0), (LaterOf(good).Pending.Count, _refused));
        AnswerAll(good);
    }

    [Fact]
    public void A_request_in_fragments_takes_its_place_when_it_is_whole()
    {
        var slow = Open();
        slow.Begin(FrameKind.Request, new CallId(1, 1), 2, [1, 0, 0, 0]);
        slow.Begin(FrameKind.Request, new CallId(2, 1), 2, [1, 0, 0, 0]);
        var hogs = TakeAllPlaces();
        slow.Continue(FrameKind.Request, new CallId(1, 1), [1, 2], isLast: true);
        AssertRefusedForPlace(slow.Read());
        Assert.Equal((0, 1), (LaterOf(slow).Pending.Count, _refused));

        AnswerAll(hogs);
        slow.Time.Advance(TimeSpan.FromSeconds(1));
        slow.Continue(FrameKind.Request, new CallId(2, 1), [1, 2], isLast: true);

        Assert.Equal((1, 1), (LaterOf(slow).Pending.Count, slow.Sut.RequestCounts.RunningCount));
        AnswerAll(slow);
    }

    [Fact]
    public void A_request_in_fragments_without_a_place_is_refused_with_a_pause_and_a_whole_one_without()
    {
        var late = Open();
        late.Begin(FrameKind.Request, new CallId(1, 1), 2, [1, 0, 0, 0]);
        var hogs = TakeAllPlaces();

        late.Continue(FrameKind.Request, new CallId(1, 1), [1, 2], isLast: true);
        late.Request(new CallId(2, 1), 1, []);

        Assert.Equal([true, false], late.ReadAll().Select(static frame => frame.Payload.AsSpan().IndexOf("mux-pause"u8) > 0));
        AnswerAll(hogs);
    }

    [Fact]
    public void Parked_requests_take_their_places_when_they_start()
    {
        var peer = Open();
        peer.StopReading();
        peer.Request(new CallId(1, 1), 0, []);
        for (int slot = 2; slot <= 31; slot++) peer.Request(new CallId(slot, 1), 1, []);
        Assert.Equal((30, 0), (peer.Sut.ParkedRequests, peer.Sut.RequestCounts.RunningCount));

        peer.Link.Grow(long.MaxValue);
        _work.RunAll();

        Assert.Equal((0, 30), (peer.Sut.ParkedRequests, peer.Sut.RequestCounts.RunningCount));
        AnswerAll(peer);
    }

    [Fact]
    public void Parked_requests_without_a_place_start_when_there_is_one()
    {
        var peer = Open();
        peer.StopReading();
        peer.Request(new CallId(1, 1), 0, []);
        for (int slot = 2; slot <= 3; slot++) peer.Request(new CallId(slot, 1), 1, []);
        var hogs = TakeAllPlaces();
        peer.Link.Grow(long.MaxValue);
        _work.RunAll();
        Assert.Equal((0, 2), (LaterOf(peer).Pending.Count, peer.Sut.ParkedRequests));

        AnswerAll(hogs);
        peer.Time.Advance(TimeSpan.FromMilliseconds(500));
        _work.RunAll();

        Assert.Equal((2, 0, 0), (LaterOf(peer).Pending.Count, peer.Sut.ParkedRequests, _refused));
        AnswerAll(peer);
    }

    [Fact]
    public void Parked_requests_that_find_no_place_for_a_second_are_refused_like_new_ones()
    {
        var peer = Open();
        peer.StopReading();
        peer.Request(new CallId(1, 1), 0, []);
        for (int slot = 2; slot <= 10; slot++) peer.Request(new CallId(slot, 1), 1, []);
        var hogs = TakeAllPlaces();
        peer.Link.Grow(long.MaxValue);
        _work.RunAll();
        peer.ReadAll();
        Assert.Equal((0, 9), (LaterOf(peer).Pending.Count, peer.Sut.ParkedRequests));

        peer.Time.Advance(TimeSpan.FromMilliseconds(900));
        _work.RunAll();
        Assert.Equal(9, peer.Sut.ParkedRequests);
        peer.Time.Advance(TimeSpan.FromMilliseconds(300));
        _work.RunAll();

        Assert.Equal((0, 9), (peer.Sut.ParkedRequests, _refused));
        var answers = peer.ReadAll();
        Assert.Equal(9, answers.Count);
        Assert.All(answers, AssertRefusedForPlace);
        AnswerAll(hogs);
    }

    [Fact]
    public void Queued_requests_that_wait_for_the_peer_leave_their_places_and_are_refused_without_one()
    {
        var peer = Open();
        var method = new QueuingMethod();
        peer.Methods.Others.Add(method);
        peer.Define(2, "test/Queuing");
        for (int slot = 1; slot <= 20; slot++) peer.Request(new CallId(slot, 1), 2, []);
        Assert.Equal(20, peer.Sut.RequestCounts.RunningCount);
        peer.StopReading();
        peer.Request(new CallId(21, 1), 0, []);

        while (method.Queued.TryDequeue(out var request)) request.Execute();
        Assert.Equal((0, 20), (peer.Sut.RequestCounts.RunningCount, peer.Sut.ParkedRequests));

        var hogs = TakeAllPlaces();
        peer.Link.Grow(long.MaxValue);
        _work.RunAll();
        Assert.Equal((0, 20), (method.Queued.Count, peer.Sut.ParkedRequests));
        peer.Time.Advance(TimeSpan.FromMilliseconds(1_200));
        _work.RunAll();

        Assert.Equal((0, 20), (peer.Sut.ParkedRequests, _refused));
        AnswerAll(hogs);
    }

    private static void AssertRefusedForPlace(RawFrame frame)
    {
        Assert.Equal(FrameKind.Fail, frame.Kind);
        Assert.True(FailFrame.TryRead(frame.Payload, out var fail, out _));
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, 100u), ((MuxStatus)fail.Status, fail.Execution, fail.RetryAfterMilliseconds));
        Assert.Contains("Limits.MaxHandlers", fail.Text, StringComparison.Ordinal);
    }

    private ProbeMethod LaterOf(ScriptedPeer peer) => _later[peer];

    /// <summary>Answers what runs, so that its places are free.</summary>
    private void AnswerAll(params IEnumerable<ScriptedPeer> peers)
    {
        foreach (var call in peers.SelectMany(peer => _later[peer].Pending)) call.Reply([]);
    }

    /// <summary>Peers that run as many requests as they get, which leaves no place.</summary>
    private List<ScriptedPeer> TakeAllPlaces()
    {
        var hogs = Enumerable.Range(0, Places).Select(_ => Open()).ToList();
        foreach (var hog in hogs)
        {
            for (int slot = 1; slot <= Places; slot++)
            {
                hog.Request(new CallId(slot, 1), 1, []);
                if (hog.TryRead() is not null) break;
            }
        }

        _refused = 0;
        return hogs;
    }

    private ScriptedPeer Open()
    {
        var clock = new Clock(TimeProvider.System);
        var shared = new SharedBudgets(
            _handlers, new UnsentWatch(new ConnectionLedger(), clock, BudgetLimits.Unbounded), new MemoryBudget(1 << 30, BudgetLimits.Unbounded), _ => { });
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Shared = shared, Work = _work, UnsentLimit = 100 });
        peer.Methods.Add("test/Fat").Handler = static _ => new byte[200];
        _later[peer] = peer.Methods.Add("test/Later");
        peer.Define(0, "test/Fat");
        peer.Define(1, "test/Later");
        _peers.Add(peer);
        return peer;
    }

    /// <summary>A method whose requests are queued for other threads.</summary>
    private sealed class QueuingMethod : InboundMethod, IThreadPoolWorkItem
    {
        public Queue<IThreadPoolWorkItem> Queued { get; } = [];

        public override MethodDescriptor Descriptor { get; } = new("test", "Queuing", MethodShape.Unary, takesToken: false);

        public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
        {
            if (call.InTurn) TryQueue(call, new UnparkedRequest(call with { InTurn = false }, BufferPool.Rent(0), 0, next: this), 0);
            else call.Reply([]);
        }

        public override bool TryQueue(in InboundCall call, IWork item, int bytes)
        {
            Queued.Enqueue(item);
            return true;
        }

        void IThreadPoolWorkItem.Execute()
        {
            // Nothing waits behind a request that was not parked.
        }
    }
}
