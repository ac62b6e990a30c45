using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using System.Threading.Tasks.Sources;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Client;
using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Telemetry;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Serializers;
using Mux.TestSupport.Transports;
using Mux.Transports.InMemory;

namespace Mux.Core.Tests.Calls;

/// <summary>Calls whose outcome waits for a thread, and none is free until their deadline passes: they end with what is known of them.</summary>
public sealed class AbandonedUnaryCallTests : IDisposable
{
    private static readonly CallFailure s_lost = new(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Queue, "The connection was lost.");

    private static readonly UnaryMethod<MuxUnit, MuxResult<int>> s_result = new(
        Descriptor("Result", MethodShape.Unary), new EmptyCodec("request"), new ResultCodec<int>(new ScriptedCodec<int>(static body => body.Length)), static (_, _, _, _) => default);

    private static readonly UnaryMethod<MuxUnit, int> s_throwing = new(
        Descriptor("Throwing", MethodShape.Unary), new EmptyCodec("request"), new ScriptedCodec<int>(static body => body.Length), static (_, _, _, _) => default);

    private static readonly UnaryMethod<MuxUnit, int> s_oneWay = new(
        Descriptor("OneWay", MethodShape.OneWay), new EmptyCodec("request"), new ScriptedCodec<int>(static body => body.Length), static (_, _, _, _) => default);

    private readonly Workers _completions = new(WorkerKind.Completions, maxThreads: 0); // none is ever free
    private readonly ChannelRoute _route;
    private readonly MeterReadings _meters = new();
    private readonly MeterListener _listener = new();
    private readonly ConcurrentBag<string> _told = []; // the status of each duration
    private long _now = Environment.TickCount64;

    public AbandonedUnaryCallTests()
    {
        _listener.InstrumentPublished = (instrument, self) =>
        {
            if (instrument.Meter.Scope == _meters && instrument.Name == MetricNames.ClientCallDuration) self.EnableMeasurementEvents(instrument);
        };
        _listener.SetMeasurementEventCallback<double>((instrument, _, tags, _) => _told.Add(new MeterReading(instrument.Name, 0, tags.ToArray()).Tag(MetricNames.StatusTag)!));
        _listener.Start();
        var settings = EngineSettings.Of(new MuxChannelOptions { Address = "mux://memory:1", Transport = new InMemoryTransport(), MeterFactory = _meters }, NullLoggerFactory.Instance, MuxAddress.Parse("mux://memory:1"));
        _route = new ChannelRoute(settings with { Calls = settings.Calls with { Completions = _completions } });
    }

    public void Dispose()
    {
        _route.Dispose();
        _listener.Dispose();
        _meters.Dispose();
    }

    [Fact]
    public async Task A_failure_of_a_method_that_returns_a_result_is_not_taken_for_a_reply()
    {
        var (call, outcome) = Await(s_result);
        call.OnFailed(s_lost, inTurn: false);
        LookForAbandoned();
        var failure = (await outcome.Within("the outcome")).Failure!;
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.MayHaveExecuted), (failure.Status, failure.Execution));
        Assert.Equal((0, 0), CountsOf(s_result.Descriptor));
    }

    [Fact]
    public async Task A_failure_of_a_method_that_throws_is_not_taken_for_a_reply()
    {
        var (call, outcome) = Await(s_throwing);
        call.OnFailed(s_lost, inTurn: false);
        LookForAbandoned();
        var error = await Assert.ThrowsAsync<MuxException>(() => outcome.Within("the outcome"));
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.MayHaveExecuted), (error.Status, error.Execution));
        Assert.Equal((0, 0), CountsOf(s_throwing.Descriptor));
    }

    [Fact]
    public async Task A_one_way_call_that_is_sent_has_succeeded()
    {
        var (call, outcome) = Await(s_oneWay);
        call.OnAppended();
        LookForAbandoned();
        Assert.Equal(0, await outcome.Within("the outcome"));
        Assert.Equal((0, 0), CountsOf(s_oneWay.Descriptor));
    }

    [Fact]
    public async Task A_large_reply_that_no_thread_reads_in_time_is_a_deadline_that_passed_after_the_call_was_executed()
    {
        var (call, outcome) = Await(s_result);
        ReceiveLarge(call);
        LookForAbandoned();
        var failure = (await outcome.Within("the outcome")).Failure!;
        Assert.Equal((MuxStatus.DeadlineExceeded, MuxExecution.Executed), (failure.Status, failure.Execution));
        Assert.Equal((-1, 1), CountsOf(s_result.Descriptor)); // the reply itself is counted where it came
        Assert.Equal(["DEADLINE_EXCEEDED"], _told);
    }

    [Fact]
    public async Task A_small_reply_that_no_thread_takes_in_time_is_told_to_meters_as_what_the_caller_sees()
    {
        var (call, outcome) = await HoldSmallAsync();
        Assert.Empty(_told);
        LookForAbandoned();
        var failure = (await outcome.Within("the outcome")).Failure!;
        Assert.Equal((MuxStatus.DeadlineExceeded, MuxExecution.Executed), (failure.Status, failure.Execution));
        Assert.Equal((-1, 1), CountsOf(s_result.Descriptor));
        Assert.Equal(["DEADLINE_EXCEEDED"], _told);
    }

    [Fact]
    public async Task A_small_reply_that_a_thread_takes_in_time_is_told_to_meters_once()
    {
        var (call, outcome) = await HoldSmallAsync();
        Assert.Empty(_told);
        ((IThreadPoolWorkItem)call).Execute();
        Assert.Equal(3, (await outcome.Within("the outcome")).Value);
        Assert.Equal(["OK"], _told);
    }

    [Fact]
    public async Task The_object_of_a_call_whose_reply_waited_takes_the_failure_of_the_next_for_what_it_is()
    {
        var (call, outcome) = Await(s_result);
        var second = MakeSecondAsync();
        ReceiveLarge(call);
        LookForAbandoned();
        var (next, nextOutcome) = await second.Within("the outcome of the first call");
        Assert.Same(call, next);
        next.OnFailed(s_lost, inTurn: false);
        LookForAbandoned();
        Assert.Equal(MuxStatus.Unavailable, (await nextOutcome.Within("the outcome of the second call")).Failure!.Status);

        async Task<(UnaryCall<MuxUnit, MuxResult<int>> Call, Task<MuxResult<int>> Outcome)> MakeSecondAsync()
        {
            await outcome.ConfigureAwait(false); // continues on the thread that has just given the object back
            return Await(s_result);
        }
    }

    private static MethodDescriptor Descriptor(string name, MethodShape shape) => new("test", name, shape, takesToken: false);

    private static void ReceiveLarge(OutgoingCall call)
    {
        var message = new PartialMessage(FrameKind.Response, default, length: PartialMessage.LongestInTurn + 1, isUnwanted: false);
        call.OnLargeResponse(message, new CallTally());
    }

    /// <summary>A call whose small reply waits for a thread, because the code after it was too expensive for the turn.</summary>
    private async Task<(UnaryCall<MuxUnit, MuxResult<int>> Call, Task<MuxResult<int>> Outcome)> HoldSmallAsync()
    {
        while (true)
        {
            ContinuationPlacement? last = null;
            var code = new ExpensiveCode();
            var placement = ContinuationPlacement.Of(code, null!, ref last);
            while (placement.IsInline) placement.OnTakenOver(waits: true);
            var call = new UnaryCaller<MuxUnit, MuxResult<int>>(s_result, _route).RentCall();
            call.SetDeadline(_route.Clock.Now, 0);
            short version = call.Version;
            var done = new TaskCompletionSource();
            code.Continue = done.SetResult;
            call.OnCompleted(static state => ((ExpensiveCode)state!).Continue(), code, version, ValueTaskSourceOnCompletedFlags.None);
            call.OnResponse(new byte[3], new CallTally());
            if (_completions.Waiting > 0) return (call, OutcomeAsync(call, version, done.Task));
            await OutcomeAsync(call, version, done.Task); // the code was given another trial just now
            _told.Clear();
        }

        static async Task<MuxResult<int>> OutcomeAsync(IValueTaskSource<MuxResult<int>> call, short version, Task done)
        {
            await done.Within("the code after the call");
            return call.GetResult(version);
        }
    }

    /// <summary>A call whose deadline has passed, and that is awaited by code that belongs on a worker.</summary>
    private (UnaryCall<MuxUnit, TResponse> Call, Task<TResponse> Outcome) Await<TResponse>(UnaryMethod<MuxUnit, TResponse> method)
    {
        var call = new UnaryCaller<MuxUnit, TResponse>(method, _route).RentCall();
        call.SetDeadline(_route.Clock.Now, 0);
        return (call, AwaitAsync());

        async Task<TResponse> AwaitAsync() => await new ValueTask<TResponse>(call, call.Version).ConfigureAwait(false);
    }

    private void LookForAbandoned()
    {
        Assert.Equal(1, _completions.Waiting);
        for (int look = 0; look < 3 && _completions.Waiting > 0; look++) _completions.OnTick(_now += 10);
        Assert.Equal(0, _completions.Waiting);
    }

    private (long Ok, long DeadlineExceeded) CountsOf(MethodDescriptor method)
    {
        var calls = _route.Ledger.Sum().Calls;
        return (calls.CountOf(method, MuxStatus.Ok), calls.CountOf(method, MuxStatus.DeadlineExceeded));
    }

    private sealed class ExpensiveCode
    {
        public Action Continue { get; set; } = static () => { };
    }
}
