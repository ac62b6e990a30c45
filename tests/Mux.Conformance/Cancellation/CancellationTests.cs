using System.Threading.Channels;
using Mux.Conformance.Contract;
using Mux.Conformance.Suite;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Conformance.Cancellation;

/// <summary>The caller's token ends the call wherever it is by then, at both ends.</summary>
[Cases(18, 19, 20, 21)]
public sealed class CancellationTests : ConformanceTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_token_that_has_fired_sends_nothing(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        using var cancellation = new CancellationTokenSource();
        await cancellation.CancelAsync();
        foreach (var call in StageCalls.Kinds) (await world.Calls.CallAsync(call, cancellationToken: cancellation.Token)).Cancelled(cancellation.Token);
        var told = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => world.Calls.Tell(new Payload(), cancellationToken: cancellation.Token).AsTask());
        Assert.Equal(cancellation.Token, told.CancellationToken);
        Assert.Equal((0, 0), (world.Scene.Transport.Dialed.Count, world.Channel.GetStatistics().CallsStarted));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Cancelling_before_any_item_ends_both_sides(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, Scripts.ReadAndHold(0));
        await CancelEachAsync(world, [], world.Stage.Started);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Cancelling_behind_the_first_request_ends_both_sides(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, Scripts.ReadAndHold(0));
        await CancelEachAsync(world, [new Payload()], world.Stage.Read);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Cancelling_behind_all_requests_ends_both_sides(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, Scripts.ReadAndHold(0));
        int calls = 0, requests = 0;
        foreach (var call in StageCalls.Kinds)
        {
            using var cancellation = new CancellationTokenSource();
            var outcome = world.Calls.CallAsync(call, Payloads.Numbered(3), cancellationToken: cancellation.Token);
            await world.Stage.Read.ReachAsync(requests += call.StreamsRequests() ? 3 : 1);
            await CancelAsync(world, cancellation, outcome, ++calls);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Cancelling_behind_some_replies_ends_both_sides(TransportKind kind, int connections)
    {
        const int Replies = 5;
        var world = Open(kind, connections, Scripts.Hold(Replies));
        int calls = 0;
        foreach (var call in StageCalls.Kinds.Where(call => call.StreamsReplies()))
        {
            foreach (int read in new[] { 1, Replies })
            {
                using var cancellation = new CancellationTokenSource();
                await using var replies = world.Calls.Stream(call, Payloads.Endless(new Signal("the disposal of the producer")), cancellationToken: cancellation.Token).GetAsyncEnumerator();
                for (int i = 0; i < read; i++) Assert.True(await replies.MoveNextAsync());
                await cancellation.CancelAsync();
                var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await replies.MoveNextAsync());
                Assert.Equal(cancellation.Token, error.CancellationToken);
                await world.Stage.Cancelled.ReachAsync(++calls);
                await world.Stage.Ended.ReachAsync(calls);
            }
        }

        await world.AssertAliveAsync();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task The_token_of_an_enumeration_ends_its_call(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, Scripts.Hold(1));
        using var cancellation = new CancellationTokenSource();
        await using var replies = world.Calls.List(new Payload()).GetAsyncEnumerator(cancellation.Token);
        Assert.True(await replies.MoveNextAsync());
        var next = replies.MoveNextAsync().AsTask();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => next.Within("the end of the enumeration"));
        await world.Stage.Ended.ReachAsync(1);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task The_producer_of_a_cancelled_call_is_told_and_disposed(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, Scripts.ReadAndHold(0));
        foreach (var call in StageCalls.Kinds.Where(call => call.StreamsRequests()))
        {
            using var cancellation = new CancellationTokenSource();
            var over = new Signal("the disposal of the producer");
            long read = world.Stage.Read.Count;
            var outcome = world.Calls.CallAsync(call, Payloads.Endless(over), cancellationToken: cancellation.Token);
            await world.Stage.Read.ReachAsync(read + 100);
            await cancellation.CancelAsync();
            (await outcome).Cancelled(cancellation.Token);
            await over.WaitAsync();
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_one_way_call_that_was_sent_is_beyond_its_token(TransportKind kind, int connections)
    {
        var goOn = new Signal("the end of the handler");
        var world = Open(kind, connections, Scripts.Hold(0, goOn));
        using var cancellation = new CancellationTokenSource();
        await world.Calls.Tell(new Payload(), cancellationToken: cancellation.Token);
        await world.Stage.Started.ReachAsync(1);
        await cancellation.CancelAsync();
        await world.AssertAliveAsync();
        Assert.Equal((0, 0), (world.Stage.Cancelled.Count, world.Stage.Ended.Count));
        goOn.Set();
        await world.Stage.Ended.ReachAsync(1);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_handler_that_ignores_its_token_keeps_nobody_waiting(TransportKind kind, int connections)
    {
        var goOn = new Signal("the end of the handlers");
        var world = Open(kind, connections, Scripts.Hold(1, goOn));
        foreach (var call in StageCalls.Kinds)
        {
            using var cancellation = new CancellationTokenSource();
            long started = world.Stage.Started.Count;
            var outcome = world.Calls.CallAsync(call, Payloads.Numbered(3), cancellationToken: cancellation.Token);
            await world.Stage.Started.ReachAsync(started + 1);
            await cancellation.CancelAsync();
            (await outcome).Cancelled(cancellation.Token);
        }

        await world.AssertAliveAsync();
        Assert.Equal(0, world.Stage.Ended.Count);
        goOn.Set();
        await world.Stage.Ended.ReachAsync(StageCalls.Kinds.Length);
    }

    /// <summary>Makes a call of each kind, whose requests go no further than those that are sent, and cancels it when it has reached a point.</summary>
    private static async Task CancelEachAsync(World world, Payload[] sent, Counter point)
    {
        int calls = 0;
        foreach (var call in StageCalls.Kinds)
        {
            using var cancellation = new CancellationTokenSource();
            var requests = Channel.CreateUnbounded<Payload>();
            foreach (var request in sent) requests.Writer.TryWrite(request);
            var outcome = world.Calls.CallAsync(call, requests.Reader.ReadAllAsync(), cancellationToken: cancellation.Token);
            await point.ReachAsync(++calls);
            await CancelAsync(world, cancellation, outcome, calls);
        }
    }

    private static async Task CancelAsync(World world, CancellationTokenSource cancellation, Task<Outcome> outcome, int calls)
    {
        await cancellation.CancelAsync();
        (await outcome).Cancelled(cancellation.Token);
        await world.Stage.Cancelled.ReachAsync(calls);
        await world.Stage.Ended.ReachAsync(calls);
        await world.AssertAliveAsync();
    }
}
