using Mux.Conformance.Contract;
using Mux.Conformance.Suite;
using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.Conformance.Faults;

/// <summary>A connection that is lost fails its calls: what came of them is no clean end.</summary>
[Cases(34)]
public sealed class CutTests : ConformanceTests
{
    private const int Items = 200;
    private const int Cuts = 40;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_cut_inside_an_open_call_fails_it_behind_what_came(TransportKind kind, int connections)
    {
        foreach (var call in StageCalls.Kinds)
        {
            var (world, transport) = OpenFaulting(kind, connections, Scripts.Hold(3));
            var came = new Counter("replies that came");
            var outcome = StageCalls.ObserveAsync(world.Calls.Stream(call, Payloads.Numbered(3)).Select(reply =>
            {
                came.Add();
                return reply;
            })).Within("the end of the call that was cut");
            await world.Stage.Started.ReachAsync(1);
            if (call.StreamsReplies()) await came.ReachAsync(3);
            foreach (var link in transport.Links) link.Break(LinkCloseCause.Reset, new IOException("Reset by the test."));
            var ended = await outcome;
            Assert.Equal(MuxExecution.MayHaveExecuted, ended.Failed(MuxStatus.Unavailable).Execution);
            Assert.Equal(call.StreamsReplies() ? [0, 1, 2] : [], ended.Numbers);
            await world.Stage.Cancelled.ReachAsync(1);
            await world.Stage.Ended.ReachAsync(1);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_call_that_is_over_is_unharmed_and_the_next_one_dials_again(TransportKind kind, int connections)
    {
        var (world, transport) = OpenFaulting(kind, connections, Scripts.Echo);
        foreach (var call in StageCalls.Kinds)
        {
            var outcome = await world.Calls.CallAsync(call);
            var dialed = transport.Links.ToList();
            foreach (var link in dialed) link.Break(LinkCloseCause.Reset, new IOException("Reset by the test."));
            outcome.Succeeded();
            await Eventually.Holds(() => world.Channel.GetStatistics().OpenConnections == 0, "the end of the connections");
            (await world.Calls.CallAsync(call)).Succeeded();
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_cut_at_any_byte_makes_no_clean_end_of_a_part(TransportKind kind, int connections)
    {
        var random = new Random(TestSeed.Next());
        int whole = 0;
        for (int cut = 0; cut < Cuts; cut++)
        {
            var (world, transport) = OpenFaulting(kind, connections, (requests, _, _) => requests.Concat(Payloads.Numbered(Items, 100)));
            await world.Channel.ConnectAsync();
            bool incoming = random.Next(2) == 0;
            long at = random.Next(incoming ? 40_000 : 20_000);
            foreach (var link in transport.Links)
            {
                if (incoming) link.ResetAfterReceiving(link.Arrived.Count + 1 + at);
                else link.ResetAfterSending(link.Sent.Count + 1 + at);
            }

            var ended = await world.Calls.CallAsync(CallKind.BothStreams, Payloads.Numbered(Items, 50));
            Assert.Equal(Enumerable.Range(0, Items).Concat(Enumerable.Range(0, Items)).Take(ended.Items.Count), ended.Numbers);
            if (ended.Error is null) whole++;
            else ended.Failed(MuxStatus.Unavailable);
            Assert.Equal(ended.Error is null, ended.Items.Count == 2 * Items && ended.Error is null);
            await world.Stage.Ended.ReachAsync(world.Stage.Started.Count);
            await world.Channel.DisposeAsync();
        }

        TestContext.Current.TestOutputHelper!.WriteLine($"{whole} of {Cuts} calls were over before the cut.");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Bytes_that_are_cut_are_no_file(TransportKind kind, int connections)
    {
        const int Length = 10_000_000;
        var (world, transport) = OpenFaulting(kind, connections, Scripts.Echo);
        await using var download = await world.Probe.Download(Length);
        var buffer = new byte[10_000];
        await download.ReadExactlyAsync(buffer);
        foreach (var link in transport.Links) link.Break(LinkCloseCause.Reset, new IOException("Reset by the test."));
        long read = buffer.Length;
        var error = await Assert.ThrowsAsync<MuxException>(async () =>
        {
            while (await download.ReadAsync(buffer) is > 0 and var count) read += count;
        });
        Assert.Equal(MuxStatus.Unavailable, error.Status);
        Assert.InRange(read, 1, Length - 1);
    }

    private (World World, FaultingTransport Transport) OpenFaulting(TransportKind kind, int connections, Script script)
    {
        FaultingTransport? transport = null;
        var scene = Begin(kind);
        foreach (var end in Enum.GetValues<CloseReason>()) scene.ExpectedEnds.Add(end);
        var stage = new Stage(script);
        var server = StartServer(scene, stage);
        transport = new FaultingTransport(scene.Transport);
        return (new World(scene, stage, server, scene.CreateChannel(server, options => (options.MinConnections, options.Transport) = (connections, transport))), transport);
    }
}
