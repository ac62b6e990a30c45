using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.Faults;

#pragma warning disable xUnit1051 // every wait here has an end of its own, and a token more would change what is sent

namespace Mux.Tests.Invariants;

/// <summary>What deadlines and cancelling promise. See README.md.</summary>
[Collection(nameof(EndToEndTests))]
public sealed class TimeInvariants
{
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_lateness = TimeSpan.FromMilliseconds(20);

    [Fact]
    public Task I11_a_deadline_is_never_early_and_at_most_20_ms_late_for_calls_and_streams() => OwnThread.ForEachSeed(15, seed =>
    {
        var random = new Random(seed);
        using var scene = new VirtualScene(seed);
        var proxy = scene.CreateChannel().CreateProxy<IMixed>();
        _ = scene.Finish(proxy.Ask(new Question { Id = 1000 }), "the first call");
        var never = new TaskCompletionSource<Question>();
        var calls = new List<(MixedCall Call, Task Task, TimeSpan Deadline)>();
        for (int id = 1; id <= 12; id++)
        {
            var question = new Question { Id = id, Text = "wait", Names = ["x"] };
            var deadline = TimeSpan.FromMilliseconds(random.Next(1, 200));
            var call = new MixedCall(id, "wait");
            Func<MixedCall, ValueTask> body = (id % 3) switch
            {
                0 => async _ => await proxy.Ask(question).ConfigureAwait(false),
                1 => _ => ReadAsync(proxy.List(question)),
                _ => async _ => await proxy.Sum(question, Never()).ConfigureAwait(false),
            };
            using (new MuxCallOptions { Timeout = deadline }.Apply()) calls.Add((call, call.RunAsync(body, scene.Time), deadline));
            if (random.Next(2) == 0) scene.Advance(s_step, s_step);
        }

        scene.Settle();
        for (int i = 0; i < 300 && calls.Exists(call => !call.Task.IsCompleted); i++) scene.Advance(s_step, s_step);
        scene.Advance(TimeSpan.FromMilliseconds(50), s_step);
        scene.Reach(() => calls.TrueForAll(call => call.Task.IsCompleted), "the deadlines of all calls");
        scene.Reach(() => scene.Service.History.Running == 0, "the handlers, whose tokens fire no more than 50 ms later");
        foreach (var (call, _, deadline) in calls)
        {
            Assert.True(call.Status == MuxStatus.DeadlineExceeded, $"{call}");
            Assert.True(call.CompletedAfter >= deadline && call.CompletedAfter <= deadline + s_lateness, $"After {call.CompletedAfter}, the deadline was {deadline}: {call}");
        }

        async IAsyncEnumerable<Question> Never()
        {
            yield return new Question { Id = 0 };
            yield return await never.Task.ConfigureAwait(false);
        }
    });

    [Fact]
    public Task I12_a_nested_call_gets_the_less_of_what_is_left_and_its_own() => OwnThread.ForEachSeed(25, seed =>
    {
        var random = new Random(seed);
        using var scene = new VirtualScene(seed);
        var proxy = scene.CreateChannel().CreateProxy<IMixed>();
        var nested = scene.CreateChannel().CreateProxy<IMixed>();
        _ = scene.Finish(proxy.Ask(new Question { Id = 1000 }), "the first call");
        _ = scene.Finish(nested.Ask(new Question { Id = 1001 }), "the first nested call");
        var outer = TimeSpan.FromMilliseconds(random.Next(20, 200));
        var own = TimeSpan.FromMilliseconds(random.Next(20, 200));
        var pause = TimeSpan.FromMilliseconds(random.Next(0, 15));
        bool isStream = random.Next(2) == 0;
        var gate = new TaskCompletionSource();
        var inner = new MixedCall(2, "nested");
        scene.Service.OnOwn = async (_, _) =>
        {
            await gate.Task.ConfigureAwait(false);
            await inner.RunAsync(
                async _ =>
                {
                    using var scope = new MuxCallOptions { Timeout = own }.Apply();
                    if (!isStream) await nested.Ask(new Question { Id = 2, Text = "wait" }).ConfigureAwait(false);
                    else await ReadAsync(nested.List(new Question { Id = 2, Text = "wait", Names = [] })).ConfigureAwait(false);
                },
                scene.Time).ConfigureAwait(false);
            return new Answer();
        };
        var call = proxy.Ask(new Question { Id = 1, Text = "own" }, new MuxCallOptions { Timeout = outer }).AsTask();
        scene.Settle();
        scene.Advance(pause, s_step);
        gate.SetResult();
        scene.Settle();
        for (int i = 0; i < 300 && inner.Completions == 0; i++) scene.Advance(s_step, s_step);
        scene.Reach(() => inner.Completions == 1 && scene.Service.History.Running == 0, "the end of the nested call");
        for (int i = 0; i < 300 && !call.IsCompleted; i++) scene.Advance(s_step, s_step);
        scene.Reach(() => call.IsCompleted, "the end of the call");
        var expected = own < outer - pause ? own : outer - pause;
        Assert.True(inner.Status is MuxStatus.DeadlineExceeded, $"{inner}");
        Assert.True(inner.CompletedAfter >= expected && inner.CompletedAfter <= expected + s_lateness, $"After {inner.CompletedAfter}; own {own}, outer {outer}, begun after {pause}, stream {isStream}: {inner}");
        _ = call.Exception;
    });

    [Fact]
    public Task I13_a_cancelled_call_is_over_at_once_and_its_handler_counts_until_it_returns() => OwnThread.ForEachSeed(40, seed =>
    {
        var random = new Random(seed);
        using var scene = new VirtualScene(seed, random.Next(1, 200));
        var channel = scene.CreateChannel();
        var proxy = channel.CreateProxy<IMixed>();
        bool isConnected = random.Next(4) > 0;
        if (isConnected) _ = scene.Finish(proxy.Ask(new Question { Id = 1000 }), "the first call");
        var gate = new TaskCompletionSource();
        scene.Service.OnOwn = async (question, _) =>
        {
            await gate.Task.ConfigureAwait(false); // deaf to its token
            return new Answer { Id = question.Id };
        };
        using var cancellation = new CancellationTokenSource();
        var calls = Enumerable.Range(1, 5).Select(id => proxy.Ask(new Question { Id = id, Text = "own" }, cancellationToken: cancellation.Token).AsTask().Observed()).ToList();
        var list = proxy.List(new Question { Id = 6, Text = "wait", Names = [] }, cancellation.Token).GetAsyncEnumerator();
        var item = list.MoveNextAsync().AsTask();
        for (int i = random.Next(40); i > 0; i--) scene.PumpOne();
        cancellation.Cancel();
        SpinWait.SpinUntil(() => calls.TrueForAll(call => call.IsCompleted) && item.IsCompleted, Awaited.Patience); // not a byte moves
        foreach (var call in calls) Assert.Equal(cancellation.Token, Assert.ThrowsAny<OperationCanceledException>(() => call.GetAwaiter().GetResult()).CancellationToken);
        Assert.ThrowsAny<OperationCanceledException>(() => item.GetAwaiter().GetResult());
        Assert.Equal(0, channel.GetStatistics().CallsActive);
        scene.Settle();
        int running = scene.Service.History.Running;
        scene.Reach(() => scene.Server.GetStatistics().CallsActive == running, () => $"{running} handlers that run, as many open calls: {scene.Server.GetStatistics()}");
        Assert.Equal(7, scene.Finish(proxy.Ask(new Question { Id = 7 }), "a call after the cancelled ones").Id);
        gate.SetResult();
        scene.Reach(() => scene.Server.GetStatistics().CallsActive == 0, "the end of the handlers");
        Assert.Equal(8, scene.Finish(proxy.Ask(new Question { Id = 8 }), "a call after their late replies").Id);
    });

    private static async ValueTask ReadAsync(IAsyncEnumerable<Answer> answers)
    {
        await foreach (var answer in answers.ConfigureAwait(false)) Assert.Equal(0, answer.Id);
    }
}
