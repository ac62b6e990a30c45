#pragma warning disable xUnit1051 // every wait here has an end of its own, and a token more would change what is sent
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.Faults;

namespace Mux.Tests.Invariants;

/// <summary>What streams promise. See README.md.</summary>
[Collection(nameof(EndToEndTests))]
public sealed class StreamInvariants
{
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    [Fact]
    public Task I14_items_arrive_complete_in_order_and_an_error_is_never_a_clean_end() => OwnThread.ForEachSeed(60, seed =>
    {
        var random = new Random(seed);
        using var scene = new VirtualScene(seed, random.Next(100, 20_000));
        bool isCut = random.Next(3) > 0;
        var hit = isCut ? new SentBytes { Fault = random.Next(2) == 0 ? OffsetFault.Cut : OffsetFault.Stall, Offset = random.Next(50_000) } : new SentBytes();
        bool byClient = random.Next(2) == 0;
        scene.Transport.Expect(byClient ? hit : new SentBytes(), byClient ? new SentBytes() : hit);
        var proxy = scene.CreateChannel().CreateProxy<IMixed>();
        var calls = new List<Task>();
        for (int id = 1; id <= 12; id++)
        {
            int count = random.Next(30);
            int size = random.Next(4) == 0 ? random.Next(40_000) : random.Next(200);
            var question = new Question { Id = id, Bytes = new byte[size], Names = [.. Enumerable.Repeat("x", count)] };
            switch (id % 4)
            {
                case 0: calls.Add(ReadAsync(proxy.List(question), count, size, fails: false)); break;
                case 1:
                    question.Text = "fail";
                    calls.Add(ReadAsync(proxy.List(question), count, size, fails: true));
                    break;
                case 2: calls.Add(ReadAsync(proxy.Talk(new Question { Id = id }, Items(count, size)), count, size, fails: false)); break;
                default: calls.Add(SumAsync(proxy.Sum(new Question { Id = id }, Items(count, size)), count)); break;
            }

            for (int i = random.Next(5); i > 0; i--) scene.PumpOne();
        }

        scene.Settle();
        scene.Reach(() => hit.IsHit || calls.TrueForAll(call => call.IsCompleted), () => $"{calls.Count(call => !call.IsCompleted)} of the calls"); // a stall may come as late as this
        for (int i = 0; i < 45 && calls.Exists(call => !call.IsCompleted); i++) scene.Advance(s_second, s_second);
        scene.Reach(() => calls.TrueForAll(call => call.IsCompleted), () => $"{calls.Count(call => !call.IsCompleted)} of the calls");
        foreach (var call in calls) call.GetAwaiter().GetResult();

        async Task ReadAsync(IAsyncEnumerable<Answer> answers, int count, int size, bool fails)
        {
            int next = 0;
            try
            {
                await foreach (var answer in answers.ConfigureAwait(false)) Assert.Equal((next++, size), (answer.Id, answer.Bytes?.Length ?? 0));
                Assert.False(fails, "A failure came as a clean end.");
                Assert.Equal(count, next);
            }
            catch (MuxException error) when (error.Status == MuxStatus.DataLoss)
            {
                Assert.True(fails);
                Assert.Equal(count, next);
            }
            catch (MuxException error) when (hit.IsHit)
            {
                Assert.True(error.Status is MuxStatus.Unavailable or MuxStatus.DeadlineExceeded, $"{error}");
                Assert.True(next <= count);
            }
        }

        async Task SumAsync(ValueTask<Answer> sum, int count)
        {
            try
            {
                Assert.Equal(count, (await sum.ConfigureAwait(false)).Names?.Count ?? 0);
            }
            catch (MuxException error) when (hit.IsHit)
            {
                Assert.True(error.Status is MuxStatus.Unavailable or MuxStatus.DeadlineExceeded, $"{error}");
            }
        }
    });

    [Fact]
    public Task I15_a_stream_that_is_not_read_is_bounded_by_its_window_and_holds_up_nobody() => OwnThread.ForEachSeed(20, seed =>
    {
        const int Window = 16 * 1024, InOneGo = 32 * 1024, Count = 400;
        var random = new Random(seed);
        int size = random.Next(500, 3000);
        using var scene = new VirtualScene(seed, random.Next(500, 65_536));
        var channel = scene.CreateChannel(options => options.StreamWindowBytes = Window);
        var proxy = channel.CreateProxy<IMixed>();
        for (int round = 1; round <= 2; round++) // the second shows that the credit of the first came back
        {
            var question = new Question { Id = round, Bytes = new byte[size], Names = [.. Enumerable.Repeat("x", Count)] };
            var stalled = Enumerable.Range(0, 3).Select(_ => proxy.List(question).GetAsyncEnumerator()).ToList();
            foreach (var items in stalled) Assert.True(scene.Finish(items.MoveNextAsync(), "the first item of a stream"));
            scene.Settle();
            Assert.InRange(scene.Service.History.Of(round).Sent, 3, 3 * (((Window + InOneGo) / size) + 3));
            Assert.Equal(77, scene.Finish(proxy.Ask(new Question { Id = 77, Bytes = new byte[50_000] }), "a call beside streams that stand still").Id);
            var other = CountAsync(proxy.List(question));
            scene.Reach(() => other.IsCompleted, "a stream beside those that stand still");
            Assert.Equal(Count, other.GetAwaiter().GetResult());
            foreach (var items in stalled)
            {
                var rest = RestAsync(items);
                scene.Reach(() => rest.IsCompleted, "the rest of a stream that stood still");
                Assert.Equal(Count, rest.GetAwaiter().GetResult());
            }
        }

        static async Task<int> CountAsync(IAsyncEnumerable<Answer> answers)
        {
            int count = 0;
            await foreach (var answer in answers.ConfigureAwait(false)) Assert.Equal(count++, answer.Id);
            return count;
        }

        static async Task<int> RestAsync(IAsyncEnumerator<Answer> answers)
        {
            int count = 1;
            while (await answers.MoveNextAsync().ConfigureAwait(false)) Assert.Equal(count++, answers.Current.Id);
            await answers.DisposeAsync().ConfigureAwait(false);
            return count;
        }
    });

    private static async IAsyncEnumerable<Question> Items(int count, int size)
    {
        await Task.CompletedTask.ConfigureAwait(false);
        for (int i = 0; i < count; i++) yield return new Question { Id = i, Bytes = new byte[size] };
    }
}
