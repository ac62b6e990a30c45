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

/// <summary>No more handlers with large replies run at a time than the memory of the server has room for their replies.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class ReplyReserveTests : IDisposable
{
    private const int MiB = 1 << 20;
    private const long Limit = 8 * MiB;
    private const int Calls = 40;

    private readonly long _buffersBefore = BufferPool.Outstanding;
    private readonly ManualWork _work = new();
    private readonly MemoryBudget _memory = new(Limit, BudgetLimits.Unbounded);
    private readonly List<ScriptedPeer> _peers = [];
    private readonly HashSet<AwaitingMethod> _methods = [];

    public void Dispose()
    {
        foreach (var peer in _peers) peer.End();
        _work.RunAll();
        foreach (var method in _methods) method.RunQueued();
        Assert.Equal((_buffersBefore, 0L, 0L), (BufferPool.Outstanding, _memory.Used, _memory.Reserved));
    }

    [Fact]
    public void Handlers_that_start_together_hold_no_more_with_their_replies_than_the_limit()
    {
        var (peer, method) = Open();
        AnswerFirst(peer, method);
        peer.StopReading();

        Request(peer, method, Calls);
        Assert.Equal(4, method.Running.Count); // a connection has half of 8 MiB
        Assert.Equal((0L, 4L * MiB), (_memory.Used, _memory.Reserved));
        while (method.Running.Count > 0) method.Answer(MiB);
        _work.RunAll();
        method.RunQueued();

        Assert.InRange(_memory.Used + _memory.Reserved, 3 * MiB, 5 * MiB); // a little is sent before the peer reads
        Assert.InRange(method.Running.Count, 0, 1);
    }

    [Fact]
    public void All_run_in_time_and_in_order_while_the_peer_reads()
    {
        var (peer, method) = Open();
        AnswerFirst(peer, method);
        Request(peer, method, Calls);
        List<CallId> answered = [];

        while (method.Running.Count > 0)
        {
            Assert.InRange(method.Running.Count, 1, 4);
            answered.Add(method.Running.Peek().Id);
            method.Answer(MiB);
            peer.Credit(FrameKind.Credit, default, MiB);
            _work.RunAll();
            method.RunQueued();
        }

        Assert.Equal(Enumerable.Range(1, Calls), answered.Select(static id => id.Slot));
        Assert.Equal((0, 0, 0L), (peer.Sut.ParkedRequests, peer.Sut.RequestCounts.OpenCount, _memory.Used));
    }

    [Fact]
    public void Other_requests_of_the_connection_do_not_wait_for_those_that_wait_for_memory()
    {
        var (peer, method) = Open();
        AnswerFirst(peer, method);
        Request(peer, method, Calls);
        Assert.Equal(Calls - 4, peer.Sut.ParkedRequests);

        peer.Request(new CallId(Calls + 1, 1), 0, [1, 2, 3]);

        Assert.Equal([3], peer.ReadAll()[^1].Payload);
        while (method.Running.Count > 0) method.Answer(1);
    }

    [Fact]
    public void One_of_each_connection_runs_whatever_others_have_reserved()
    {
        var (first, method) = Open();
        AnswerFirst(first, method);
        Request(first, method, Calls);
        Assert.Equal(4, method.Running.Count);
        for (int others = 1; others <= 10; others++)
        {
            long before = _memory.Reserved;
            var (other, _) = Open(method);
            Request(other, method, 20, generation: 1);
            Assert.InRange(_memory.Reserved - before, MiB, others == 1 ? 2 * MiB : MiB); // half of the rest, or one
        }
    }

    [Fact]
    public void Memory_is_reserved_no_longer_when_replies_have_become_small()
    {
        var (peer, method) = Open();
        AnswerFirst(peer, method);
        for (int i = 0; i < 100; i++)
        {
            Request(peer, method, 1, generation: i + 2);
            method.Answer(1);
            Assert.Equal(0, _memory.Reserved);
        }

        Request(peer, method, Calls, generation: 102);
        Assert.Equal((Calls, 0L), (method.Running.Count, _memory.Reserved));
        while (method.Running.Count > 0) method.Answer(1);
    }

    [Fact]
    public void A_handler_that_fails_makes_room_for_the_next()
    {
        var (peer, method) = Open();
        AnswerFirst(peer, method);
        Request(peer, method, 6);
        Assert.Equal(4, method.Running.Count);

        method.Running.Dequeue().Fail(MuxStatus.Aborted, MuxExecution.Executed, "It failed.");
        _work.RunAll();
        method.RunQueued();

        Assert.Equal((4, 1), (method.Running.Count, peer.Sut.ParkedRequests));
    }

    [Fact]
    public void Those_that_wait_when_their_connection_ends_are_given_up_and_nothing_stays_reserved()
    {
        var (peer, method) = Open();
        AnswerFirst(peer, method);
        Request(peer, method, Calls);

        peer.End();
        _work.RunAll();
        method.RunQueued();

        Assert.Equal((4, 0L, 0), (method.Running.Count, _memory.Reserved, peer.Sut.ParkedRequests));
        while (method.Running.Count > 0) method.Answer(MiB);
        Assert.Equal((0L, 0), (_memory.Used, peer.Sut.RequestCounts.OpenCount));
    }

    /// <summary>Shows the server how large the replies are.</summary>
    private void AnswerFirst(ScriptedPeer peer, AwaitingMethod method)
    {
        peer.Request(new CallId(1, 1), 1, []);
        method.RunQueued();
        method.Answer(MiB);
        peer.Credit(FrameKind.Credit, default, MiB);
        _work.RunAll();
        Assert.Equal(0, _memory.Used);
    }

    private void Request(ScriptedPeer peer, AwaitingMethod method, int count, int generation = 2)
    {
        for (int slot = 1; slot <= count; slot++) peer.Request(new CallId(slot, slot == 1 ? (uint)generation : 1), 1, []);

        _work.RunAll();
        method.RunQueued();
    }

    private (ScriptedPeer Peer, AwaitingMethod Method) Open(AwaitingMethod? method = null)
    {
        var shared = new SharedBudgets(new HandlerLimit(BudgetLimits.Unbounded, () => { }),
            new UnsentWatch(new ConnectionLedger(), new Clock(TimeProvider.System), BudgetLimits.Unbounded), _memory, _ => Assert.Fail("Nothing is refused."));
        var options = new ConnectionOptions { Shared = shared, Work = _work, UnsentLimit = 16 * MiB, Local = new PeerSettings { MaxCalls = 100 } };
        var peer = ScriptedPeer.Open(accepting: true, options);
        peer.Methods.Add("test/Length").Handler = static body => [(byte)body.Length];
        peer.Define(0, "test/Length");
        peer.Methods.Others.Add(method ??= new AwaitingMethod());
        peer.Define(1, "test/Awaiting");
        _peers.Add(peer);
        _methods.Add(method);
        return (peer, method);
    }

    /// <summary>A method whose handlers start elsewhere, and answer when the test says so.</summary>
    private sealed class AwaitingMethod : InboundMethod, IThreadPoolWorkItem
    {
        private readonly Queue<IThreadPoolWorkItem> _queued = [];

        public Queue<InboundCall> Running { get; } = [];

        public override MethodDescriptor Descriptor { get; } = new("test", "Awaiting", MethodShape.Unary, takesToken: false);

        public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
        {
            if (call.InTurn) TryQueue(call, new UnparkedRequest(call with { InTurn = false }, BufferPool.Rent(0), 0, next: this), 0);
            else Running.Enqueue(call);
        }

        public override bool TryQueue(in InboundCall call, IWork item, int bytes)
        {
            _queued.Enqueue(item);
            return true;
        }

        /// <summary>Does what workers would.</summary>
        public void RunQueued()
        {
            while (_queued.TryDequeue(out var request)) request.Execute();
        }

        public void Answer(int length)
        {
            NoteReply(length);
            Running.Dequeue().Reply(new byte[length - (length == MiB ? 8 : 0)]); // with room for a header, an array of 1 MiB
        }

        void IThreadPoolWorkItem.Execute()
        {
            // Nothing waits for a request that was not parked.
        }
    }
}
