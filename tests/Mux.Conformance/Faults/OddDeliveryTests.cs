using Mux.Conformance.Contract;
using Mux.Conformance.Suite;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Conformance.Faults;

/// <summary>Where the network cuts the bytes means nothing.</summary>
[Cases(36)]
public sealed class OddDeliveryTests : ConformanceTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Streams_and_large_messages_survive_deliveries_of_any_size(TransportKind kind, int connections)
    {
        foreach (int largest in new[] { 1, 3, 5, 7, 9, 1_000 })
        {
            var world = OpenSplitting(kind, connections, link => link.SplitReceives(largest), _ => { });
            await RunAsync(world, [0, 1, 8, 40_000]);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Small_frames_and_sends_that_are_taken_in_part_change_nothing(TransportKind kind, int connections)
    {
        var random = new Random(TestSeed.Next());
        var world = OpenSplitting(kind, connections, Damage, options => (options.MaxFramePayload, options.StreamWindowBytes, options.MaxBulkBytesInFlight) = (16_384, 1_024, 32_768));
        await RunAsync(world, [0, 1, 8, 16_383, 16_384, 16_385, 100_000, 271_828]);

        void Damage(FaultingLink link)
        {
            lock (random)
            {
                link.LimitSends(random.Next(100, 5_000));
                link.SplitReceives(random.Next(50, 3_000));
            }
        }
    }

    private static async Task RunAsync(World world, int[] sizes)
    {
        foreach (var call in StageCalls.Kinds)
        {
            var items = (await world.Calls.CallAsync(call, Payloads.OfSizes(sizes))).Succeeded();
            if (call == CallKind.BothStreams) Assert.Equal(sizes.Length, items.Count);
            for (int i = 0; i < items.Count && call == CallKind.BothStreams; i++) Payloads.AssertIs(sizes[i], items[i]);
        }

        foreach (int size in sizes) Payloads.AssertIs(size, await world.Probe.Echo(Payloads.OfSize(size)));
        Assert.Equal(50_000, await world.Probe.Upload(System.IO.Pipelines.PipeReader.Create(new ZeroStream(50_000))));
    }

    private World OpenSplitting(TransportKind kind, int connections, Action<FaultingLink> damage, Action<MuxOptions> configure)
    {
        var scene = Begin(kind);
        var transport = new FaultingTransport(scene.Transport) { Prepare = damage };
        var stage = new Stage(Scripts.Echo);
        var server = StartServer(scene, stage, options =>
        {
            configure(options);
            options.Transport = transport;
        });
        return new World(scene, stage, server, scene.CreateChannel(server, options =>
        {
            configure(options);
            (options.MinConnections, options.Transport) = (connections, transport);
        }));
    }
}
