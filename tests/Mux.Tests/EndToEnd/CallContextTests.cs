using System.Collections.Concurrent;
using System.Security.Cryptography;
using System.Threading.Channels;
using Mux.Identity;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;

namespace Mux.Tests.EndToEnd;

/// <summary>Handlers whose contract has no options know their call from its context.</summary>
public sealed class CallContextTests : EndToEndTests
{
    private static readonly SharedKey s_key = new("clerk-1", RandomNumberGenerator.GetBytes(32), "clerk");

    private readonly Contextual _service = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_of_every_kind_has_the_metadata_of_its_request_and_answers_with_metadata(TransportKind kind)
    {
        var token = TestContext.Current.CancellationToken;
        var sut = Start(Begin(kind));
        await AssertSeenAsync("Ask", () => sut.Ask(new(), cancellationToken: token).AsTask());
        await AssertSeenAsync("List", async () => await sut.List(new() { Id = 3 }, token).ToListAsync(token));
        await AssertSeenAsync("Sum", () => sut.Sum(new(), Questions(3), token).AsTask());
        await AssertSeenAsync("Talk", async () => await sut.Talk(new(), Questions(3), token).ToListAsync(token));
        await AssertSeenAsync("Download", async () =>
        {
            await using var bytes = await sut.Download(new() { Id = 9 }, token);
            await bytes.CopyToAsync(Stream.Null, token);
        });
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_failure_carries_the_response_metadata(TransportKind kind)
    {
        var token = TestContext.Current.CancellationToken;
        var sut = Start(Begin(kind));
        await AssertSeenAsync("Ask", () => sut.Ask(new() { Text = "fail" }, cancellationToken: token).FailsAsync(MuxStatus.Aborted, MuxExecution.Executed, MuxCallPhase.Handler));
        await AssertSeenAsync("List", () => Assert.ThrowsAsync<MuxException>(async () => await sut.List(new() { Id = 3, Text = "fail" }, token).ToListAsync(token)));
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(MuxDispatchMode.Inline)]
    [InlineData(MuxDispatchMode.Pool)]
    [InlineData(MuxDispatchMode.Adaptive)]
    public async Task Concurrent_calls_have_contexts_of_their_own_wherever_they_run(MuxDispatchMode dispatch)
    {
        const int Calls = 500;
        var scene = Begin(TransportKind.InMemory);
        var desk = new Desk
        {
            OnAsk = async (question, _) =>
            {
                string? before = MuxCallContext.Current!.Metadata["id"];
                if (question.Id % 2 == 0) await Task.Yield();
                Assert.Equal(before, MuxCallContext.Current.Metadata["id"]);
                return new Answer { Id = int.Parse(before!, provider: null) };
            },
        };
        var sut = Start<IDesk>(scene, desk, options => options.Dispatch = dispatch);
        await Task.WhenAll(Enumerable.Range(0, Calls).Select(async id =>
        {
            using var scope = new MuxCallOptions { Metadata = new() { ["id"] = $"{id}" } }.Apply();
            Assert.Equal(id, (await sut.AskPlainly(new() { Id = id })).Id);
        })).Within("all replies");
    }

    /// <summary>Such a reply is written where the handler runs, without a buffer of its own, unless it has metadata.</summary>
    [Theory(Timeout = TestLimit)]
    [InlineData(MuxDispatchMode.Inline)]
    [InlineData(MuxDispatchMode.Pool)]
    [InlineData(MuxDispatchMode.Adaptive)]
    public async Task A_handler_that_returns_at_once_answers_with_its_metadata(MuxDispatchMode dispatch)
    {
        var desk = new Desk
        {
            OnAsk = static (question, _) =>
            {
                MuxCallContext.Current!.ResponseMetadata["id"] = $"{question.Id}";
                return new(new Answer());
            },
        };
        var sut = Start<IDesk>(Begin(TransportKind.InMemory), desk, options => options.Dispatch = dispatch);
        for (int id = 0; id < 10; id++)
        {
            var response = new MuxMetadata();
            using var scope = new MuxCallOptions { ResponseMetadata = response }.Apply();
            await sut.AskPlainly(new() { Id = id });
            Assert.Equal($"{id}", response["id"]);
        }
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_server_without_contexts_says_once_what_to_call_when_its_handlers_read_them(bool hasContexts)
    {
        var scene = Begin(TransportKind.InMemory);
        var desk = new Desk { OnAsk = (_, _) => new(new Answer { Id = MuxCallContext.Current is null ? 0 : 1 }) };
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.EnableCallContext = hasContexts);
        var sut = scene.CreateChannel(server).CreateProxy<IDesk>();
        for (int i = 0; i < 3; i++) Assert.Equal(hasContexts ? 1 : 0, (await sut.AskPlainly(new Question())).Id);
        var told = scene.Logs.Of("CallContextMissed").Select(entry => entry.Text);
        Assert.Equal(hasContexts ? [] : ["MuxCallContext.Current was read and is null: handlers of this server have no call context. If one reads it, call AddCallContext() of its builder, or set EnableCallContext of its options."], told);
        await server.StopAsync(TestContext.Current.CancellationToken);
        Assert.Null(MuxCallContext.Current);
        Assert.Equal(hasContexts ? 0 : 1, scene.Logs.Of("CallContextMissed").Count);
    }

    /// <summary>A turn runs the handlers of many callers on one thread.</summary>
    [Fact(Timeout = TestLimit)]
    public async Task A_context_ends_with_the_part_of_the_handler_that_runs_in_the_turn()
    {
        var scene = Begin(TransportKind.InMemory);
        var after = new List<MuxCallContext?>();
        Signal end = null!;
        var desk = new Desk
        {
            OnAsk = async (_, _) =>
            {
                Assert.NotNull(MuxCallContext.Current);
                await Volatile.Read(ref end).WaitAsync();
                return new Answer();
            },
        };
        var plain = new Desk
        {
            OnAsk = (_, _) =>
            {
                after.Add(MuxCallContext.Current);
                return new(new Answer());
            },
        };
        var contextual = Start<IDesk>(scene, desk, options => options.Dispatch = MuxDispatchMode.Inline);
        var without = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(plain), options => options.Dispatch = MuxDispatchMode.Inline)).CreateProxy<IDesk>();
        for (int i = 0; i < 50; i++)
        {
            end = new Signal("the end of the handlers with a context");
            var calls = Enumerable.Range(0, 20).Select(id => (id % 2 == 0 ? contextual : without).AskPlainly(new() { Id = id }).AsTask()).ToList();
            await Task.WhenAll(calls.Where((_, id) => id % 2 != 0)).Within("the replies of handlers without a context");
            end.Set();
            await Task.WhenAll(calls).Within("all replies");
        }

        Assert.Equal(500, after.Count);
        Assert.All(after, Assert.Null);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_time_left_runs_down_to_zero()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        var sut = Start(scene);
        await sut.Ask(new(), new MuxCallOptions { Timeout = TimeSpan.FromSeconds(5) }, TestContext.Current.CancellationToken);
        AssertLeft(5);
        time.Advance(TimeSpan.FromSeconds(2));
        AssertLeft(3);
        time.Advance(TimeSpan.FromSeconds(4));
        Assert.Equal(TimeSpan.Zero, _service.Seen!.TimeLeft);
        await sut.Ask(new(), cancellationToken: TestContext.Current.CancellationToken);
        Assert.Null(_service.Seen.TimeLeft);

        // the clock of the engine has microseconds
        void AssertLeft(int seconds) => Assert.InRange(_service.Seen!.TimeLeft!.Value, TimeSpan.FromSeconds(seconds) - TimeSpan.FromMilliseconds(1), TimeSpan.FromSeconds(seconds));
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_token_is_cancelled_though_the_method_has_none()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        var started = new Signal("the handler");
        var cancelled = new Signal("the token of the context");
        var desk = new Desk
        {
            OnAsk = async (_, token) =>
            {
                Assert.False(token.CanBeCanceled);
                await using var registration = MuxCallContext.Current!.CancellationToken.Register(cancelled.Set);
                started.Set();
                await cancelled.WaitAsync();
                return new Answer();
            },
        };
        var sut = Start<IDesk>(scene, desk);
        using var scope = new MuxCallOptions { Timeout = TimeSpan.FromSeconds(5) }.Apply();
        var call = sut.AskPlainly(new()).AsTask();
        await started.WaitAsync();
        Assert.False(cancelled.IsSet);
        time.Advance(TimeSpan.FromSeconds(6));
        await call.FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        await cancelled.WaitAsync();
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(MuxDispatchMode.Inline)]
    [InlineData(MuxDispatchMode.Pool)]
    public async Task The_token_that_an_ended_call_has_left_behind_is_not_cancelled_by_later_calls(MuxDispatchMode dispatch)
    {
        const int Calls = 20;
        var kept = new ConcurrentQueue<CancellationToken>();
        var cancelled = new Counter("cancelled handlers");
        var desk = new Desk
        {
            OnAsk = async (question, _) =>
            {
                var token = MuxCallContext.Current!.CancellationToken;
                if (question.Id == 0)
                {
                    kept.Enqueue(token);
                    return new Answer();
                }

                var fired = new Signal("the token");
                await using var registration = token.Register(fired.Set);
                await fired.WaitAsync();
                cancelled.Add();
                return new Answer();
            },
        };
        var sut = Start<IDesk>(Begin(TransportKind.InMemory), desk, options => options.Dispatch = dispatch);
        for (int i = 0; i < Calls; i++) await sut.Ask(new(), TestContext.Current.CancellationToken).AsTask().Within("the reply");
        using var cancellation = new CancellationTokenSource();
        var later = Enumerable.Range(0, Calls).Select(_ => sut.Ask(new() { Id = 1 }, cancellation.Token).AsTask()).ToList();
        await desk.Started.ReachAsync(2 * Calls);
        await cancellation.CancelAsync();
        foreach (var call in later) await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Within("the cancelled call"));
        await cancelled.ReachAsync(Calls);
        Assert.All(kept, static token => Assert.False(token.IsCancellationRequested));
    }

    /// <summary>As ExecutionContext flows to a loop that the first call of a singleton starts.</summary>
    [Fact(Timeout = TestLimit)]
    public async Task Code_that_a_call_of_any_kind_has_left_behind_is_in_no_call()
    {
        var token = TestContext.Current.CancellationToken;
        var sut = Start(Begin(TransportKind.InMemory));
        await AssertEndsAsync(() => sut.Ask(new(), cancellationToken: token).AsTask());
        await AssertEndsAsync(() => sut.Ask(new() { Text = "fail" }, cancellationToken: token).FailsAsync(MuxStatus.Aborted, MuxExecution.Executed, MuxCallPhase.Handler));
        await AssertEndsAsync(() => sut.Tell(new()).AsTask());
        await AssertEndsAsync(async () => await sut.List(new() { Id = 3 }, token).ToListAsync(token));
        await AssertEndsAsync(async () => await sut.List(new() { Id = 3 }, token).FirstAsync(token));
        await AssertEndsAsync(() => sut.Sum(new(), Questions(3), token).AsTask());
        await AssertEndsAsync(async () => await sut.Talk(new(), Questions(3), token).ToListAsync(token));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_loop_that_the_first_call_has_started_serves_later_calls_in_nobodys_name()
    {
        var jobs = Channel.CreateUnbounded<TaskCompletionSource<MuxCallContext?>>();
        Task? loop = null;
        ExecutionContext? flow = null;
        var desk = new Desk
        {
            OnAsk = async (_, _) =>
            {
                flow ??= ExecutionContext.Capture();
                loop ??= Task.Run(async () =>
                {
                    await foreach (var job in jobs.Reader.ReadAllAsync()) job.SetResult(MuxCallContext.Current);
                }, CancellationToken.None);
                var done = new TaskCompletionSource<MuxCallContext?>(TaskCreationOptions.RunContinuationsAsynchronously);
                jobs.Writer.TryWrite(done);
                return new Answer { Text = (await done.Task)?.Metadata["tenant"] ?? "nobody" };
            },
        };
        var sut = Start<IDesk>(Begin(TransportKind.InMemory), desk);
        Assert.Equal("7", await AskAsync("7"));
        await Eventually.Holds(() => CurrentIn(flow!) is null, "the end of the first call");
        Assert.Equal("nobody", await AskAsync("8"));
        jobs.Writer.Complete();
        await loop!.Within("the loop");

        async Task<string> AskAsync(string tenant)
        {
            using var scope = new MuxCallOptions { Metadata = new() { ["tenant"] = tenant } }.Apply();
            return (await sut.AskPlainly(new()).AsTask().Within("the reply")).Text!;
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_caller_is_known_by_address_identity_and_options()
    {
        var scene = Begin(TransportKind.Tcp);
        var server = StartServer<IMixed>(scene, _service, options => options.Identity = new MuxIdentityOptions { SharedKeys = { s_key } });
        var sut = scene.CreateChannel(server, options => options.Credentials = new SharedKeyCredentials(s_key)).CreateProxy<IMixed>();
        await sut.Ask(new(), new MuxCallOptions { Idempotent = true, Priority = MuxCallPriority.Low }, TestContext.Current.CancellationToken);
        Assert.Equal("clerk-1", _service.Seen!.User!.Identity!.Name);
        Assert.StartsWith("127.0.0.1:", _service.Seen.Peer, StringComparison.Ordinal);
        Assert.Equal((true, MuxCallPriority.Low), (_service.Seen.Idempotent, _service.Seen.Priority));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_is_not_allowed_reaches_no_handler()
    {
        var scene = Begin(TransportKind.InMemory);
        var service = new Guarded();
        var server = StartServer<IGuarded>(scene, service, options => options.Identity = new MuxIdentityOptions { SharedKeys = { s_key }, Policies = { ["adult"] = _ => false } });
        var sut = scene.CreateChannel(server, options => options.Credentials = new SharedKeyCredentials(s_key)).CreateProxy<IGuarded>();
        using var scope = new MuxCallOptions { Metadata = new() { ["tenant"] = "7" } }.Apply();
        await sut.Sign(1).AsTask().FailsAsync(MuxStatus.PermissionDenied, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Equal(0, service.Ran.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_one_way_call_has_a_context()
    {
        var sut = Start(Begin(TransportKind.InMemory));
        using var scope = new MuxCallOptions { Metadata = new() { ["tenant"] = "7" } }.Apply();
        await sut.Tell(new());
        await _service.Started.ReachAsync(1);
        Assert.Equal(("t.Mixed/Tell", "7"), (_service.Seen!.Method, _service.Seen.Metadata["tenant"]));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_without_contexts_gives_none()
    {
        var scene = Begin(TransportKind.InMemory);
        MuxCallContext? seen = null;
        var desk = new Desk
        {
            OnAsk = (_, _) =>
            {
                seen = MuxCallContext.Current;
                return new(new Answer());
            },
        };
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk))).CreateProxy<IDesk>();
        await sut.AskPlainly(new());
        Assert.Equal(1, desk.Started.Count);
        Assert.Null(seen);
    }

    [Fact]
    public void A_test_enters_a_context_of_its_own()
    {
        var outer = new MuxCallContext { Peer = "test" };
        using (outer.Enter())
        {
            using (new MuxCallContext().Enter()) Assert.Empty(MuxCallContext.Current!.Peer);
            Assert.Same(outer, MuxCallContext.Current);
        }

        Assert.Null(MuxCallContext.Current);
    }

    [Fact]
    public void A_test_ends_a_context_wherever_it_has_flowed()
    {
        var context = new MuxCallContext();
        using var scope = context.Enter();
        var flow = ExecutionContext.Capture()!;
        Assert.Same(context, CurrentIn(flow));
        scope.End();
        Assert.Null(CurrentIn(flow));
        Assert.Null(MuxCallContext.Current);
        using (context.Enter()) Assert.Same(context, MuxCallContext.Current);
        Assert.Null(CurrentIn(flow));
        default(MuxCallContextScope).End();
    }

    private static MuxCallContext? CurrentIn(ExecutionContext flow)
    {
        MuxCallContext? current = null;
        ExecutionContext.Run(flow, _ => current = MuxCallContext.Current, null);
        return current;
    }

    private static async IAsyncEnumerable<Question> Questions(int count)
    {
        for (int id = 1; id <= count; id++)
        {
            await Task.Yield();
            yield return new() { Id = id };
        }
    }

    private IMixed Start(Scene scene) => Start<IMixed>(scene, _service);

    private static T Start<T>(Scene scene, T service, Action<MuxServerOptions>? configure = null)
        where T : class => scene.CreateChannel(StartServer(scene, service, configure)).CreateProxy<T>();

    private static MuxServer StartServer<T>(Scene scene, T service, Action<MuxServerOptions>? configure)
        where T : class => scene.StartServer(server => server.AddService(service), options =>
    {
        options.EnableCallContext = true;
        configure?.Invoke(options);
    });

    /// <summary>Makes a call, and checks that code which it has left behind gets no context.</summary>
    private async Task AssertEndsAsync(Func<Task> call)
    {
        long started = _service.Started.Count;
        await call().Within("the call");
        await _service.Started.ReachAsync(started + 1);
        var flow = _service.Flow!;
        // a call ends just after its answer was sent
        await Eventually.Holds(() => CurrentIn(flow) is null, () => $"the end of the context of {_service.Seen!.Method}");
    }

    /// <summary>Makes a call with metadata, and checks what its handler saw and sent.</summary>
    private async Task AssertSeenAsync(string method, Func<Task> call)
    {
        var response = new MuxMetadata();
        using var scope = new MuxCallOptions { Metadata = new() { ["tenant"] = method }, ResponseMetadata = response }.Apply();
        await call().Within($"the call of {method}");
        Assert.Equal(($"t.Mixed/{method}", method), (_service.Seen!.Method, _service.Seen.Metadata["tenant"]));
        Assert.Equal($"t.Mixed/{method}", response["method"]);
    }
}
