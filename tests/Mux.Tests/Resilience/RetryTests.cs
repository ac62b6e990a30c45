using Mux.Calls;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Resilience;

/// <summary>Failed calls that a channel sends again, to a server that is played frame by frame.</summary>
public sealed class RetryTests : EndToEndTests, IDisposable
{
    private static readonly MuxCallOptions s_idempotent = new() { Idempotent = true };
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(10);

    private readonly ManualTime _time = new();
    private readonly List<RawServer> _servers = [];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose() => _servers.ForEach(server => server.Dispose());

    [Fact(Timeout = TestLimit)]
    public async Task An_idempotent_call_is_sent_again_after_a_loss_and_says_that_it_is_a_retry()
    {
        var (server, channel, scene) = Create(request => request.Number == 1 ? request.Lose : () => request.Respond(8, 7));

        var answer = await PassAsync(channel.CreateProxy<IMixed>().Ask(new Question { Id = 7 }, s_idempotent, Token));

        Assert.Equal(7, answer.Id);
        Assert.Equal([false, true], server.Requests.Select(request => request.IsRetry));
        Assert.Equal(server.Requests[0].Body, server.Requests[1].Body);
        var statistics = channel.GetStatistics();
        Assert.Equal((1, 1), (statistics.CallsStarted, statistics.CallsCompleted)); // attempts are no calls
        var attempts = Assert.Single(scene.Meters.Read(), reading => reading.Instrument == "mux.client.attempts");
        Assert.Equal((1, "Retry"), (attempts.Value, attempts.Tag("mux.attempt.reason")));
        Assert.Equal(9, Assert.Single(scene.Meters.Read(), reading => reading.Instrument == "mux.client.retry_budget").Value);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_is_not_idempotent_is_not_sent_again_after_a_loss()
    {
        var (server, channel, _) = Create(request => request.Lose);

        var error = await channel.CreateProxy<IMixed>().Ask(new Question(), null, Token).FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);

        Assert.Empty(error.Attempts);
        Assert.Single(server.Requests);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Without_the_option_no_call_is_sent_again()
    {
        var (server, channel, _) = Create(request => request.Lose, attempts: 1);

        await channel.CreateProxy<IMixed>().Ask(new Question(), s_idempotent, Token).FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);

        Assert.Single(server.Requests);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_can_refuse_to_be_sent_again()
    {
        var (server, channel, _) = Create(request => request.Lose);
        var options = new MuxCallOptions { Idempotent = true, Retries = false };

        await channel.CreateProxy<IMixed>().Ask(new Question(), options, Token).FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);

        Assert.Single(server.Requests);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Options_in_force_can_say_that_a_call_may_be_executed_twice()
    {
        var (server, channel, _) = Create(request => request.Number == 1 ? request.Lose : () => request.Respond(8, 7));
        using (new MuxCallOptions { Idempotent = true }.Apply()) await PassAsync(channel.CreateProxy<IMixed>().Ask(new Question(), null, Token));
        Assert.Equal(2, server.Requests.Count);
        Assert.All(server.Requests, request => Assert.True((request.Options & RequestOptions.Idempotent) != 0));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_refused_call_is_sent_again_once_and_not_before_the_server_wants_it()
    {
        var (server, channel, _) = Create(request => () => request.Fail(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, retryAfterMilliseconds: 5_000));
        var call = channel.CreateProxy<IMixed>().Ask(new Question(), null, Token).AsTask();
        await Eventually.Holds(() => Refusals() == 1, "the refusal");
        _time.Advance(TimeSpan.FromMilliseconds(4_999));
        Assert.Single(server.Requests);
        Assert.False(call.IsCompleted);
        _time.Advance(TimeSpan.FromMilliseconds(1_020));

        var error = await call.Within("the second refusal").FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Equal(2, server.Requests.Count);
        Assert.Equal(2, error.Attempts.Count);
        Assert.Equal(TimeSpan.FromSeconds(5), error.RetryAfter);
        Assert.Contains("after 2 attempts", error.Message, StringComparison.Ordinal);

        long Refusals() => channel.Ledger.Sum().AttemptsOf(Repeat.Refused);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_may_never_come_back_fails_at_once()
    {
        var (server, channel, _) = Create(request => () => request.Fail(MuxStatus.Unavailable, MuxExecution.NotExecuted, uint.MaxValue));

        var error = await channel.CreateProxy<IMixed>().Ask(new Question(), s_idempotent, Token).FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);

        Assert.Single(server.Requests);
        Assert.Equal(Timeout.InfiniteTimeSpan, error.RetryAfter);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_handler_can_say_that_a_call_may_never_come_back()
    {
        var scene = Begin(TransportKind.InMemory);
        int asked = 0;
        var desk = new Desk
        {
            OnAsk = (_, _) =>
            {
                asked++;
                throw new MuxException(MuxStatus.Unavailable, "Closed for good.") { RetryAfter = Timeout.InfiniteTimeSpan };
            },
        };
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var channel = scene.CreateChannel(server, options => options.Resilience.Attempts = 3);
        using var idempotent = s_idempotent.Apply();

        var error = await channel.CreateProxy<IDesk>().Ask(new Question(), Token).FailsAsync(MuxStatus.Unavailable, MuxExecution.Executed, MuxCallPhase.Handler);

        Assert.Equal((1, Timeout.InfiniteTimeSpan), (asked, error.RetryAfter));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_whose_deadline_comes_before_its_pause_is_over_fails_at_once()
    {
        var (server, channel, _) = Create(request => () => request.Fail(MuxStatus.Unavailable, MuxExecution.NotExecuted, retryAfterMilliseconds: 5_000));

        var call = channel.CreateProxy<IMixed>().Ask(new Question(), new MuxCallOptions { Timeout = TimeSpan.FromSeconds(4) }, Token);

        await call.FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Single(server.Requests);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_second_attempt_has_the_time_that_is_left()
    {
        var (server, channel, _) = Create(request => request.Number > 1 ? () => { } : () => request.Fail(MuxStatus.Unavailable, MuxExecution.NotExecuted, 1_000));
        var call = channel.CreateProxy<IMixed>().Ask(new Question(), new MuxCallOptions { Timeout = TimeSpan.FromSeconds(4) }, Token).AsTask();
        await server.Arrived.ReachAsync(1);
        await Eventually.Holds(() => Step(server.Requests.Count == 2), "the second attempt");

        _time.Advance(TimeSpan.FromSeconds(4));

        var error = await call.Within("the deadline").FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        server.Requests[1].Respond(); // frees the slot
        Assert.Equal([MuxStatus.Unavailable, MuxStatus.DeadlineExceeded], error.Attempts.Select(attempt => attempt.Status));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_cancel_during_the_pause_ends_the_call_and_nothing_is_sent_any_more()
    {
        var (server, channel, _) = Create(request => () => request.Fail(MuxStatus.Unavailable, MuxExecution.NotExecuted, retryAfterMilliseconds: 5_000));
        using var cancellation = new CancellationTokenSource();
        var call = channel.CreateProxy<IMixed>().Ask(new Question(), null, cancellation.Token).AsTask();
        await Eventually.Holds(() => channel.Ledger.Sum().AttemptsOf(Repeat.Refused) == 1 && channel.GetStatistics().CallsWaiting == 1, "the pause");

        await cancellation.CancelAsync();

        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Within("the cancellation"));
        Assert.Equal(cancellation.Token, error.CancellationToken);
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Single(server.Requests);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_channel_that_is_disposed_fails_the_calls_between_two_attempts()
    {
        var (server, channel, _) = Create(request => () => request.Fail(MuxStatus.Unavailable, MuxExecution.NotExecuted, retryAfterMilliseconds: 5_000));
        var call = channel.CreateProxy<IMixed>().Ask(new Question(), null, Token).AsTask();
        await Eventually.Holds(() => channel.Ledger.Sum().AttemptsOf(Repeat.Refused) == 1, "the refusal");

        await channel.DisposeAsync().AsTask().Within("the disposal");

        await call.Within("the failure").FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue);
        Assert.Single(server.Requests);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_verdict_of_a_failure_is_the_strongest_of_all_attempts()
    {
        var (_, channel, _) = Create(request => request.Number == 1 ? request.Lose : () => request.Fail(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, uint.MaxValue));

        var call = channel.CreateProxy<IMixed>().Ask(new Question(), s_idempotent, Token).AsTask();
        await Eventually.Holds(() => Step(call.IsCompleted), "the failure");

        var error = await call.FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.MayHaveExecuted, MuxCallPhase.Dispatch);
        Assert.Equal([MuxExecution.MayHaveExecuted, MuxExecution.NotExecuted], error.Attempts.Select(attempt => attempt.Execution));
        Assert.All(error.Attempts, attempt => Assert.Equal(error.Endpoint, attempt.Endpoint));
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(0)]
    [InlineData(1_000)]
    [InlineData(10_000)]
    [InlineData(300_000)]
    public async Task A_request_of_any_size_is_sent_again_as_it_was(int size)
    {
        var bytes = new byte[size];
        new Random(size).NextBytes(bytes);
        var (server, channel, scene) = Create(request => request.Number % 2 == 1 ? request.Lose : () => request.Respond(8, 7));
        var sut = channel.CreateProxy<IMixed>();

        for (int i = 0; i < 3; i++) await PassAsync(sut.Ask(new Question { Id = i, Bytes = bytes }, s_idempotent, Token));

        Assert.Equal(6, server.Requests.Count);
        for (int i = 0; i < 6; i += 2) Assert.Equal(server.Requests[i].Body, server.Requests[i + 1].Body);
        Assert.Equal(size, server.Requests[5].Body.Length, size > 0 ? 16.0 : 4.0);
        await Eventually.Holds(() => scene.Meters.Read().Single(reading => reading.Instrument == "mux.client.kept_bytes").Value == 0, "the release of the kept requests");
    }

    [Fact(Timeout = TestLimit)]
    public async Task Calls_that_fail_together_are_sent_again_within_the_budget_and_the_log_says_so()
    {
        const int Calls = 200;
        var (server, channel, scene) = Create(request => () => request.Fail(MuxStatus.Unavailable, MuxExecution.Executed), attempts: 10);
        var sut = channel.CreateProxy<IMixed>();

        var calls = Enumerable.Range(0, Calls).Select(i => sut.Ask(new Question { Id = i }, s_idempotent, Token).AsTask()).ToList();
        await Eventually.Holds(() => Step(calls.TrueForAll(call => call.IsCompleted)), "the failures");

        Assert.InRange(server.Requests.Count, Calls + 1, Calls + 10 + (Calls / 10));
        Assert.All(calls, call => Assert.Equal(MuxStatus.Unavailable, Assert.IsType<MuxException>(call.Exception!.InnerException).Status));
        var entry = Assert.Single(scene.Logs.Of("BudgetEmpty"), entry => entry.Text.Contains("t.Mixed/Ask", StringComparison.Ordinal));
        Assert.Contains("10 + a tenth", entry.Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_waits_for_a_server_outlives_failed_dials()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectFailed, CloseReason.Disposed, CloseReason.ConnectionLost]);
        var channel = scene.CreateChannel(scene.NobodysAddress());
        var sut = channel.CreateProxy<IMixed>();
        using var cancellation = new CancellationTokenSource();
        var waiting = sut.Ask(new Question(), new MuxCallOptions { WaitForReady = true }, cancellation.Token).AsTask();
        var impatient = sut.Ask(new Question(), null, Token).AsTask();
        await Eventually.Holds(() => Step(impatient.IsCompleted), "the failure of a call that does not wait"); // its dial may come after the pause of the first
        await impatient.FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);

        await Eventually.Holds(() => Step(scene.Logs.Of("ClientConnectFailed").Count >= 5), "some failed dials");

        Assert.False(waiting.IsCompleted);
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.Within("the cancellation"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_waits_for_a_server_has_its_deadline()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectFailed, CloseReason.Disposed]);
        var sut = scene.CreateChannel(scene.NobodysAddress()).CreateProxy<IMixed>();

        var begun = _time.GetUtcNow();
        var call = sut.Ask(new Question(), new MuxCallOptions { WaitForReady = true, Timeout = TimeSpan.FromSeconds(3) }, Token).AsTask();
        await Eventually.Holds(() => Step(call.IsCompleted), "the deadline");

        var error = await Assert.ThrowsAsync<MuxException>(() => call);
        Assert.Equal((MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted), (error.Status, error.Execution));
        Assert.InRange(_time.GetUtcNow() - begun, TimeSpan.FromSeconds(3), TimeSpan.FromSeconds(3.1));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_waits_for_a_server_is_sent_as_soon_as_one_is_reached()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectFailed, CloseReason.Disposed]);
        var address = scene.NobodysAddress();
        var channel = scene.CreateChannel(address);
        Task<Answer> waiting;
        using (new MuxCallOptions { WaitForReady = true }.Apply()) waiting = channel.CreateProxy<IDesk>().Ask(new Question { Id = 7 }, Token).AsTask();
        await Eventually.Holds(() => Step(scene.Logs.Of("ClientConnectFailed").Count >= 12), "pauses between two attempts that have grown");

        scene.StartServer(static server => server.AddService<IDesk>(new Desk()), options => options.Address = address.ToString());
        var connecting = channel.ConnectAsync(Token);
        await Eventually.Holds(() => Step(connecting.IsCompleted), "the connection");
        await connecting;

        Assert.Equal(7, (await waiting.Within("the answer, without a further pause")).Id);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_response_stream_begins_again_until_its_first_item_has_come()
    {
        var (server, channel, _) = Create(request => request.Number == 1 ? () => request.Fail(MuxStatus.Unavailable, MuxExecution.Executed) : () =>
        {
            request.SendItem(8, 5);
            request.Fail(MuxStatus.Unavailable, MuxExecution.Executed);
        });
        using var scope = s_idempotent.Apply();
        await using var items = channel.CreateProxy<IMixed>().List(new Question { Id = 3 }, Token).GetAsyncEnumerator(Token);

        var first = items.MoveNextAsync().AsTask();
        await Eventually.Holds(() => Step(first.IsCompleted), "the first item");

        Assert.True(await first);
        Assert.Equal(5, items.Current.Id);
        await Assert.ThrowsAsync<MuxException>(async () => await items.MoveNextAsync());
        Assert.Equal(2, server.Requests.Count);
        Assert.Equal(server.Requests[0].Body, server.Requests[1].Body);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_whose_request_stream_has_begun_is_not_sent_again()
    {
        var (server, channel, _) = Create(request => request.Lose);
        using var scope = s_idempotent.Apply();

        var call = channel.CreateProxy<IMixed>().Sum(new Question(), Items(), Token);

        await call.FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        Assert.Single(server.Requests);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Policies_of_single_methods_replace_those_of_the_channel()
    {
        var (server, channel, _) = Create(
            request => request.Number < 4 ? () => request.Fail(MuxStatus.Aborted, MuxExecution.Executed) : () => request.Respond(8, 7), attempts: 1,
            options => options.Methods.Add("t.Mixed/Ask", new MuxMethodResilience { Attempts = 4, Statuses = [MuxStatus.Aborted] }));

        Assert.Equal(7, (await PassAsync(channel.CreateProxy<IMixed>().Ask(new Question(), s_idempotent, Token))).Id);

        Assert.Equal(4, server.Requests.Count);
    }

    private static async IAsyncEnumerable<Question> Items()
    {
        await Task.Yield();
        yield return new Question();
    }

    private (RawServer Server, MuxChannel Channel, Scene Scene) Create(Func<RawRequest, Action> answer, int attempts = 3, Action<MuxResilience>? configure = null)
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Disposed]);
        var server = new RawServer(scene, request => answer(request)());
        _servers.Add(server);
        var channel = scene.CreateChannel(server.Address, options =>
        {
            options.Resilience.Attempts = attempts;
            configure?.Invoke(options.Resilience);
        });
        return (server, channel, scene);
    }

    private bool Step(bool isDone)
    {
        if (!isDone) _time.Advance(s_step);
        return isDone;
    }

    /// <summary>Lets time pass until a call has succeeded.</summary>
    private async Task<T> PassAsync<T>(ValueTask<T> call)
    {
        var task = call.AsTask();
        await Eventually.Holds(() => Step(task.IsCompleted), "the outcome of the call");
        return await task;
    }
}
