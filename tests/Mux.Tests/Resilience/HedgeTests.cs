using Mux.Resilience;
using Mux.Sessions.Lifecycle;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Wire;

namespace Mux.Tests.Resilience;

/// <summary>Calls of which a second copy is sent while the first one takes long.</summary>
public sealed class HedgeTests : EndToEndTests, IDisposable
{
    private static readonly MuxCallOptions s_idempotent = new() { Idempotent = true };

    private readonly ManualTime _time = new();
    private readonly List<RawServer> _servers = [];
    private bool _answers = true;

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
        var calls = Enumerable.Range(0, 100).Select(i => sut.Ask(new Question { Id = i }, s_idempotent, Token).AsTask()).ToList();
        await server.Arrived.ReachAsync(HedgeDelay.LeastSamples + 100);

        _time.Advance(TimeSpan.FromMilliseconds(100));
        await Eventually.Holds(() => server.Requests.Count > HedgeDelay.LeastSamples + 100, "the copies");
        foreach (var request in server.Requests.Skip(HedgeDelay.LeastSamples).Where(request => !request.IsRetry)) request.Respond(8, 1);

        foreach (var call in calls) Assert.Equal(1, (await call.Within("the reply")).Id);
        foreach (var copy in server.Requests.Where(request => request.IsRetry)) copy.Respond();
        Assert.InRange(server.Requests.Count(request => request.IsRetry), 1, most);
        await AssertCallsAsync(channel, HedgeDelay.LeastSamples + 100);
    }

    /// <summary>A channel that knows how long its calls take: no time.</summary>
    private async Task<(RawServer Server, MuxChannel Channel, Scene Scene)> CreateAsync()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Disposed]);
        var server = new RawServer(scene, request =>
        {
            if (_answers) request.Respond(8, 0);
        });
        _servers.Add(server);
        var channel = scene.CreateChannel(server.Address, options => options.Resilience.Hedge = MuxHedge.P95);
        for (int i = 0; i < HedgeDelay.LeastSamples; i++) await channel.CreateProxy<IMixed>().Ask(new Question { Id = i }, s_idempotent, Token); // each proxy adds to what is known
        return (server, channel, scene);
    }

    /// <summary>Makes a call that takes so long that its second copy is sent.</summary>
    private async Task<(Task<Answer> Call, RawRequest First, RawRequest Second)> HedgeAsync(RawServer server, MuxChannel channel, CancellationToken token)
    {
        _answers = false;
        var call = channel.CreateProxy<IMixed>().Ask(new Question { Id = 9 }, s_idempotent, token).AsTask();
        await server.Arrived.ReachAsync(HedgeDelay.LeastSamples + 1);
        Assert.False(call.IsCompleted);
        _time.Advance(TimeSpan.FromMilliseconds(1));
        await server.Arrived.ReachAsync(HedgeDelay.LeastSamples + 2);
        return (call, server.Requests[^2], server.Requests[^1]);
    }

    private static Task AssertCallsAsync(MuxChannel channel, long expected) =>
        Eventually.Holds(() => channel.GetStatistics() is { } statistics && (statistics.CallsStarted, statistics.CallsCompleted) == (expected, expected), () => $"{expected} calls; {channel.GetStatistics()}");
}
