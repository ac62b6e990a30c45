using Mux.Calls;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Routing;

/// <summary>Small calls of a channel with two servers, while each of them has as many handlers as it may run.</summary>
public sealed class FullServersTests : EndToEndTests
{
    private const int Servers = 2;

    private static readonly TimeSpan s_timeout = TimeSpan.FromSeconds(8);

    private readonly ManualTime _time = new();
    private readonly ScriptedSource _source = new();
    private readonly Signal _end = new("the end of the first handlers");

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_waits_until_a_server_has_a_place_again(TransportKind kind)
    {
        var scene = Begin(kind, _time);
        var (sut, running) = await FillAsync(scene);

        using var scope = new MuxCallOptions { Timeout = s_timeout }.Apply();
        var call = sut.AskPlainly(new Question { Id = 7 }).AsTask();
        await Eventually.Holds(() => Step(RepeatsOf(scene) >= 2), "repeats at both servers, each at half of the time");
        Assert.False(call.IsCompleted);
        _end.Set();

        await Eventually.Holds(() => Step(call.IsCompleted), "the call that has waited");
        Assert.Equal(7, (await call).Id);
        await Task.WhenAll(running).Within("the first calls");
    }

    [Fact(Timeout = TestLimit)]
    public async Task Calls_that_wait_at_a_full_server_go_to_another_one_at_half_of_their_time_and_the_full_one_is_not_ejected()
    {
        const int Calls = 16; // what the budget allows
        var scene = Begin(TransportKind.Tcp, _time);
        var full = Desk.AnsweringAfter(_end);
        var servers = new[] { Start(scene, full), scene.StartServer(server => server.AddService<IDesk>(new Desk())) };
        _source.Report(servers);
        var channel = scene.CreateChannel(MuxAddress.Parse("mux://unused:1"), options =>
        {
            options.Endpoints = _source;
            options.Balancing.Policy = MuxBalancingPolicy.RoundRobin;
        });
        await channel.ConnectAsync(Token);
        await channel.ChoosesAsync(Servers);
        var sut = channel.CreateProxy<IDesk>();
        var running = Enumerable.Range(0, Servers).Select(_ => sut.AskPlainly(new Question()).AsTask()).ToArray();
        await full.Started.ReachAsync(1);

        using var scope = new MuxCallOptions { Timeout = s_timeout }.Apply();
        var calls = Enumerable.Range(0, Calls).Select(id => sut.AskPlainly(new Question { Id = id }).AsTask()).ToArray();
        await Eventually.Holds(() => servers[0].GetStatistics().CallsParked == Calls / Servers, "calls that wait");
        await Eventually.Holds(() => Step(calls.All(static call => call.IsCompleted)), "all calls");

        Assert.Equal(Enumerable.Range(0, Calls), (await Task.WhenAll(calls)).Select(static answer => answer.Id));
        Assert.Equal((1, Calls / Servers), (full.Started.Count, RepeatsOf(scene)));
        Assert.Empty(scene.Logs.Of("EndpointEjected"));
        Assert.All(channel.GetEndpoints(), static endpoint => Assert.False(endpoint.IsEjected));
        _end.Set();
        await Task.WhenAll(running).Within("the first calls");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_hundred_calls_are_sent_again_no_more_often_than_the_budget_allows()
    {
        const int Calls = 100;
        var scene = Begin(TransportKind.Epoll, _time);
        var (sut, running) = await FillAsync(scene);

        using var scope = new MuxCallOptions { Timeout = s_timeout }.Apply();
        var calls = Enumerable.Range(0, Calls).Select(_ => sut.AskPlainly(new Question()).AsTask()).ToArray();
        await Eventually.Holds(() => Step(calls.All(static call => call.IsCompleted)), "all calls");
        foreach (var call in calls)
        {
            var error = await Assert.ThrowsAsync<MuxException>(() => call.Within("the refusal of a call"));
            Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), (error.Status, error.Execution));
        }

        long most = RetryBudget.Floor + (long)((Calls + Servers) * RetryBudget.Share);
        Assert.InRange(RepeatsOf(scene), 1, most);
        _end.Set();
        await Task.WhenAll(running).Within("the first calls");
    }

    private bool Step(bool isDone)
    {
        if (!isDone) _time.Advance(TimeSpan.FromMilliseconds(10));
        return isDone;
    }

    private static MuxServer Start(Scene scene, Desk desk) =>
        scene.StartServer(server => server.AddService<IDesk>(desk), options => options.Limits.MaxHandlers = 1);

    private static long RepeatsOf(Scene scene) =>
        (long)scene.Meters.Read().Where(reading => reading.Instrument == "mux.client.attempts").Sum(reading => reading.Value);

    /// <summary>Makes calls until each server runs the one that it may.</summary>
    private async Task<(IDesk Proxy, Task[] Running)> FillAsync(Scene scene)
    {
        var desks = Enumerable.Range(0, Servers).Select(_ => Desk.AnsweringAfter(_end)).ToArray();
        _source.Report([.. desks.Select(desk => Start(scene, desk))]);
        var channel = scene.CreateChannel(MuxAddress.Parse("mux://unused:1"), options =>
        {
            options.Endpoints = _source;
            // Another policy may send the second call after the first one, which holds its place until the test ends it.
            options.Balancing.Policy = MuxBalancingPolicy.RoundRobin;
        });
        await channel.ConnectAsync(Token);
        await channel.ChoosesAsync(Servers);
        var sut = channel.CreateProxy<IDesk>();
        List<Task> running = [];
        for (int number = 0; number < Servers; number++)
        {
            running.Add(sut.AskPlainly(new Question()).AsTask());
            await Eventually.Holds(() => desks.Sum(desk => desk.Started.Count) == number + 1, $"handler {number + 1}");
        }

        return (sut, [.. running]);
    }
}
