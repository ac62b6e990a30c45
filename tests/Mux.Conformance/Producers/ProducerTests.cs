using Mux.Conformance.Contract;
using Mux.Conformance.Suite;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Conformance.Producers;

/// <summary>Whoever makes items may throw, or go on for ever: it is disposed, and both sides learn of it.</summary>
[Cases(5, 9, 20)]
public sealed class ProducerTests : ConformanceTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_producer_that_throws_fails_its_call_and_says_whether_that_was_executed(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, Scripts.ReadAndHold(0));
        foreach (var call in StageCalls.Kinds.Where(call => call.StreamsRequests()))
        {
            foreach (int after in new[] { 0, 1, 1_000 })
            {
                var thrown = new InvalidOperationException($"after {after}");
                var outcome = await world.Calls.CallAsync(call, Failing(after, thrown));
                var error = Assert.IsType<MuxException>(outcome.Error);
                Assert.Equal((MuxStatus.Cancelled, thrown), (error.Status, error.InnerException));
                Assert.NotEqual(MuxExecution.Executed, error.Execution); // what the peer has done of it is not known here
                Assert.Contains(thrown.Message, error.Message, StringComparison.Ordinal);
                await world.AssertAliveAsync();
            }
        }

        // A call that ends that early may never reach its handler.
        await Eventually.Holds(() => world.Server.GetStatistics().CallsActive == 0 && world.Stage.Ended.Count == world.Stage.Started.Count, "the end of the handlers");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_call_without_its_request_stream_fails_unsent(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        foreach (var call in StageCalls.Kinds.Where(call => call.StreamsRequests())) AssertUnsent((await world.Calls.CallAsync(call, requests: null!)).Error);
        AssertUnsent(await Record.ExceptionAsync(async () => await world.Probe.Upload(null!)));
        AssertUnsent(await Record.ExceptionAsync(async () => await world.Probe.ExchangeByChannel(null!).ReadAsync()));
        Assert.Equal(0, world.Server.GetStatistics().CallsStarted);
        await world.AssertAliveAsync();

        static void AssertUnsent(Exception? error)
        {
            var failure = Assert.IsType<MuxException>(error);
            Assert.Equal((MuxStatus.InvalidArgument, MuxExecution.NotExecuted), (failure.Status, failure.Execution));
            Assert.Contains("the request stream is null", failure.Message, StringComparison.Ordinal);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_producer_without_an_end_is_disposed_when_the_server_ends_the_call(TransportKind kind, int connections)
    {
        foreach (var script in new Script[] { (requests, _, _) => requests.Take(3), Scripts.Fail(new MuxException(MuxStatus.Aborted, "enough")), (_, _, _) => Payloads.Numbered(2) })
        {
            var world = Open(kind, connections, script);
            foreach (var call in StageCalls.Kinds.Where(call => call.StreamsRequests()))
            {
                var over = new Signal($"the disposal of the producer of a call of kind {call}");
                var outcome = await world.Calls.CallAsync(call, Payloads.Endless(over));
                if (outcome.Error is not null) outcome.Failed(MuxStatus.Aborted);
                await over.WaitAsync();
                await world.AssertAliveAsync();
            }
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_producer_that_waits_is_told_when_the_server_ends_the_call(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, Scripts.Fail(new MuxException(MuxStatus.Aborted, "enough")));
        foreach (var call in StageCalls.Kinds.Where(call => call.StreamsRequests()))
        {
            var over = new Signal("the disposal of the producer that waits");
            (await world.Calls.CallAsync(call, Waiting(over))).Failed(MuxStatus.Aborted);
            await over.WaitAsync();
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task An_item_that_is_null_ends_the_call_with_an_error(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        foreach (var call in StageCalls.Kinds.Where(call => call.StreamsRequests()))
        {
            var outcome = await world.Calls.CallAsync(call, Payloads.Numbered(2).Append(null!));
            Assert.NotNull(outcome.Error);
            await world.AssertAliveAsync();
        }

        world.Stage.Script = (_, _, _) => Payloads.Numbered(2).Append(null!);
        world.Scene.ExpectedErrors.UnionWith(["HandlerFailed", "ReplyUnencodable"]);
        foreach (var call in StageCalls.Kinds)
        {
            var outcome = await world.Calls.CallAsync(call);
            Assert.IsType<MuxException>(outcome.Error);
            Assert.Equal(call.StreamsReplies() ? [0, 1] : [], outcome.Numbers);
            await world.AssertAliveAsync();
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Items_that_cannot_be_decoded_fail_their_call_alone(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        var sut = world.Channel.CreateProxy<IOddStage>();
        await AssertFailsAsync(sut.Collect(Odd(0)).AsTask(), MuxStatus.InvalidArgument);
        await AssertFailsAsync(sut.Collect(Odd(5)).AsTask(), MuxStatus.InvalidArgument);
        await AssertFailsAsync(sut.Ask(new OddPayload { Body = "no bytes", Number = "no number" }).AsTask(), MuxStatus.InvalidArgument);
        world.Stage.Script = Scripts.Replies(new Payload { Number = 5 });
        await AssertFailsAsync(sut.List(new OddPayload()).ToListAsync().AsTask(), MuxStatus.Internal);

        async Task AssertFailsAsync(Task call, MuxStatus status)
        {
            Assert.Equal(status, (await Assert.ThrowsAsync<MuxException>(() => call.Within("the failure of what cannot be decoded"))).Status);
            await world.AssertAliveAsync();
        }
    }

    private static IAsyncEnumerable<OddPayload> Odd(int after) =>
        Enumerable.Repeat(new OddPayload(), after).Append(new OddPayload { Number = "no number" }).Append(new OddPayload()).ToAsyncEnumerable();

    private static async IAsyncEnumerable<Payload> Failing(int after, Exception error)
    {
        for (int i = 0; i < after; i++) yield return new Payload { Number = i };
        await Task.Yield();
        throw error;
    }

    private static async IAsyncEnumerable<Payload> Waiting(Signal over, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        try
        {
            yield return new Payload();
            await new TaskCompletionSource().Task.WaitAsync(cancellationToken);
        }
        finally
        {
            over.Set();
        }
    }
}
