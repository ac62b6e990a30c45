#pragma warning disable xUnit1051 // every wait here has an end of its own, and a token more would change what is sent
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.Faults;

namespace Mux.Tests.Invariants;

/// <summary>What connections may take, and what they leave. See README.md.</summary>
[Collection(nameof(EndToEndTests))]
public sealed class ResourceInvariants
{
    [Fact]
    public Task I18_memory_is_bounded_whatever_a_peer_does_not_read() => OwnThread.ForEachSeed(15, seed =>
    {
        const int Unsent = 65_536, Queued = 131_072, Longest = 20_480, Bulk = 4 * Longest, Window = 65_536, Item = 3_000;
        var random = new Random(seed);
        using var scene = new VirtualScene(seed);
        var byClient = new SentBytes();
        scene.Transport.Expect(byClient, new SentBytes());
        var channel = scene.CreateChannel(options => (options.MaxUnsentBytes, options.MaxQueuedBytes, options.MaxMessageBytes) = (Unsent, Queued, Longest));
        var proxy = channel.CreateProxy<IMixed>();
        _ = scene.Finish(proxy.Ask(new Question { Id = 1000 }), "the first call");
        scene.Settle();
        byClient.HitAhead(OffsetFault.Block, random.Next(50_000));
        long buffers = BufferPool.Outstanding;
        var calls = new List<Task<Answer>>();
        int produced = 0, begun = 0;
        for (int id = 1; id <= 200; id++)
        {
            var question = new Question { Id = id, Bytes = new byte[random.Next(1000, 20_000)] };
            calls.Add(id % 10 == 0 ? proxy.Sum(question, Endless()).AsTask() : proxy.Ask(question).AsTask());
            if (random.Next(4) == 0) scene.Settle();
            var statistics = channel.GetStatistics();

            // Frames and large messages have bounds of their own (docs/limits.md), each exceeded by one at most.
            Assert.InRange(statistics.BytesUnsent, 0, Unsent + Longest + Bulk + Longest + Queued + (Volatile.Read(ref begun) * (Window + Item)));
        }

        scene.Settle();
        Assert.InRange(BufferPool.Outstanding - buffers, 0, 200);
        Assert.InRange(Volatile.Read(ref produced), 0, 20 * 70); // a window of 64 KiB each, and what is made in one go
        Assert.Contains(calls, call => call.IsFaulted);
        foreach (var call in calls.Where(call => call.IsCompleted && call.IsFaulted))
        {
            var error = Assert.IsType<MuxException>(call.Exception!.InnerException);
            Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), (error.Status, error.Execution));
        }

        for (int i = 0; i < 60 && calls.Exists(call => !call.IsCompleted); i++) scene.Advance(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));
        scene.Reach(() => calls.TrueForAll(call => call.IsCompleted), "the end of all calls");
        foreach (var call in calls) _ = call.Exception;

        async IAsyncEnumerable<Question> Endless()
        {
            Interlocked.Increment(ref begun);
            for (int i = 0; i < 1000; i++)
            {
                await Task.CompletedTask.ConfigureAwait(false);
                Interlocked.Increment(ref produced);
                yield return new Question { Id = i, Bytes = new byte[2000] };
            }
        }
    });

    [Fact]
    public Task I22_buffers_timers_and_connections_are_back_whatever_happened() => OwnThread.ForEachSeed(60, seed =>
    {
        long before = BufferPool.Outstanding;
        RandomExchange.Run(seed, [OffsetFault.None, OffsetFault.Cut, OffsetFault.Stall, OffsetFault.Block, OffsetFault.Corrupt], (_, _) => { });
        Assert.Equal(before, BufferPool.Outstanding); // timers, connections and calls the scene has looked at
    });
}
