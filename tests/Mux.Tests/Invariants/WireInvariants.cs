#pragma warning disable xUnit1051 // every wait here has an end of its own, and a token more would change what is sent
using Mux.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.Faults;

namespace Mux.Tests.Invariants;

/// <summary>What two sides send. See README.md.</summary>
[Collection(nameof(EndToEndTests))]
public sealed class WireInvariants
{
    [Fact]
    public Task I3_a_slot_counts_its_calls_in_write_order_and_each_gets_one_end() => OwnThread.ForEachSeed(40, seed =>
        RandomExchange.Run(seed, [OffsetFault.None], (_, exchange) =>
        {
            var lastOf = new Dictionary<int, uint>();
            var begun = new List<CallId>();
            foreach (var (header, _) in new WireFrames(exchange.ByClient.Bytes).All.Where(frame => frame.Header.Kind == FrameKind.Request))
            {
                var id = header.Id;
                bool isKnown = lastOf.TryGetValue(id.Slot, out uint last);
                Assert.True(isKnown ? id.Generation == ((last + 1) & CallId.GenerationMask) : id.Slot == lastOf.Count + 1, $"{id} comes behind generation {last} of {lastOf.Count} slots.");
                lastOf[id.Slot] = id.Generation;
                begun.Add(id);
            }

            var ended = new WireFrames(exchange.ByServer.Bytes).All.Where(frame => frame.Header.Kind is FrameKind.Response or FrameKind.Fail).Select(frame => frame.Header.Id).ToList();
            Assert.Equal(20, begun.Count);
            Assert.Equal(ended.Count, ended.Distinct().Count());
            Assert.Subset(begun.ToHashSet(), ended.ToHashSet());
        }));

    [Fact]
    public Task I4_the_wire_is_whole_frames_whatever_cannot_be_encoded_or_is_cancelled() => OwnThread.ForEachSeed(40, seed =>
    {
        var random = new Random(seed);
        var (byClient, byServer) = (new SentBytes(), new SentBytes());
        using (var scene = new VirtualScene(seed, random.Next(1, 5000)))
        {
            scene.Transport.Expect(byClient, byServer);
            var proxy = scene.CreateChannel().CreateProxy<IMixed>();
            scene.Service.OnOwn = (question, _) => new(new Answer { Bytes = question.Bytes, Names = ["before", null] });
            var calls = new List<Task<bool>>();
            using var cancellation = new CancellationTokenSource();
            for (int id = 1; id <= 30; id++)
            {
                var question = new Question { Id = id, Bytes = new byte[random.Next(3) == 0 ? random.Next(70_000) : random.Next(100)] };
                int kind = random.Next(5);
                if (kind == 1) question.Names = ["before", null];
                if (kind == 2) question.Text = "own";
                if (kind == 3) question.Text = "wait";
                if (kind == 4) calls.Add(SucceedsAsync(proxy.Sum(question, Broken(random.Next(4)))));
                else calls.Add(SucceedsAsync(proxy.Ask(question, cancellationToken: kind == 3 ? cancellation.Token : default)));
                for (int i = random.Next(4); i > 0; i--) scene.PumpOne();
            }

            scene.Settle();
            cancellation.Cancel();
            scene.Reach(() => calls.TrueForAll(call => call.IsCompleted), () => $"{calls.Count(call => !call.IsCompleted)} calls");
            Assert.Equal(99, scene.Finish(proxy.Ask(new Question { Id = 99 }), "a call after all").Id);
        }

        Assert.Equal((0, 0), (new WireFrames(byClient.Bytes).Rest, new WireFrames(byServer.Bytes).Rest));
    });

    [Fact]
    public Task I16_frames_of_a_call_keep_their_order_beside_large_messages_and_streams() => OwnThread.ForEachSeed(25, seed =>
    {
        var random = new Random(seed);
        var (byClient, byServer) = (new SentBytes(), new SentBytes());
        using (var scene = new VirtualScene(seed, random.Next(1000, 65_536)))
        {
            scene.Transport.Expect(byClient, byServer);
            var proxy = scene.CreateChannel().CreateProxy<IMixed>();
            var calls = new List<Task>();
            for (int id = 1; id <= 16; id++) calls.Add(id % 2 == 0 ? EchoAsync(proxy, id, random.Next(200_000)) : TalkAsync(proxy, id, random.Next(12), random.Next(50_000)));
            scene.Reach(() => calls.TrueForAll(call => call.IsCompleted), () => $"{calls.Count(call => !call.IsCompleted)} calls with large messages");
            foreach (var call in calls) call.GetAwaiter().GetResult();
        }

        AssertOrdered(new WireFrames(byClient.Bytes), FrameKind.Request, FrameKind.RequestEnd);
        AssertOrdered(new WireFrames(byServer.Bytes), null, FrameKind.Response);
    });

    private static void AssertOrdered(WireFrames frames, FrameKind? first, FrameKind last)
    {
        foreach (var call in frames.All.Where(frame => frame.Header.Kind is FrameKind.Request or FrameKind.RequestItem or FrameKind.RequestEnd or FrameKind.Response or FrameKind.ResponseItem)
            .Select(frame => frame.Header).GroupBy(header => header.Id))
        {
            bool isOver = false;
            FrameKind? unfinished = null;
            foreach (var header in call)
            {
                Assert.False(isOver, $"{header} comes behind the end.");
                Assert.True(unfinished is null || unfinished == header.Kind, $"{header} comes inside a message of {unfinished}.");
                Assert.True(first is null || header.Kind == first || header != call.First(), $"{header} comes first.");
                unfinished = (header.Flags & FrameFlags.More) != 0 ? header.Kind : null;
                isOver = header.Kind == last && unfinished is null;
            }

            Assert.Null(unfinished);
        }
    }

    private static async Task EchoAsync(IMixed proxy, int id, int size)
    {
        var bytes = new byte[size];
        new Random(id).NextBytes(bytes);
        var answer = await proxy.Ask(new Question { Id = id, Bytes = bytes }).ConfigureAwait(false);
        Assert.True(answer.Id == id && bytes.AsSpan().SequenceEqual(answer.Bytes), "The echo is another one.");
    }

    private static async Task TalkAsync(IMixed proxy, int id, int count, int size)
    {
        int next = 0;
        await foreach (var answer in proxy.Talk(new Question { Id = id }, Items(count, size)).ConfigureAwait(false))
        {
            Assert.Equal((next++, size), (answer.Id, answer.Bytes?.Length ?? 0));
        }

        Assert.Equal(count, next);
    }

    private static async IAsyncEnumerable<Question> Items(int count, int size)
    {
        await Task.CompletedTask.ConfigureAwait(false);
        for (int i = 0; i < count; i++) yield return new Question { Id = i, Bytes = new byte[size] };
    }

    /// <summary>The last item cannot be encoded.</summary>
    private static async IAsyncEnumerable<Question> Broken(int count)
    {
        await Task.CompletedTask.ConfigureAwait(false);
        for (int i = 0; i < count; i++) yield return new Question { Id = i };
        yield return new Question { Names = [null] };
    }

    private static async Task<bool> SucceedsAsync(ValueTask<Answer> call)
    {
        try
        {
            await call.ConfigureAwait(false);
            return true;
        }
        catch (Exception)
        {
            return false;
        }
    }
}
