using System.Collections.Concurrent;
using Mux.Conformance.Contract;
using Mux.Conformance.Suite;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Conformance.Flow;

/// <summary>Calls beyond what the peer takes at a time wait, in order, and all go well.</summary>
[Cases(30)]
public sealed class CallLimitTests : ConformanceTests
{
    private const int Calls = 10;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Calls_of_every_kind_wait_for_their_turn(TransportKind kind, int connections)
    {
        foreach (var call in StageCalls.Kinds)
        {
            var goOn = new Signal("the end of the handlers");
            var world = Open(kind, connections, Scripts.Hold(1, goOn), LimitTo(1));
            await world.Channel.ConnectAsync();
            var outcomes = Enumerable.Range(0, Calls).Select(_ => world.Calls.CallAsync(call)).ToList();
            await world.Stage.Started.ReachAsync(connections);
            Assert.Equal(Calls - connections, world.Channel.GetStatistics().CallsWaiting);
            Assert.Equal(connections, world.Stage.Started.Count);
            goOn.Set();
            foreach (var outcome in outcomes) (await outcome).Succeeded();
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Those_that_wait_for_one_connection_are_served_in_order(TransportKind kind, int connections)
    {
        var order = new ConcurrentQueue<int>();
        var goOn = new Signal("the end of the first handler");
        var world = Open(kind, 1, (requests, _, _) => Noted(requests), LimitTo(connections));
        await world.Channel.ConnectAsync();
        var calls = Enumerable.Range(0, 100).Select(id => world.Calls.Ask(new Payload { Number = id }).AsTask()).ToList();
        await world.Stage.Started.ReachAsync(connections);
        goOn.Set();
        for (int id = 0; id < calls.Count; id++) Assert.Equal(id, (await calls[id].Within($"the reply to call {id}")).Number);
        if (connections == 1) Assert.Equal(Enumerable.Range(0, calls.Count), order);

        async IAsyncEnumerable<Payload> Noted(IAsyncEnumerable<Payload> requests)
        {
            await foreach (var request in requests)
            {
                order.Enqueue(request.Number);
                await goOn.WaitAsync();
                yield return request;
            }
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_stream_that_waits_for_its_turn_is_cancelled_without_being_sent(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, Scripts.Hold(1), LimitTo(1));
        await world.Channel.ConnectAsync();
        using var cancellation = new CancellationTokenSource();
        var held = Enumerable.Range(0, connections).Select(_ => world.Calls.CallAsync(CallKind.ResponseStream, cancellationToken: cancellation.Token)).ToList();
        await world.Stage.Started.ReachAsync(connections);
        foreach (var call in StageCalls.Kinds)
        {
            using var own = new CancellationTokenSource();
            var waiting = world.Calls.CallAsync(call, cancellationToken: own.Token);
            Assert.Equal(1, world.Channel.GetStatistics().CallsWaiting);
            await own.CancelAsync();
            (await waiting).Cancelled(own.Token);
        }

        await cancellation.CancelAsync();
        foreach (var call in held) (await call).Cancelled(cancellation.Token);
        Assert.Equal(connections, world.Stage.Started.Count);
    }

    private static Action<MuxServerOptions> LimitTo(int calls) => options => options.MaxCallsPerConnection = calls;
}
