using System.Runtime.CompilerServices;
using System.Threading.Channels;
using Mux.Conformance.Contract;
using Mux.Conformance.Suite;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Conformance.Producers;

/// <summary>A caller that lets go of a stream without disposing it ends the call too, as soon as the garbage collector finds the stream.</summary>
[Cases(19)]
public sealed class DroppedStreamTests : ConformanceTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_stream_that_its_caller_lets_go_of_ends_its_handler(TransportKind kind, int connections)
    {
        int calls = 0;
        var world = Open(kind, connections, Scripts.Hold(10));
        foreach (var call in StageCalls.Kinds.Where(call => call.StreamsReplies()))
        {
            foreach (int read in new[] { 0, 1, 10 })
            {
                await ReadAndDropAsync(world, call, read);
                calls++;
                await CollectedAsync(() => world.Stage.Ended.Count == calls, "the end of the handler");
            }
        }

        await world.AssertAliveAsync();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_channel_and_a_download_that_their_caller_lets_go_of_end_their_calls(TransportKind kind, int connections)
    {
        var world = Open(kind, connections);
        await BeginAndDropAsync(world);
        await CollectedAsync(() => world.Server.GetStatistics().CallsActive == 0, "the end of both calls");
        await world.AssertAliveAsync();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_stream_that_is_awaited_and_held_by_nothing_else_is_not_ended(TransportKind kind, int connections)
    {
        var go = new Signal("the go to the handler");
        var world = Open(kind, connections, Scripts.Hold(0, go), client: static options => options.DrainTimeout = TimeSpan.FromMilliseconds(100)); // for which the call without an end would hold up the end of the channel
        var waits = StageCalls.Kinds.Where(call => call.StreamsReplies()).Select(call => Begin(world, call)).Append(BeginChannel(world)).ToArray();
        for (int i = 0; i < 3; i++) Collect();
        Assert.All(waits, wait => Assert.False(wait.IsCompleted));
        go.Set();
        foreach (var wait in waits[..^1]) Assert.False(await wait.Within("the end of the stream")); // without an error
        await world.Channel.DisposeAsync();
        await Assert.ThrowsAnyAsync<Exception>(() => waits[^1].Within("the end of the channel"));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Task<bool> Begin(World world, CallKind call) => world.Calls.Stream(call, Payloads.Numbered(1)).GetAsyncEnumerator().MoveNextAsync().AsTask();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static Task<bool> BeginChannel(World world) => world.Probe.ExchangeByChannel(Channel.CreateUnbounded<Payload>().Reader).WaitToReadAsync().AsTask();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task ReadAndDropAsync(World world, CallKind call, int read)
    {
        long started = world.Stage.Started.Count;
        var replies = world.Calls.Stream(call, Payloads.Numbered(3)).GetAsyncEnumerator();
        for (int i = 0; i < read; i++) Assert.True(await replies.MoveNextAsync());
        await world.Stage.Started.ReachAsync(started + 1);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task BeginAndDropAsync(World world)
    {
        var sent = Channel.CreateUnbounded<Payload>();
        sent.Writer.TryWrite(new Payload { Number = 5 });
        Assert.Equal(5, (await world.Probe.ExchangeByChannel(sent.Reader).ReadAsync()).Number);
        var download = await world.Probe.Download(100_000_000);
        await download.ReadExactlyAsync(new byte[10_000]);
        await Eventually.Holds(() => world.Server.GetStatistics().CallsActive == 2, "both calls");
    }

    private static Task CollectedAsync(Func<bool> isOver, string what) => Eventually.Holds(
        () =>
        {
            Collect();
            return isOver();
        },
        what);

    private static void Collect()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }
}
