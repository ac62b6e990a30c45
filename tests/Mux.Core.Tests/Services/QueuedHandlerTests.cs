using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Telemetry;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Services;

/// <summary>Handlers whose requests are not started in the turn: they may block, and what a connection's own work runs on must not wait for them.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class QueuedHandlerTests : IDisposable
{
    private const int Large = PartialMessage.LongestInTurn + 1;

    private static readonly CallId s_id = new(1, 1), s_second = new(2, 1);

    private static readonly UnaryMethod<MuxUnit, MuxUnit> s_method = new(
        new MethodDescriptor("test", "Method", MethodShape.Unary, takesToken: false),
        new EmptyCodec("request"),
        new EmptyCodec("reply"),
        static (service, _, _, _) =>
        {
            ((Service)service).Thread = Thread.CurrentThread.Name;
            ((Service)service).Started.Set();
            return default;
        });

    private readonly Meter _meter = new("test");
    private readonly ManualWork _work = new();
    private readonly long _buffersBefore = BufferPool.Outstanding;

    public void Dispose() => _meter.Dispose();

    [Theory]
    [InlineData(MuxDispatchMode.Adaptive)]
    [InlineData(MuxDispatchMode.Inline)]
    public async Task A_large_request_runs_on_a_worker(MuxDispatchMode dispatch)
    {
        var (peer, service) = Open(dispatch, unsentLimit: 1_000_000);

        SendLarge(peer, s_id);

        await service.Started.WaitAsync();
        Assert.Equal("Mux handler", service.Thread);
        Assert.Equal(0, _work.Count);
        await EndAsync(peer);
    }

    [Theory]
    [InlineData(MuxDispatchMode.Adaptive, ProtocolConstants.MaxWholeBody + 1)]
    [InlineData(MuxDispatchMode.Adaptive, PartialMessage.LongestInTurn)]
    [InlineData(MuxDispatchMode.Inline, PartialMessage.LongestInTurn)]
    public async Task A_request_of_some_fragments_runs_in_the_turn(MuxDispatchMode dispatch, int length)
    {
        var (peer, service) = Open(dispatch, unsentLimit: 1_000_000);

        Send(peer, s_id, length);

        Assert.Equal(Thread.CurrentThread.Name, service.Thread);
        Assert.Equal(FrameKind.Response, peer.ReadAll()[^1].Kind);
        await EndAsync(peer);
    }

    [Fact]
    public async Task A_queued_request_does_not_wait_for_what_it_holds_itself()
    {
        var (peer, service) = Open(MuxDispatchMode.Adaptive, unsentLimit: 1_000_000, runningLimit: 1);

        SendLarge(peer, s_id);

        await service.Started.WaitAsync();
        await EndAsync(peer);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(Large)]
    public async Task A_request_that_was_parked_runs_on_a_worker(int length)
    {
        var (peer, service) = Open(MuxDispatchMode.Adaptive, unsentLimit: 1);
        peer.StopReading();
        peer.RequestStream(s_id, 1); // fails, and the failure fills the queue
        if (length > 0) SendLarge(peer, s_second);
        else peer.Request(s_second, 0, []);
        Assert.Null(service.Thread);

        peer.Link.Grow(long.MaxValue);
        _work.RunAll();

        await service.Started.WaitAsync();
        Assert.Equal("Mux handler", service.Thread);
        await EndAsync(peer);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_request_that_finds_no_worker_is_answered_and_holds_nothing(bool isParked)
    {
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Work = _work, UnsentLimit = isParked ? 1 : 1_000_000 });
        peer.Methods.Others.Add(new OverloadedMethod());
        peer.Define(0, "test/Overloaded");
        peer.Define(1, "test/Nothing", MethodShape.Duplex);
        if (isParked) peer.StopReading();
        peer.RequestStream(s_id, 1); // fails, and where nothing is read, the failure fills the queue

        SendLarge(peer, s_second);
        peer.Link.Grow(long.MaxValue);
        _work.RunAll();

        Assert.Equal([s_id, s_second], peer.ReadAll().Where(frame => frame.Kind == FrameKind.Fail).Select(frame => frame.Id));
        Assert.Equal((0, 0L), (peer.Sut.RequestCounts.OpenCount, peer.Sut.Replies.Slots.Charged));
        peer.End();
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Fact]
    public void A_small_request_in_fragments_runs_as_in_one_frame()
    {
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Work = _work });
        peer.Methods.Add("test/Echo").Handler = body => body;
        peer.Define(0, "test/Echo");

        peer.Begin(FrameKind.Request, s_id, 2, [0, 0, 0, 0]);
        peer.Continue(FrameKind.Request, s_id, [1]);
        peer.Continue(FrameKind.Request, s_id, [2], isLast: true);

        Assert.Equal([1, 2], peer.ReadAll().Single(frame => frame.Kind == FrameKind.Response).Payload);
        Assert.Equal(0, _work.Count);
        peer.End();
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    private static void SendLarge(ScriptedPeer peer, CallId id) => Send(peer, id, Large);

    private static void Send(ScriptedPeer peer, CallId id, int length)
    {
        peer.Begin(FrameKind.Request, id, length, [0, 0, 0, 0]);
        for (int left = length; left > 0;)
        {
            int fragment = Math.Min(left, ProtocolConstants.MaxFragmentBody);
            left -= fragment;
            peer.Continue(FrameKind.Request, id, new byte[fragment], isLast: left == 0);
        }
    }

    private (ScriptedPeer Peer, Service Service) Open(MuxDispatchMode dispatch, long unsentLimit, long runningLimit = 1_000_000)
    {
        var service = new Service();
        var durations = new CallDurations(_meter.CreateHistogram<double>("durations"), ActivityKind.Server, new Clock(TimeProvider.System), [], new CallLog(NullLogger.Instance, ActivityKind.Server));
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Work = _work, UnsentLimit = unsentLimit, RunningLimit = runningLimit });
        peer.Methods.Others.Add(new UnaryHandler<MuxUnit, MuxUnit>(s_method, new SingletonSource<object>(service), new(dispatch, NullLogger.Instance, durations, DetailedErrors: false)));
        peer.Define(0, "test/Method");
        peer.Define(1, "test/Nothing", MethodShape.Duplex);
        return (peer, service);
    }

    private async Task EndAsync(ScriptedPeer peer)
    {
        await Eventually.Holds(() => peer.Sut.RequestCounts.OpenCount == 0, "the answers");
        _work.RunAll();
        peer.End();
        await RestingBuffers.BackAt(_buffersBefore);
    }

    private sealed class Service
    {
        public Signal Started { get; } = new("the handler");

        public string? Thread { get; set; }
    }

    private sealed class OverloadedMethod : InboundMethod
    {
        public override MethodDescriptor Descriptor => s_method.Descriptor;

        public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body) => Assert.Fail("It was not to run.");

        public override bool TryQueue(in InboundCall call, IWork item, int bytes)
        {
            call.Fail(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, "Overloaded.");
            return false;
        }
    }
}
