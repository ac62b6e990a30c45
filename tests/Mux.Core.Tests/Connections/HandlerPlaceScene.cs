using System.Buffers.Binary;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>Connections of one server that has a hundred places for handlers.</summary>
public abstract class HandlerPlaceScene : IDisposable
{
    protected const int Places = 100;
    protected const int PlacesOfAddress = 20;

    private readonly long _buffersBefore = BufferPool.Outstanding;
    private readonly HandlerLimit _handlers;
    private readonly List<ScriptedPeer> _peers = [];
    private readonly Dictionary<ScriptedPeer, ProbeMethod> _later = [];

    protected HandlerPlaceScene() => _handlers = new HandlerLimit(Places, _ => Refused++, PlacesOfAddress);

    /// <summary>What the connections have queued.</summary>
    private protected ManualWork Work { get; } = new();

    /// <summary>Requests refused for lack of a place since all were taken.</summary>
    protected int Refused { get; private set; }

    public void Dispose()
    {
        GC.SuppressFinalize(this);
        foreach (var peer in _peers) peer.End();
        Work.RunAll();
        Assert.Equal((_buffersBefore, 0), (BufferPool.Outstanding, _peers.Sum(peer => peer.Sut.RequestCounts.RunningCount)));
    }

    private protected static void AssertRefusedForPlace(RawFrame frame)
    {
        Assert.Equal(FrameKind.Fail, frame.Kind);
        Assert.True(FailFrame.TryRead(frame.Payload, out var fail, out _));
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, 100u), ((MuxStatus)fail.Status, fail.Execution, fail.RetryAfterMilliseconds));
        Assert.Contains("Limits.MaxHandlers", fail.Text, StringComparison.Ordinal);
    }

    private protected static MuxStatus StatusOf(RawFrame frame) =>
        FailFrame.TryRead(frame.Payload, out var fail, out _) && fail.Execution == MuxExecution.NotExecuted ? (MuxStatus)fail.Status : MuxStatus.Ok;

    /// <summary>Sends a request that has this time, with an empty body.</summary>
    private protected static void RequestWithin(ScriptedPeer peer, CallId id, int milliseconds, int ordinal = 1)
    {
        var payload = new byte[8];
        (payload[0], payload[2]) = ((byte)ordinal, (byte)RequestOptions.Deadline);
        BinaryPrimitives.WriteUInt32LittleEndian(payload.AsSpan(4), (uint)milliseconds * 1_000);
        peer.SendFrame(FrameKind.Request, id, payload);
    }

    private protected static void AnswerRest(IEnumerable<InboundCall> calls)
    {
        foreach (var call in calls.ToList()) call.Reply([]);
    }

    /// <summary>Lets time pass as the ticker sees it.</summary>
    private protected void Step(ScriptedPeer peer, int milliseconds)
    {
        for (int passed = 0; passed < milliseconds; passed += 10)
        {
            peer.Time.Advance(TimeSpan.FromMilliseconds(10));
            Work.RunAll();
        }
    }

    private protected ProbeMethod LaterOf(ScriptedPeer peer) => _later[peer];

    /// <summary>Answers what runs, so that its places are free.</summary>
    private protected void AnswerAll(params IEnumerable<ScriptedPeer> peers)
    {
        foreach (var call in peers.SelectMany(peer => _later[peer].Pending)) call.Reply([]);
    }

    /// <summary>Peers that run as many requests as they get, which leaves no place.</summary>
    private protected List<ScriptedPeer> TakeAllPlaces()
    {
        var hogs = Enumerable.Range(0, Places).Select(_ => Open()).ToList();
        foreach (var hog in hogs)
        {
            for (int slot = 1; slot <= Places; slot++)
            {
                hog.Begin(FrameKind.Request, new CallId(slot, 1), 1, [1, 0, 0, 0]); // whole ones would wait
                if (hog.TryRead() is not null) break;
                hog.Continue(FrameKind.Request, new CallId(slot, 1), [1], isLast: true);
                if (hog.TryRead() is not null) break;
            }
        }

        Refused = 0;
        return hogs;
    }

    private protected ScriptedPeer Open(
        long? runningLimit = null, bool hasPlaces = true, long? parkedLimit = null, string host = "", bool accepting = true,
        long maxDeadline = Clock.Never, bool hasMemory = true)
    {
        var clock = new Clock(TimeProvider.System);
        var shared = new SharedBudgets(
            hasPlaces ? _handlers : new HandlerLimit(BudgetLimits.Unbounded, static _ => { }),
            new UnsentWatch(new ConnectionLedger(), clock, BudgetLimits.Unbounded), hasMemory ? new MemoryBudget(1 << 30, BudgetLimits.Unbounded) : null,
            _ => { });
        var options = new ConnectionOptions { Shared = shared, Work = Work, UnsentLimit = 100, MaxDeadline = maxDeadline };
        if (runningLimit is { } limit) options = options with { RunningLimit = limit };
        if (parkedLimit is { } parked) options = options with { ParkedLimit = parked };
        var peer = ScriptedPeer.Open(accepting, options, host: host);
        peer.Methods.Add("test/Fat").Handler = static _ => new byte[200];
        _later[peer] = peer.Methods.Add("test/Later");
        peer.Define(0, "test/Fat");
        peer.Define(1, "test/Later");
        _peers.Add(peer);
        return peer;
    }

    /// <summary>A method whose requests are queued for other threads.</summary>
    private protected sealed class QueuingMethod : InboundMethod, IThreadPoolWorkItem
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
