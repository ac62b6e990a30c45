using Mux.Conformance.Contract;
using Mux.Conformance.Suite;
using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Conformance.Drain;

/// <summary>A server that stops lets go of what it has begun in good order, and of nothing else.</summary>
[Cases(32, 33, 56)]
public sealed class DrainTests : ConformanceTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Calls_before_and_after_a_drain_both_go_well(TransportKind kind, int connections)
    {
        var (world, signpost) = OpenBySignpost(kind, connections, Scripts.Echo);
        await world.AssertAliveAsync();
        signpost.Target = StartServer(world.Scene, new Stage(Scripts.Echo)).Address;
        await world.Server.StopAsync().Within("the end of the first server");
        await world.AssertAliveAsync();
        foreach (var call in StageCalls.Kinds) (await world.Calls.CallAsync(call)).Succeeded();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Open_calls_of_every_kind_end_where_they_began_and_new_ones_go_elsewhere(TransportKind kind, int connections)
    {
        var goOn = new Signal("the going on of the handlers");
        var (world, signpost) = OpenBySignpost(kind, connections, (requests, _, _) => After(goOn, requests));
        var next = new Stage(Scripts.Echo);
        var open = StageCalls.Kinds.Select(call => (Kind: call, Outcome: world.Calls.CallAsync(call, Payloads.Numbered(100, 3_000)))).ToList();
        await world.Stage.Started.ReachAsync(open.Count);
        signpost.Target = StartServer(world.Scene, next).Address;
        var stopping = world.Server.StopAsync();
        var later = new List<Task<Outcome>>();
        await Eventually.Holds(
            () =>
            {
                later.Add(world.Calls.CallAsync(StageCalls.Kinds[later.Count % 4])); // until the client knows of the drain, the first server takes them
                return next.Started.Count >= 4;
            },
            "calls at the second server");
        Assert.False(stopping.IsCompleted);
        goOn.Set();
        foreach (var (call, outcome) in open) Assert.Equal(call == CallKind.BothStreams ? 100 : 1, (await outcome).Succeeded().Count);
        foreach (var call in later) (await call).Succeeded();
        await stopping.Within("the end of the first server");
        Assert.Equal(open.Count + later.Count, world.Stage.Started.Count + next.Started.Count); // each ran once
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Calls_that_race_the_drain_each_run_once(TransportKind kind, int connections)
    {
        const int Calls = 2_000;
        var (world, signpost) = OpenBySignpost(kind, connections, Scripts.Echo);
        var next = new Stage(Scripts.Echo);
        await world.Channel.ConnectAsync();
        var calls = new List<Task<Outcome>>();
        Task? stopping = null;
        for (int id = 0; id < Calls; id++)
        {
            if (id == Calls / 2)
            {
                signpost.Target = StartServer(world.Scene, next).Address;
                stopping = world.Server.StopAsync();
            }

            calls.Add(world.Calls.CallAsync(StageCalls.Kinds[id % 4], Payloads.Numbered(3)));
        }

        foreach (var call in calls) (await call).Succeeded();
        await stopping!.Within("the end of the first server");
        Assert.Equal(Calls, world.Stage.Started.Count + next.Started.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Streams_that_outlast_the_time_of_a_stop_fail_and_their_handlers_are_told(TransportKind kind, int connections)
    {
        var patience = TimeSpan.FromSeconds(5);
        var time = new ManualTime();
        var world = await OpenAsync(kind, connections, time, Scripts.Hold(2), options => options.DrainTimeout = patience);
        foreach (var end in Enum.GetValues<CloseReason>()) world.Scene.ExpectedEnds.Add(end);
        var open = StageCalls.Kinds.Select(call => (Kind: call, Outcome: world.Calls.CallAsync(call))).ToList();
        await world.Stage.Started.ReachAsync(open.Count);
        await Eventually.Holds(() => world.Channel.GetStatistics().BytesReceived == world.Server.GetStatistics().BytesSent, "what the handlers have streamed");
        var stopping = world.Server.StopAsync();
        time.Advance(patience - TimeSpan.FromMilliseconds(1));
        Assert.False(stopping.IsCompleted);
        Assert.DoesNotContain(open, call => call.Outcome.IsCompleted);
        await Eventually.Holds(
            () =>
            {
                time.Advance(TimeSpan.FromMilliseconds(100));
                return stopping.IsCompleted;
            },
            "the end of the server");
        foreach (var (call, outcome) in open)
        {
            var ended = await outcome;
            Assert.Equal(MuxExecution.MayHaveExecuted, ended.Failed(MuxStatus.Unavailable).Execution);
            Assert.Equal(call.StreamsReplies() ? [0, 1] : [], ended.Numbers);
        }

        await world.Stage.Cancelled.ReachAsync(open.Count);
        await world.Stage.Ended.ReachAsync(open.Count);
    }

    private (World World, Signpost Signpost) OpenBySignpost(TransportKind kind, int connections, Script script)
    {
        Signpost? signpost = null;
        var scene = Begin(kind);
        scene.ExpectedEnds.UnionWith([CloseReason.Disposed, CloseReason.ConnectionLost]); // of a connection to the next server that is not established yet when the test ends: its client, and its server
        var stage = new Stage(script);
        var server = StartServer(scene, stage);
        signpost = new Signpost(scene.Transport) { Target = server.Address };
        return (new World(scene, stage, server, scene.CreateChannel(server, options => (options.MinConnections, options.Transport) = (connections, signpost))), signpost);
    }

    private static async IAsyncEnumerable<Payload> After(Signal goOn, IAsyncEnumerable<Payload> requests)
    {
        await goOn.WaitAsync();
        await foreach (var request in requests) yield return request;
    }
}
