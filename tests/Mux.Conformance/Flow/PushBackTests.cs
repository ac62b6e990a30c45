using Mux.Conformance.Contract;
using Mux.Conformance.Suite;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Conformance.Flow;

/// <summary>Whoever reads slowly is waited for, and nobody else.</summary>
[Cases(27, 28, 29)]
public sealed class PushBackTests : ConformanceTests
{
    private const int ItemSize = 1_000;
    private const int Items = 4_000; // 4 MB: far more than is kept for a reader
    private const int MostAhead = 300; // the window of 64 KiB, what was handed over, and what is being made

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_handler_that_reads_slowly_holds_up_its_caller(TransportKind kind, int connections)
    {
        foreach (var call in StageCalls.Kinds.Where(call => call.StreamsRequests()))
        {
            var goOn = new Signal("the reading");
            var world = Open(kind, connections, (requests, _, _) => After(goOn, requests));
            var made = new Counter("requests that were made");
            var outcome = world.Calls.CallAsync(call, Made(made));
            await made.ReachAsync(10);
            await AssertHeldUpAsync(world, made);
            goOn.Set();
            var items = (await outcome).Succeeded();
            Assert.Equal(call.StreamsReplies() ? Items : 1, items.Count);
            Assert.Equal(Items, world.Stage.Read.Count);
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task A_caller_that_reads_slowly_holds_up_the_handler(TransportKind kind, int connections)
    {
        foreach (var call in StageCalls.Kinds.Where(call => call.StreamsReplies()))
        {
            var made = new Counter("replies that were made");
            var world = Open(kind, connections, (_, _, token) => Made(made, cancellationToken: token));
            await using var replies = world.Calls.Stream(call, Payloads.Numbered(0)).GetAsyncEnumerator();
            Assert.True(await replies.MoveNextAsync());
            await made.ReachAsync(10);
            await AssertHeldUpAsync(world, made);
            for (int i = 1; i < Items; i++)
            {
                Assert.True(await replies.MoveNextAsync());
                Assert.Equal(i, replies.Current.Number);
            }

            Assert.False(await replies.MoveNextAsync());
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task Many_slow_readers_hold_up_no_other_call(TransportKind kind, int connections)
    {
        const int Slow = 50;
        var world = Open(kind, connections, (_, _, token) => Made(new Counter("replies that were made"), cancellationToken: token));
        var slow = Enumerable.Range(0, Slow).Select(_ => world.Calls.List(new Payload()).GetAsyncEnumerator()).ToList();
        foreach (var replies in slow) Assert.True(await replies.MoveNextAsync());
        for (int i = 0; i < 100; i++) await world.AssertAliveAsync();
        Assert.Equal(40_000, (await world.Probe.Echo(Payloads.OfSize(40_000))).Body.Length);
        foreach (var replies in slow) await replies.DisposeAsync();
        await world.Stage.Ended.ReachAsync(Slow);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryWire))]
    public async Task With_both_windows_full_other_calls_and_pings_and_the_cancellation_get_through(TransportKind kind, int connections)
    {
        var time = new ManualTime();
        var (requests, replies) = (new Counter("requests that were made"), new Counter("replies that were made"));
        var world = await OpenAsync(kind, connections, time, (_, _, token) => Made(replies, int.MaxValue, token), client: options => (options.KeepAliveTime, options.KeepAliveTimeout) = (TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(10)));
        using var cancellation = new CancellationTokenSource();
        var call = world.Calls.Talk(Made(requests, int.MaxValue), cancellationToken: cancellation.Token).GetAsyncEnumerator(default);
        Assert.True(await call.MoveNextAsync());
        await requests.ReachAsync(10);
        await replies.ReachAsync(10);
        await AssertHeldUpAsync(world, requests);
        await AssertHeldUpAsync(world, replies);
        for (int i = 0; i < 5; i++)
        {
            long before = world.Channel.GetStatistics().FramesReceived;
            time.Advance(TimeSpan.FromSeconds(2)); // less than the answer may take
            await Eventually.Holds(() => world.Channel.GetStatistics().FramesReceived > before, "the answer to a ping");
        }

        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            while (await call.MoveNextAsync()) Assert.NotNull(call.Current);
        });
        await call.DisposeAsync();
        await world.Stage.Cancelled.ReachAsync(1);
        await world.Stage.Ended.ReachAsync(1);
        await world.AssertAliveAsync();
    }

    /// <summary>What a hundred other calls leave time for does not happen.</summary>
    private static async Task AssertHeldUpAsync(World world, Counter made)
    {
        for (int i = 0; i < 100; i++) await world.AssertAliveAsync();
        Assert.InRange(made.Count, 10, MostAhead);
    }

    private static async IAsyncEnumerable<Payload> Made(Counter made, int items = Items, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        var body = new byte[ItemSize];
        for (int i = 0; i < items && !cancellationToken.IsCancellationRequested; i++)
        {
            made.Add();
            yield return new Payload { Number = i, Body = body };
            if (i % 10 == 9) await Task.Yield();
        }
    }

    private static async IAsyncEnumerable<Payload> After(Signal goOn, IAsyncEnumerable<Payload> requests)
    {
        await goOn.WaitAsync();
        await foreach (var request in requests) yield return request;
    }
}
