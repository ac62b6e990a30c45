using Mux.Calls;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Tests.Forwarding;

namespace Mux.Tests.Resilience;

/// <summary>Calls of which a second copy is sent while the first one takes long.</summary>
public sealed class HedgeTests : EndToEndTests, IDisposable
{
    private static readonly MuxCallOptions s_idempotent = new() { Idempotent = true };

    private readonly ManualTime _time = new();
    private readonly List<RawServer> _servers = [];
    private bool _answers = true;
    private bool _answersCopies;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public void Dispose() => _servers.ForEach(server => server.Dispose());

    [Fact(Timeout = TestLimit)]
    public async Task The_reply_to_the_second_copy_ends_the_call_and_the_first_copy_is_cancelled_as_superseded()
    {
        var (server, channel, scene) = await CreateAsync();
        var (call, first, second) = await HedgeAsync(server, channel, Token);

        second.Respond(8, 2);

        Assert.Equal(2, (await call.Within("the reply")).Id);
        await server.Cancelled.ReachAsync(1);
        Assert.Equal([CancelReason.Superseded], server.Cancels);
        first.Fail(MuxStatus.Cancelled, MuxExecution.Executed); // frees the slot
        Assert.Equal((false, true), (first.IsRetry, second.IsRetry));
        Assert.Equal(first.Body, second.Body);
        Assert.Equal(1, Assert.Single(scene.Meters.Read(), reading => reading.Instrument == "mux.client.attempts").Value);
        await AssertCallsAsync(channel, HedgeDelay.LeastSamples + 1);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_reply_to_the_first_copy_ends_the_call_if_it_comes_before_the_other()
    {
        var (server, channel, _) = await CreateAsync();
        var (call, first, second) = await HedgeAsync(server, channel, Token);

        first.Respond(8, 1);

        Assert.Equal(1, (await call.Within("the reply")).Id);
        await server.Cancelled.ReachAsync(1);
        second.Respond(8, 2); // too late
        await AssertCallsAsync(channel, HedgeDelay.LeastSamples + 1);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_failure_of_one_copy_leaves_the_call_to_the_other()
    {
        var (server, channel, _) = await CreateAsync();
        var (call, first, second) = await HedgeAsync(server, channel, Token);

        first.Fail(MuxStatus.Internal, MuxExecution.Executed);
        second.Respond(8, 2);

        Assert.Equal(2, (await call.Within("the reply")).Id);
        Assert.Empty(server.Cancels);
        await AssertCallsAsync(channel, HedgeDelay.LeastSamples + 1);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_failures_of_both_copies_are_one_failure_with_the_strongest_verdict()
    {
        var (server, channel, _) = await CreateAsync();
        var (call, first, second) = await HedgeAsync(server, channel, Token);

        first.Fail(MuxStatus.Internal, MuxExecution.Executed);
        second.Fail(MuxStatus.Unimplemented, MuxExecution.NotExecuted);

        var error = await call.Within("the failure").FailsAsync(MuxStatus.Unimplemented, MuxExecution.Executed, MuxCallPhase.Dispatch);
        Assert.Equal([MuxStatus.Internal, MuxStatus.Unimplemented], error.Attempts.Select(attempt => attempt.Status));
        await AssertCallsAsync(channel, HedgeDelay.LeastSamples + 1);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_cancel_ends_both_copies()
    {
        var (server, channel, _) = await CreateAsync();
        using var cancellation = new CancellationTokenSource();
        var (call, first, second) = await HedgeAsync(server, channel, cancellation.Token);

        await cancellation.CancelAsync();

        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Within("the cancellation"));
        Assert.Equal(cancellation.Token, error.CancellationToken);
        await server.Cancelled.ReachAsync(2);
        first.Respond();
        second.Respond();
        await AssertCallsAsync(channel, HedgeDelay.LeastSamples + 1);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_is_not_idempotent_has_no_second_copy()
    {
        var (server, channel, _) = await CreateAsync();
        _answers = false;
        var call = channel.CreateProxy<IMixed>().Ask(new Question(), null, Token).AsTask();
        await server.Arrived.ReachAsync(HedgeDelay.LeastSamples + 1);

        _time.Advance(TimeSpan.FromSeconds(1));
        server.Requests[^1].Respond(8, 1);

        Assert.Equal(1, (await call.Within("the reply")).Id);
        Assert.Equal(HedgeDelay.LeastSamples + 1, server.Requests.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Without_a_budget_there_is_no_second_copy_and_the_first_one_goes_on()
    {
        var (server, channel, _) = await CreateAsync();
        _answers = false;
        var sut = channel.CreateProxy<IMixed>();
        long most = RetryBudget.Floor + 20;
        _answersCopies = true; // when they come: some may come after the reply to their first copy
        var calls = Enumerable.Range(0, 100).Select(i => sut.Ask(new Question { Id = i }, s_idempotent, Token).AsTask()).ToList();
        await server.Arrived.ReachAsync(HedgeDelay.LeastSamples + 100);

        _time.Advance(TimeSpan.FromMilliseconds(100));
        await Eventually.Holds(() => server.Requests.Count > HedgeDelay.LeastSamples + 100, "the copies");
        foreach (var request in server.Requests.Skip(HedgeDelay.LeastSamples).Where(request => !request.IsRetry)) request.Respond(8, 1);

        foreach (var call in calls) Assert.Equal(1, (await call.Within("the reply")).Id);
        Assert.InRange(server.Requests.Count(request => request.IsRetry), 1, most);
        await AssertCallsAsync(channel, HedgeDelay.LeastSamples + 100);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_second_copy_is_not_sent_before_a_whole_millisecond_is_over()
    {
        var (server, channel, _) = await CreateAsync();
        _answers = false;
        var call = channel.CreateProxy<IMixed>().Ask(new Question(), s_idempotent, Token).AsTask();
        await server.Arrived.ReachAsync(HedgeDelay.LeastSamples + 1);

        _time.Advance(TimeSpan.FromMicroseconds(900)); // timers count whole milliseconds
        Assert.Equal(0, CopiesOf(channel));
        _time.Advance(TimeSpan.FromMicroseconds(100));
        Assert.Equal(1, CopiesOf(channel));

        await server.Arrived.ReachAsync(HedgeDelay.LeastSamples + 2);
        server.Requests[^1].Respond(8, 2);
        Assert.Equal(2, (await call.Within("the reply")).Id);
        server.Requests[^2].Fail(MuxStatus.Cancelled, MuxExecution.Executed);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_has_failed_and_is_sent_again_later_has_no_second_copy()
    {
        var (server, channel, _) = await CreateAsync(attempts: 3);
        _answers = false;
        var call = channel.CreateProxy<IMixed>().Ask(new Question(), s_idempotent, Token).AsTask();
        await server.Arrived.ReachAsync(HedgeDelay.LeastSamples + 1);
        server.Requests[^1].Fail(MuxStatus.Unavailable, MuxExecution.NotExecuted, retryAfterMilliseconds: 5_000);
        await Eventually.Holds(() => channel.GetStatistics().CallsWaiting == 1, "the pause");

        _time.Advance(TimeSpan.FromMilliseconds(10));

        Assert.Equal(0, CopiesOf(channel));
        _answers = true;
        _time.Advance(TimeSpan.FromSeconds(7));
        Assert.Equal(0, (await call.Within("the reply")).Id);
        Assert.Equal(HedgeDelay.LeastSamples + 2, server.Requests.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_second_copy_has_the_deadline_and_the_metadata_of_the_first()
    {
        var (server, channel, _) = await CreateAsync();
        var options = new MuxCallOptions { Idempotent = true, Timeout = TimeSpan.FromSeconds(20), Priority = MuxCallPriority.High, Metadata = new MuxMetadata { ["who"] = "me" } };
        var (call, first, second) = await HedgeAsync(server, channel, Token, options);

        Assert.Equal(first.Options | RequestOptions.Retry, second.Options);
        Assert.Equal(first.Body, second.Body); // behind the metadata
        Assert.InRange(first.Body.Length, 10, 100);
        _time.Advance(TimeSpan.FromSeconds(20));

        await call.Within("the deadline").FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        foreach (var copy in (RawRequest[])[first, second]) copy.Respond();
        await AssertCallsAsync(channel, HedgeDelay.LeastSamples + 1);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_reply_that_cannot_be_decoded_fails_the_call_and_cancels_the_other_copy()
    {
        var (server, channel, _) = await CreateAsync();
        var (call, first, second) = await HedgeAsync(server, channel, Token);

        second.Respond(0xFF, 0xFF);

        Assert.Equal(MuxStatus.Internal, (await Assert.ThrowsAsync<MuxException>(() => call.Within("the failure"))).Status);
        await server.Cancelled.ReachAsync(1);
        first.Respond(8, 1);
        await AssertCallsAsync(channel, HedgeDelay.LeastSamples + 1);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_caller_gets_the_metadata_of_the_copy_that_decides()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        Signal goOn = new("the reply to the first copy"), started = new("the first copy");
        var shop = new Shop();
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IShop>(shop)), options => options.Resilience.Hedge = MuxHedge.P95).CreateProxy<IShop>();
        for (int i = 0; i < HedgeDelay.LeastSamples; i++) await sut.Ask([0], s_idempotent, Token);
        shop.OnAsk = async (question, _, _) =>
        {
            started.Set();
            await goOn.WaitAsync();
            return question;
        };
        MuxMetadata metadata = [];
        var call = sut.Ask([1], new MuxCallOptions { Idempotent = true, ResponseMetadata = metadata }, Token).AsTask();
        await started.WaitAsync();
        shop.OnAsk = (_, options, _) =>
        {
            options!.ResponseMetadata!.Add("copy", "second");
            return new([2]);
        };

        _time.Advance(TimeSpan.FromMilliseconds(1));

        Assert.Equal([2], await call.Within("the reply"));
        Assert.Equal("second", metadata["copy"]);
        goOn.Set();
    }

    private static long CopiesOf(MuxChannel channel) => channel.Ledger.Sum().AttemptsOf(Repeat.Hedge);

    /// <summary>A channel that knows how long its calls take: no time.</summary>
    private async Task<(RawServer Server, MuxChannel Channel, Scene Scene)> CreateAsync(int attempts = 1)
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Disposed]);
        var server = new RawServer(scene, request =>
        {
            if (_answers) request.Respond(8, 0);
            else if (_answersCopies && request.IsRetry) request.Respond(8, 1);
        });
        _servers.Add(server);
        var channel = scene.CreateChannel(server.Address, options => (options.Resilience.Hedge, options.Resilience.Attempts) = (MuxHedge.P95, attempts));
        for (int i = 0; i < HedgeDelay.LeastSamples; i++) await channel.CreateProxy<IMixed>().Ask(new Question { Id = i }, s_idempotent, Token); // each proxy adds to what is known
        return (server, channel, scene);
    }

    /// <summary>Makes a call that takes so long that its second copy is sent.</summary>
    private async Task<(Task<Answer> Call, RawRequest First, RawRequest Second)> HedgeAsync(
        RawServer server, MuxChannel channel, CancellationToken token, MuxCallOptions? options = null)
    {
        _answers = false;
        var call = channel.CreateProxy<IMixed>().Ask(new Question { Id = 9 }, options ?? s_idempotent, token).AsTask();
        await server.Arrived.ReachAsync(HedgeDelay.LeastSamples + 1);
        Assert.False(call.IsCompleted);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        await server.Arrived.ReachAsync(HedgeDelay.LeastSamples + 2);
        return (call, server.Requests[^2], server.Requests[^1]);
    }

    private static Task AssertCallsAsync(MuxChannel channel, long expected) =>
        Eventually.Holds(() => channel.GetStatistics() is { } statistics && (statistics.CallsStarted, statistics.CallsCompleted) == (expected, expected), () => $"{expected} calls; {channel.GetStatistics()}");
}
