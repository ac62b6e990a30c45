using Mux.Client;
using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Resilience;

/// <summary>Calls that were not sent, while the only server restarts.</summary>
public sealed class HoldTimeTests : EndToEndTests
{
    private static readonly TimeSpan s_holdTime = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(10);

    private readonly ManualTime _time = new();
    private Scene? _scene;

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = TestLimit)]
    [InlineData(1)]
    [InlineData(3)]
    public async Task While_the_only_server_restarts_no_call_fails(int addresses)
    {
        var (channel, server) = await ConnectAsync(s_holdTime, addresses);
        var proxy = channel.CreateProxy<IDesk>();
        await server.StopAsync(Token).Within("the stop");
        List<Task<Answer>> calls = [];
        for (int i = 0; i < 100; i++)
        {
            calls.Add(proxy.AskPlainly(new Question { Id = i }).AsTask());
            _time.Advance(s_step);
        }

        Assert.DoesNotContain(calls, static call => call.IsCompleted);
        Start(server.Address);
        await Eventually.Holds(
            () =>
            {
                _time.Advance(s_step);
                return calls.TrueForAll(static call => call.IsCompleted);
            },
            () => $"100 answers; there are {calls.Count(static call => call.IsCompleted)}");
        for (int i = 0; i < calls.Count; i++) Assert.Equal(i, (await calls[i]).Id);
    }

    [Fact(Timeout = TestLimit)]
    public async Task When_the_time_is_over_calls_fail_and_later_ones_at_once_until_the_server_is_back()
    {
        var (channel, server) = await ConnectAsync(s_holdTime);
        var proxy = channel.CreateProxy<IDesk>();
        await server.StopAsync(Token).Within("the stop");
        var begun = _time.GetUtcNow();
        var held = proxy.AskPlainly(new Question()).AsTask();
        await EndAsync(held);
        var error = await Assert.ThrowsAsync<MuxException>(() => held);
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted), (error.Status, error.Execution));
        Assert.True(_time.GetUtcNow() - begun >= s_holdTime, $"It was held for {_time.GetUtcNow() - begun}.");

        begun = _time.GetUtcNow();
        var later = proxy.AskPlainly(new Question()).AsTask();
        await EndAsync(later);
        await Assert.ThrowsAsync<MuxException>(() => later);
        Assert.True(_time.GetUtcNow() - begun < s_holdTime, "It fails with the next attempt to connect.");

        Start(server.Address);
        var last = proxy.AskPlainly(new Question { Id = 7 }).AsTask();
        await EndAsync(last);
        Assert.Equal(7, (await last).Id);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_is_held_has_its_deadline_and_its_token_and_ends_with_the_channel()
    {
        var (channel, server) = await ConnectAsync(s_holdTime);
        var proxy = channel.CreateProxy<IDesk>();
        await server.StopAsync(Token).Within("the stop");
        using var cancellation = new CancellationTokenSource();
        var cancelled = proxy.Ask(new Question(), cancellation.Token).AsTask();
        Task<Answer> expiring;
        using (new MuxCallOptions { Timeout = TimeSpan.FromSeconds(1) }.Apply()) expiring = proxy.Ask(new Question(), Token).AsTask();
        var disposed = proxy.AskPlainly(new Question()).AsTask();
        await Eventually.Holds(
            () =>
            {
                _time.Advance(s_step);
                return channel.GetStatistics().CallsWaiting == 3 && _scene!.Logs.Of("ClientConnectFailed").Count > 0;
            },
            "three calls that wait");

        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.Within("the cancellation"));
        await EndAsync(expiring);
        Assert.Equal(MuxStatus.DeadlineExceeded, (await Assert.ThrowsAsync<MuxException>(() => expiring)).Status);
        Assert.False(disposed.IsCompleted);
        var end = channel.DisposeAsync().AsTask();
        Assert.Equal(MuxStatus.Unavailable, (await Assert.ThrowsAsync<MuxException>(() => disposed.Within("the end"))).Status);
        await end.Within("the disposal");
        var statistics = channel.GetStatistics();
        Assert.Equal((3, 3, 0), (statistics.CallsStarted, statistics.CallsCompleted, statistics.CallsWaiting));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_channel_that_has_never_reached_its_server_holds_nothing()
    {
        _scene = Begin(TransportKind.InMemory, _time);
        _scene.ExpectedEnds.UnionWith([CloseReason.ConnectFailed, CloseReason.Disposed]);
        var channel = _scene.CreateChannel(_scene.NobodysAddress(), static options => options.Resilience.HoldTime = s_holdTime);
        var call = channel.CreateProxy<IDesk>().AskPlainly(new Question()).AsTask();
        await EndAsync(call); // if the dial failed before the call was added to it, the call waits for the next one
        var error = await Assert.ThrowsAsync<MuxException>(() => call);
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted), (error.Status, error.Execution));
    }

    private async Task EndAsync(Task call) => await Eventually.Holds(
        () =>
        {
            _time.Advance(s_step);
            return call.IsCompleted;
        },
        "the end of the call");

    private void Start(MuxAddress address) =>
        _scene!.StartServer(static server => server.AddService<IDesk>(new Desk()), options => options.Address = address.ToString());

    /// <param name="holdTime">The option.</param>
    /// <param name="addresses">How many servers the channel knows, of which one is there.</param>
    private async Task<(MuxChannel Channel, MuxServer Server)> ConnectAsync(TimeSpan holdTime, int addresses = 1)
    {
        var scene = _scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectFailed, CloseReason.Disposed]);
        var server = scene.StartServer(static server => server.AddService<IDesk>(new Desk()));
        var channel = scene.CreateChannel(server.Address, options =>
        {
            options.Resilience.HoldTime = holdTime;
            if (addresses == 1) return;
            var others = Enumerable.Range(1, addresses - 1).Select(_ => scene.NobodysAddress());
            options.Endpoints = new FixedEndpoints("test://list", [server.Address, .. others]);
        });
        var connecting = channel.ConnectAsync(Token);
        await EndAsync(connecting); // a server whose first dial has failed already is dialed after a pause
        await connecting;
        return (channel, server);
    }
}
