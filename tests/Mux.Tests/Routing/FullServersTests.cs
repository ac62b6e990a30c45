using Mux.Resilience;
using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Routing;

/// <summary>Small calls of a channel with two servers, while each of them has as many handlers as it may run.</summary>
public sealed class FullServersTests : EndToEndTests
{
    private const int Servers = 2;

    private readonly ScriptedSource _source = new();
    private readonly Signal _end = new("the end of the first handlers");

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_waits_until_a_server_has_a_place_again(TransportKind kind)
    {
        var scene = Begin(kind);
        var (sut, running) = await FillAsync(scene);

        var call = sut.AskPlainly(new Question { Id = 7 }).AsTask();
        await Eventually.Holds(() => RepeatsOf(scene) >= 3, "repeats at both servers");
        Assert.False(call.IsCompleted);
        _end.Set();

        Assert.Equal(7, (await call.Within("the call that has waited")).Id);
        await Task.WhenAll(running).Within("the first calls");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_hundred_calls_are_sent_again_no_more_often_than_the_budget_allows()
    {
        const int Calls = 100;
        var scene = Begin(TransportKind.Epoll);
        var (sut, running) = await FillAsync(scene);

        using var scope = new MuxCallOptions { Timeout = TimeSpan.FromSeconds(2) }.Apply();
        var calls = Enumerable.Range(0, Calls).Select(_ => sut.AskPlainly(new Question()).AsTask()).ToArray();
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

    private static long RepeatsOf(Scene scene) =>
        (long)scene.Meters.Read().Where(reading => reading.Instrument == "mux.client.attempts").Sum(reading => reading.Value);

    /// <summary>Makes calls until each server runs the one that it may.</summary>
    private async Task<(IDesk Proxy, Task[] Running)> FillAsync(Scene scene)
    {
        var desks = Enumerable.Range(0, Servers).Select(_ => Desk.AnsweringAfter(_end)).ToArray();
        var servers = desks.Select(desk => scene.StartServer(server => server.AddService<IDesk>(desk), options => options.Limits.MaxHandlers = 1));
        _source.Report([.. servers]);
        var channel = scene.CreateChannel(MuxAddress.Parse("mux://unused:1"), options => options.Endpoints = _source);
        await channel.ConnectAsync(Token);
        await channel.ChoosesAsync(Servers);
        var sut = channel.CreateProxy<IDesk>();
        List<Task> running = [];
        for (int number = 0; number < Servers; number++)
        {
            running.Add(sut.AskPlainly(new Question()).AsTask()); // one that is refused goes to the other server
            await Eventually.Holds(() => desks.Sum(desk => desk.Started.Count) == number + 1, $"handler {number + 1}");
        }

        return (sut, [.. running]);
    }
}
