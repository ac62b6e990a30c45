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

namespace Mux.Core.Tests.Ordering;

/// <summary>Ordered requests of one connection come to their keys in the order in which they began to arrive: parked, large or small.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class ArrivalTests : IDisposable
{
    private static readonly CallId s_first = new(1, 1), s_second = new(2, 1), s_third = new(3, 1);

    private readonly Meter _meter = new("test");
    private readonly ManualWork _work = new();
    private readonly KeyTable _keys = new();
    private readonly List<byte> _ran = [];
    private readonly long _buffersBefore = BufferPool.Outstanding;
    private TaskCompletionSource? _handlers; // null if they end at once

    private byte[] Ran
    {
        get
        {
            lock (_ran) return [.. _ran];
        }
    }

    public void Dispose() => _meter.Dispose();

    [Fact]
    public async Task A_request_waits_for_the_last_fragment_of_one_before_it()
    {
        var peer = Open();
        peer.Begin(FrameKind.Request, s_first, 3, [0, 0, 0, 0]);
        peer.Request(s_second, 0, [2, 1]);
        peer.Request(s_third, 0, [3, 2]); // its key is another one, but that of the first is not known yet
        Assert.Empty(Ran);

        peer.Continue(FrameKind.Request, s_first, [1, 1]);
        peer.Continue(FrameKind.Request, s_first, [9], isLast: true);

        await Eventually.Holds(() => Ran.Length == 3, "three handlers");
        Assert.Equal([1, 2], Ran.Where(static number => number != 3));
        await EndAsync(peer);
    }

    [Theory]
    [InlineData(PartialMessage.LongestInTurn)]
    [InlineData(PartialMessage.LongestInTurn + 1)]
    public async Task A_request_does_not_overtake_a_large_one_that_is_decoded_elsewhere(int length)
    {
        var peer = Open();
        peer.Begin(FrameKind.Request, s_first, length, [0, 0, 0, 0]);
        for (int left = length; left > 0;)
        {
            int fragment = Math.Min(left, ProtocolConstants.MaxFragmentBody);
            byte[] bytes = new byte[fragment];
            if (left == length) (bytes[0], bytes[1]) = (1, 1);
            left -= fragment;
            peer.Continue(FrameKind.Request, s_first, bytes, isLast: left == 0);
        }

        peer.Request(s_second, 0, [2, 1]);

        await Eventually.Holds(() => Ran.Length == 2, "two handlers");
        Assert.Equal([1, 2], Ran);
        await EndAsync(peer);
    }

    [Fact]
    public async Task Parked_requests_run_before_those_that_come_later()
    {
        var peer = Open(unsentLimit: 1);
        peer.StopReading();
        peer.RequestStream(new CallId(1, 1), 1); // fails, and the failure fills the queue
        for (byte number = 1; number <= 5; number++) peer.Request(new CallId(number + 1, 1), 0, [number, 1]);
        Assert.Empty(Ran);

        peer.Link.Grow(long.MaxValue);
        _work.RunAll();
        for (byte number = 6; number <= 9; number++) peer.Request(new CallId(number + 1, 1), 0, [number, 1]);

        await Eventually.Holds(() => { _work.RunAll(); return Ran.Length == 9; }, "nine handlers");
        Assert.Equal([1, 2, 3, 4, 5, 6, 7, 8, 9], Ran);
        await EndAsync(peer);
    }

    [Fact]
    public async Task One_that_is_cancelled_before_it_is_whole_is_waited_for_no_longer()
    {
        var peer = Open();
        peer.Begin(FrameKind.Request, s_first, 3, [0, 0, 0, 0]);
        peer.Request(s_second, 0, [2, 1]);
        peer.SendFrame(FrameKind.Cancel, s_first, [0]);
        Assert.Empty(Ran);

        peer.Time.Advance(TimeSpan.FromMicroseconds(Ticker.Resolution));
        _work.RunAll();

        await Eventually.Holds(() => Ran.Length == 1, "the second handler");
        Assert.Equal([2], Ran);
        await EndAsync(peer);
        Assert.Equal(0, Ticker.For(new Clock(peer.Time)).Count);
    }

    [Fact]
    public async Task One_that_cannot_be_decoded_is_waited_for_no_longer()
    {
        var peer = Open();
        peer.Begin(FrameKind.Request, s_first, 1, [0, 0, 0, 0]);
        peer.Request(s_second, 0, [2, 1]);

        peer.Continue(FrameKind.Request, s_first, [1], isLast: true);

        await Eventually.Holds(() => Ran.Length == 1, "the second handler");
        await EndAsync(peer);
    }

    [Fact]
    public async Task When_the_connection_ends_those_that_wait_do_not_run()
    {
        var peer = Open();
        _handlers = new TaskCompletionSource();
        for (byte number = 1; number <= 5; number++) peer.Request(new CallId(number, 1), 0, [number, 1]);
        peer.Begin(FrameKind.Request, new CallId(6, 1), 3, [0, 0, 0, 0]);
        peer.Request(new CallId(7, 1), 0, [7, 1]);
        Assert.Equal((1, 4), (Ran.Length, _keys.Waiting));

        peer.End();
        _work.RunAll();
        Assert.Equal(0, _keys.Waiting);
        _handlers.SetResult();

        await Eventually.Holds(() => { _work.RunAll(); return _keys.Keys == 0 && peer.Sut.RequestCounts.OpenCount == 0; }, "the end of all calls");
        Assert.Equal([1], Ran);
        await RestingBuffers.BackAt(_buffersBefore);
    }

    [Fact]
    public async Task A_request_that_waits_is_answered_at_its_deadline()
    {
        var peer = Open();
        _handlers = new TaskCompletionSource();
        peer.Request(s_first, 0, [1, 1]);
        peer.SendFrame(FrameKind.Request, s_second, [0, 0, (byte)RequestOptions.Deadline, 0, 0x10, 0x27, 0, 0, 2, 1]); // 10 ms
        Assert.Equal(1, _keys.Waiting);

        peer.Time.Advance(TimeSpan.FromMilliseconds(40));
        _work.RunAll();

        Assert.Equal((s_second, FrameKind.Fail), peer.ReadAll() is [var only] ? (only.Id, only.Kind) : default);
        Assert.Equal(0, _keys.Waiting);
        _handlers.SetResult();
        await EndAsync(peer);
        Assert.Equal([1], Ran);
    }

    private ScriptedPeer Open(long unsentLimit = 1_000_000)
    {
        var descriptor = new MethodDescriptor("test", "Method", MethodShape.Unary, takesToken: false) { Choices = new MethodChoices { Dispatch = MuxDispatchMode.Ordered } };
        var method = new UnaryMethod<byte[], byte[]>(descriptor, BytesCodec.Instance, BytesCodec.Instance, (_, request, _, _) => RunAsync(request))
        {
            KeyOf = static (in byte[] request) => KeyHash.Of((long)request[1]),
        };
        var durations = new CallDurations(_meter.CreateHistogram<double>("durations"), ActivityKind.Server, new Clock(TimeProvider.System), [], new CallLog(NullLogger.Instance, ActivityKind.Server));
        var environment = new HandlerEnvironment(MuxDispatchMode.Adaptive, NullLogger.Instance, durations, DetailedErrors: false) { Keys = _keys };
        var peer = ScriptedPeer.Open(accepting: true, new ConnectionOptions { Work = _work, UnsentLimit = unsentLimit });
        peer.Methods.Others.Add(new OrderedHandler<byte[], byte[]>(method, new SingletonSource<object>(this), environment, filters: null));
        peer.Define(0, "test/Method");
        peer.Define(1, "test/Nothing", MethodShape.Duplex);
        return peer;
    }

    private async ValueTask<byte[]> RunAsync(byte[] request)
    {
        lock (_ran) _ran.Add(request[0]);
        if (_handlers is { } handlers) await handlers.Task;
        return [];
    }

    private async Task EndAsync(ScriptedPeer peer)
    {
        await Eventually.Holds(() => { _work.RunAll(); return peer.Sut.RequestCounts.OpenCount == 0 && _keys.Keys == 0; }, "the end of all calls");
        peer.End();
        await RestingBuffers.BackAt(_buffersBefore);
    }
}
