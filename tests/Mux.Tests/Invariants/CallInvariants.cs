using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.Faults;

#pragma warning disable xUnit1051 // every wait here has an end of its own, and a token more would change what is sent

namespace Mux.Tests.Invariants;

/// <summary>What a call ends with. See README.md.</summary>
[Collection(nameof(EndToEndTests))]
public sealed class CallInvariants
{
    private static readonly OffsetFault[] s_losses = [OffsetFault.Cut, OffsetFault.Stall, OffsetFault.Block];

    [Fact]
    public Task I1_every_call_completes_once_in_time_with_a_status_and_an_execution() => OwnThread.ForEachSeed(60, seed =>
        RandomExchange.Run(seed, [OffsetFault.None, .. s_losses, OffsetFault.Corrupt], (_, exchange) =>
        {
            foreach (var call in exchange.Calls)
            {
                Assert.True(call.Completions == 1, $"{call}");
                Assert.True(call.Status is MuxStatus.Ok or MuxStatus.Cancelled || call.Execution is not null || call.Foreign is not null, $"No execution: {call}");
            }
        }));

    [Fact]
    public Task I2_a_caller_gets_the_response_to_its_own_call_also_after_a_reconnect() => OwnThread.ForEachSeed(40, seed =>
    {
        var random = new Random(seed);
        using var scene = new VirtualScene(seed, 300);
        var cut = new SentBytes { Fault = OffsetFault.Cut, Offset = random.Next(100, 3000) };
        scene.Transport.Expect(new SentBytes(), cut);
        var channels = new[] { scene.CreateChannel(), scene.CreateChannel() };
        int id = 0, answered = 0;
        for (int round = 0; round < 6; round++)
        {
            var calls = new List<Task>();
            for (int i = 0; i < 20; i++) calls.Add(AskAsync(channels[random.Next(2)].CreateProxy<IMixed>(), ++id, random.Next(100)));
            scene.Settle();
            for (int i = 0; i < 40 && calls.Exists(call => !call.IsCompleted); i++) scene.Advance(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));
            scene.Reach(() => calls.TrueForAll(call => call.IsCompleted), "the calls of a round");
            foreach (var call in calls) call.GetAwaiter().GetResult();
        }

        Assert.True(answered >= 60, $"{answered} of {id} calls were answered.");

        async Task AskAsync(IMixed proxy, int own, int size)
        {
            var bytes = new byte[size];
            new Random(own).NextBytes(bytes);
            try
            {
                var answer = await proxy.Ask(new Question { Id = own, Bytes = bytes }).ConfigureAwait(false);
                Assert.Equal(own, answer.Id);
                Assert.Equal(bytes, answer.Bytes ?? []);
                answered++;
            }
            catch (MuxException error) when (error.Status == MuxStatus.Unavailable)
            {
                Assert.NotEqual(MuxExecution.Executed, error.Execution);
            }
        }
    });

    [Fact]
    public Task I5_a_poisoned_connection_delivers_no_response_that_is_behind_and_fails_all_that_are_open() => OwnThread.ForEachSeed(30, seed =>
    {
        var random = new Random(seed);
        using var scene = new VirtualScene(seed, random.Next(1, 300));
        var byServer = new SentBytes();
        scene.Transport.Expect(new SentBytes(), byServer);
        var channel = scene.CreateChannel();
        var proxy = channel.CreateProxy<IMixed>();
        Assert.Equal(1, scene.Finish(proxy.Ask(new Question { Id = 1 }), "the first call").Id);
        var gate = new TaskCompletionSource();
        scene.Service.OnOwn = async (question, _) =>
        {
            await gate.Task;
            return new Answer { Id = question.Id };
        };
        var calls = Enumerable.Range(2, random.Next(1, 30)).Select(id => proxy.Ask(new Question { Id = id, Text = "own" }).AsTask().Observed()).ToList();
        var list = proxy.List(new Question { Id = 1000, Text = "wait", Names = [] }).GetAsyncEnumerator();
        calls.Add(list.MoveNextAsync().AsTask().ContinueWith(
            end => end.GetAwaiter().GetResult() ? new Answer() : throw new InvalidOperationException("A clean end."), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default));
        scene.Settle();
        byServer.HitAhead(OffsetFault.Corrupt, 3, 0x10); // the kind of the next frame becomes 0, which no version takes
        gate.SetResult();
        scene.Reach(() => calls.TrueForAll(call => call.IsCompleted), "the failure of all open calls");
        foreach (var call in calls)
        {
            var error = Assert.Throws<MuxException>(() => call.GetAwaiter().GetResult());
            Assert.Equal((MuxStatus.Unavailable, MuxExecution.MayHaveExecuted), (error.Status, error.Execution));
        }

        Assert.Equal(1, channel.GetStatistics().ProtocolErrors);
    });

    [Fact]
    public Task I6_no_call_begins_on_a_channel_that_is_closed() => OwnThread.ForEachSeed(40, seed =>
    {
        var random = new Random(seed);
        using var scene = new VirtualScene(seed, random.Next(1, 300));
        var channel = scene.CreateChannel();
        var proxy = channel.CreateProxy<IMixed>();
        if (random.Next(2) == 0) _ = scene.Finish(proxy.Ask(new Question { Id = 1 }), "the first call");
        var before = Enumerable.Range(10, random.Next(10)).Select(id => proxy.Ask(new Question { Id = id }).AsTask().Observed()).ToList();
        for (int i = random.Next(6); i > 0; i--) scene.PumpOne();
        var disposal = channel.DisposeAsync().AsTask();
        var after = Enumerable.Range(100, random.Next(1, 10)).Select(id => (Id: id, Call: Begin(() => proxy.Ask(new Question { Id = id })))).ToList();
        for (int i = random.Next(6); i > 0; i--) scene.PumpOne();
        after.Add((200, Begin(() => proxy.Ask(new Question { Id = 200 }))));
        for (int i = 0; i < 40 && !disposal.IsCompleted; i++) scene.Advance(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));
        scene.Reach(() => disposal.IsCompleted && before.TrueForAll(call => call.IsCompleted) && after.TrueForAll(call => call.Call.IsCompleted), "the end of all calls");
        foreach (var (id, call) in after)
        {
            var error = Assert.ThrowsAny<Exception>(() => call.GetAwaiter().GetResult());
            Assert.True(error is ObjectDisposedException or MuxException { Execution: MuxExecution.NotExecuted }, $"{error}");
            Assert.Equal(0, scene.Service.History.Of(id).Starts);
        }

        Assert.Equal(0, channel.GetStatistics().CallsActive);

        static Task<Answer> Begin(Func<ValueTask<Answer>> call)
        {
            try
            {
                return call().AsTask().Observed();
            }
            catch (ObjectDisposedException error)
            {
                return Task.FromException<Answer>(error);
            }
        }
    });

    [Fact]
    public Task I8_a_call_that_is_said_not_to_have_run_did_not_and_no_handler_can_say_so() => OwnThread.ForEachSeed(60, seed =>
        RandomExchange.Run(seed, s_losses, (scene, exchange) =>
        {
            exchange.AssertTrue();
            scene.Service.OnOwn = (_, _) => throw new MuxException(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect, null, "forged");
            var error = Assert.Throws<MuxException>(() => scene.Finish(scene.Witness.Ask(new Question { Id = 50, Text = "own" }), "a call whose handler lies"));
            Assert.Equal(MuxExecution.Executed, error.Execution);
        }));

    [Fact]
    public Task I9_a_call_that_succeeded_has_run_once() => OwnThread.ForEachSeed(60, seed => RandomExchange.Run(seed, [OffsetFault.None, .. s_losses], (scene, exchange) =>
    {
        exchange.AssertTrue();
        foreach (var call in exchange.Calls.Where(call => call is { Status: MuxStatus.Ok, IsOneWay: false } || call.Execution == MuxExecution.Executed))
        {
            var (starts, ends, _) = scene.Service.History.Of(call.Id);
            Assert.Equal((1, 1), (starts, ends));
        }
    }));
}
