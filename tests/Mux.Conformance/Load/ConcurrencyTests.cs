using Mux.Conformance.Contract;
using Mux.Conformance.Suite;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Conformance.Load;

/// <summary>Many calls at a time each get their own replies, and leave nothing.</summary>
[Cases(25, 26)]
public sealed class ConcurrencyTests : ConformanceTests
{
    private const int Calls = 10_000;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_thousand_large_calls_at_a_time_all_arrive_whole(TransportKind kind, int connections)
    {
        const int Room = 1 << 30;
        var world = Open(kind, connections, LargeCall.Script, server: options => (options.MaxRunningBytes, options.MaxParkedBytes, options.MaxReassemblyBytes) = (Room, Room, Room),
            client: options => (options.MaxQueuedBytes, options.MaxReassemblyBytes) = (Room, Room)); // all of them are on their way at once
        await Task.WhenAll(Enumerable.Range(0, 1_000).Select(_ => LargeCall.MakeAsync(world.Calls))).Within("a thousand large calls");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Ten_thousand_calls_at_a_time_each_get_their_own_reply(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        await AssertOwnRepliesAsync(Enumerable.Range(0, Calls).Select(id => world.Calls.Ask(new Payload { Number = id }).AsTask()));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_thousand_streams_at_a_time_each_get_their_own_items(TransportKind kind, int connections)
    {
        const int Streams = 1_000;
        var world = Open(kind, connections);
        var calls = Enumerable.Range(0, Streams).Select(id => world.Calls.CallAsync(CallKind.BothStreams, Enumerable.Range(id, 20).Select(number => new Payload { Number = number }).ToAsyncEnumerable())).ToList();
        for (int id = 0; id < Streams; id++) Assert.Equal(Enumerable.Range(id, 20), (await calls[id]).Succeeded().Select(item => item.Number));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Calls_of_many_channels_each_get_their_own_reply(TransportKind kind, int connections)
    {
        const int Channels = 20;
        var world = Open(kind, connections);
        var stages = Enumerable.Range(0, Channels).Select(_ => world.Scene.CreateChannel(world.Server, options => options.MinConnections = connections).CreateProxy<IStage>()).ToList();
        await AssertOwnRepliesAsync(Enumerable.Range(0, Calls).Select(id => stages[id % Channels].Ask(new Payload { Number = id }).AsTask()));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Every_kind_of_call_at_a_time_with_seeded_sizes_gets_its_own(TransportKind kind, int connections)
    {
        const int Mixed = 150; // with windows that have grown, within MaxStreamBytes of one connection
        var random = new Random(TestSeed.Next());
        var world = Open(kind, connections);
        var calls = Enumerable.Range(0, Mixed).Select(_ => (Kind: StageCalls.Kinds[random.Next(4)], Sizes: Enumerable.Range(0, random.Next(1, 30)).Select(_ => random.Next(random.Next(4) == 0 ? 60_000 : 300)).ToArray())).ToList();
        var outcomes = await Task.WhenAll(calls.Select(call => world.Calls.CallAsync(call.Kind, Payloads.OfSizes(call.Sizes))));
        for (int id = 0; id < Mixed; id++)
        {
            var items = outcomes[id].Succeeded();
            var expected = calls[id].Kind switch { CallKind.BothStreams => calls[id].Sizes, CallKind.RequestStream => [calls[id].Sizes[^1]], _ => [0] };
            Assert.Equal(expected.Length, items.Count);
            for (int i = 0; i < expected.Length; i++) Payloads.AssertIs(expected[i], items[i]);
        }
    }

    private static async Task AssertOwnRepliesAsync(IEnumerable<Task<Payload>> calls)
    {
        var replies = await Task.WhenAll(calls).Within("the replies to all calls");
        Assert.Equal(Enumerable.Range(0, Calls), replies.Select(reply => reply.Number));
    }
}
