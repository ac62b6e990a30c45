using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;

namespace Mux.Tests.EndToEnd;

/// <summary>A server that ends connections of a certain age does it in order: no call notices.</summary>
public sealed class ConnectionAgeTests : EndToEndTests
{
    private readonly ManualTime _time = new();

    [Fact(Timeout = TestLimit)]
    public async Task An_old_connection_is_drained_and_the_next_call_uses_a_new_one()
    {
        var (scene, proxy) = Start(new Desk());
        await proxy.AskPlainly(new Question { Id = 1 });
        _time.Advance(TimeSpan.FromSeconds(8.9));
        await proxy.AskPlainly(new Question { Id = 2 });
        Assert.Equal(1, scene.Transport.Dialed.Count);
        _time.Advance(TimeSpan.FromSeconds(2.2)); // 11.1 of 9 to 11
        await Eventually.Holds(() => scene.Channels[0].GetStatistics().OpenConnections == 0, "the end of the old connection");
        Assert.Equal(3, (await proxy.AskPlainly(new Question { Id = 3 })).Id);
        Assert.Equal(2, scene.Transport.Dialed.Count);
        Assert.Contains("MaxAge", Assert.Single(await scene.Logs.ReachAsync("ServerConnectionClosed")).Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_is_open_on_an_old_connection_finishes()
    {
        var answer = new Signal("the answer");
        var desk = Desk.AnsweringAfter(answer);
        var (scene, proxy) = Start(desk);
        var open = proxy.AskPlainly(new Question { Id = 1 }).AsTask();
        await desk.Started.ReachAsync(1);
        _time.Advance(TimeSpan.FromSeconds(11.1));
        await scene.Logs.ReachAsync("ClientDraining");
        var next = proxy.AskPlainly(new Question { Id = 2 }).AsTask();
        await Eventually.Holds(() => Pass() && desk.Started.Count == 2, "the next call, on a new connection: a pause of up to 0.1 s follows a connection without replies");
        Assert.Equal(2, scene.Transport.Dialed.Count);
        answer.Set();
        Assert.Equal((1, 2), ((await open.Within("the old call")).Id, (await next.Within("the new call")).Id));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Connections_that_were_opened_together_do_not_end_together()
    {
        const int Count = 40;
        var (scene, _) = Start(new Desk());
        MuxChannel[] channels = [.. Enumerable.Range(0, Count).Select(_ => scene.CreateChannel(scene.Channels[0].Address))];
        foreach (var channel in channels) await channel.ConnectAsync(TestContext.Current.CancellationToken);
        _time.Advance(TimeSpan.FromSeconds(9.9));
        await Eventually.Holds(() => Open() < Count, "the end of the connections that live for less than 9.9 of 9 to 11 s");
        Assert.InRange(Open(), 1, Count - 1);

        long Open() => channels.Sum(static channel => channel.GetStatistics().OpenConnections);
    }

    private bool Pass()
    {
        _time.Advance(TimeSpan.FromMilliseconds(10));
        return true;
    }

    private (Scene Scene, IDesk Proxy) Start(Desk desk)
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.Add(CloseReason.MaxAge);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.MaxConnectionAge = TimeSpan.FromSeconds(10));
        return (scene, scene.CreateChannel(server).CreateProxy<IDesk>());
    }
}
