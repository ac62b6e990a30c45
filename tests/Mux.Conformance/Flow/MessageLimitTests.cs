using Mux.Conformance.Contract;
using Mux.Conformance.Suite;
using Mux.TestSupport.EndToEnd;

namespace Mux.Conformance.Flow;

/// <summary>A message of the limit is taken; one byte more fails its call, and no other.</summary>
[Cases(31)]
public sealed class MessageLimitTests : ConformanceTests
{
    private const int Limit = 100_000;
    private const int Field = 4; // tag and length of the bytes
    private const int Largest = Limit - Field;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Requests_above_the_limit_of_the_server(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, server: options => options.MaxMessageBytes = Limit);
        Payloads.AssertIs(Largest, await world.Calls.Ask(Payloads.OfSize(Largest)));
        await AssertExhaustedAsync(world, world.Calls.Ask(Payloads.OfSize(Largest + 1)).AsTask());
        foreach (var call in StageCalls.Kinds.Where(call => call.StreamsRequests()))
        {
            (await world.Calls.CallAsync(call, Same(Largest, Largest))).Succeeded();
            (await world.Calls.CallAsync(call, Same(Largest + 1))).Failed(MuxStatus.ResourceExhausted);
            (await world.Calls.CallAsync(call, Same(5, Largest, Largest + 1))).Failed(MuxStatus.ResourceExhausted);
            await world.AssertAliveAsync();
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Replies_above_the_limit_of_the_caller(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, client: options => options.MaxMessageBytes = Limit);
        foreach (var call in StageCalls.Kinds)
        {
            world.Stage.Script = Scripts.Replies(Payloads.OfSize(Largest));
            Payloads.AssertIs(Largest, Assert.Single((await world.Calls.CallAsync(call)).Succeeded()));
            world.Stage.Script = Scripts.Replies(Payloads.OfSize(Largest + 1));
            var first = await world.Calls.CallAsync(call);
            first.Failed(MuxStatus.ResourceExhausted);
            Assert.Empty(first.Items);
            if (call.StreamsReplies())
            {
                world.Stage.Script = Scripts.Replies(Payloads.OfSize(5), Payloads.OfSize(Largest), Payloads.OfSize(Largest + 1), Payloads.OfSize(5));
                var later = await world.Calls.CallAsync(call);
                later.Failed(MuxStatus.ResourceExhausted);
                Assert.Equal([5, Largest], later.Items.Select(item => item.Body.Length));
            }

            await world.AssertAliveAsync();
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Messages_above_the_limit_of_their_method(TransportKind kind, int connections)
    {
        const int Small = 1_000 - 3; // tag and length of the bytes are three here
        var world = Open(kind, connections);
        Payloads.AssertIs(Small, await world.Probe.EchoSmall(Payloads.OfSize(Small)));
        await AssertExhaustedAsync(world, world.Probe.EchoSmall(Payloads.OfSize(Small + 1)).AsTask());
        Assert.Equal(2, await world.Probe.ExchangeSmall(Same(Small, Small)).CountAsync());
        await AssertExhaustedAsync(world, world.Probe.ExchangeSmall(Same(Small, Small + 1)).CountAsync().AsTask());
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_call_above_the_limit_leaves_the_open_ones_alone(TransportKind kind, int connections)
    {
        var world = Open(kind, connections, server: options => options.MaxMessageBytes = Limit);
        var others = Enumerable.Range(0, 50).Select(_ => world.Calls.CallAsync(CallKind.BothStreams, Payloads.Numbered(500, 100))).ToList();
        for (int i = 0; i < 20; i++) await AssertExhaustedAsync(world, world.Calls.Ask(Payloads.OfSize(Largest + 1)).AsTask());
        foreach (var other in others) Assert.Equal(500, (await other).Succeeded().Count);
    }

    private static async Task AssertExhaustedAsync(World world, Task call)
    {
        Assert.Equal(MuxStatus.ResourceExhausted, (await Assert.ThrowsAsync<MuxException>(() => call)).Status);
        await world.AssertAliveAsync();
    }

    /// <summary>Without a number, so that the bytes are all there is.</summary>
    private static IAsyncEnumerable<Payload> Same(params int[] sizes) => sizes.ToAsyncEnumerable().Select(size => Payloads.OfSize(size));
}
