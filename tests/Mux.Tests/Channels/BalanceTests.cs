using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Transports.InMemory;

namespace Mux.Tests.Channels;

/// <summary>Which of its connections a channel gives a call to.</summary>
public sealed class BalanceTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Calls_go_to_the_connection_with_the_fewest_open_calls(TransportKind kind)
    {
        const int Calls = 400;
        var scene = Begin(kind);
        var desk = new GatedDesk();
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var channel = scene.CreateChannel(server, options => options.MinConnections = 4);
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        var sut = channel.CreateProxy<IDesk>();
        var calls = Enumerable.Range(0, Calls).Select(_ => sut.AskPlainly(new Question()).AsTask()).ToList();
        Assert.All(channel.Ledger.Connections, connection => Assert.Equal(Calls / 4, connection.Initiator.Load));
        await desk.Started.ReachAsync(Calls);

        // Wherever those that end were, the next ones even it out.
        for (int i = 0; i < Calls / 2; i++) desk.AnswerOldest();
        await Eventually.Holds(() => channel.Ledger.Connections.Sum(connection => connection.Initiator.Load) == Calls / 2, "the replies to half of the calls");
        calls.AddRange(Enumerable.Range(0, Calls / 2).Select(_ => sut.AskPlainly(new Question()).AsTask()));
        Assert.All(channel.Ledger.Connections, connection => Assert.Equal(Calls / 4, connection.Initiator.Load));
        await desk.Started.ReachAsync(Calls + (Calls / 2));
        for (int i = 0; i < Calls; i++) desk.AnswerOldest();
        await Task.WhenAll(calls).Within("all replies");
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_share_of_a_connection_that_has_stalled_goes_to_the_others()
    {
        const int Calls = 500;
        var (scene, channel, sut) = await StartAsync(new Desk());
        var stalled = scene.InMemory.Connections[0];
        stalled.Hold(InMemoryDirection.ToDialer);
        var pair = new[] { sut.AskPlainly(new Question()).AsTask(), sut.AskPlainly(new Question()).AsTask() }; // one on each
        await Task.WhenAny(pair).Within("the reply on the connection that works");
        for (int id = 0; id < Calls; id++) Assert.Equal(id, (await sut.AskPlainly(new Question { Id = id }).AsTask().Within($"the reply to call {id}")).Id);
        Assert.Equal(1, channel.GetStatistics().CallsActive);
        stalled.Release(InMemoryDirection.ToDialer);
        await Task.WhenAll(pair).Within("the replies of both connections");
    }

    [Fact(Timeout = TestLimit)]
    public async Task Connections_that_open_late_get_their_share_of_loops_whose_next_call_stays_where_the_last_reply_came()
    {
        const int Loops = 40, Connections = 4, Answers = 10 * Loops;
        var desk = new GatedDesk();
        var scene = Begin(TransportKind.InMemory);
        var channel = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(desk)), options => options.MinConnections = Connections);
        var sut = channel.CreateProxy<IDesk>();
        bool isOver = false;
        var loops = Enumerable.Range(0, Loops).Select(_ => LoopAsync()).ToList(); // while the first connection is dialed
        await desk.Started.ReachAsync(Loops);
        await Eventually.Holds(() => channel.GetStatistics().OpenConnections == Connections, "all connections");

        for (int answer = 1; answer <= Answers; answer++)
        {
            desk.AnswerOldest();
            await desk.Started.ReachAsync(Loops + answer);
        }

        Assert.All(channel.Ledger.Connections, connection => Assert.InRange(connection.Initiator.Load, (Loops / Connections) - 1, (Loops / Connections) + 1));
        Volatile.Write(ref isOver, true);
        for (int i = 0; i < Loops; i++) desk.AnswerOldest();
        await Task.WhenAll(loops).Within("the end of the loops");

        async Task LoopAsync()
        {
            while (!Volatile.Read(ref isOver)) await sut.AskPlainly(new Question());
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_connection_that_is_lost_leaves_the_calls_of_the_others_alone()
    {
        const int Calls = 100;
        var desk = new GatedDesk();
        var (scene, _, sut) = await StartAsync(desk);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var calls = Enumerable.Range(0, Calls).Select(id => sut.AskPlainly(new Question { Id = id }).AsTask()).ToList();
        await desk.Started.ReachAsync(Calls);
        scene.InMemory.Connections[0].Reset();
        await Eventually.Holds(() => calls.Count(call => call.IsFaulted) == Calls / 2, "the failures of the calls of the lost connection");
        for (int i = 0; i < Calls; i++) desk.AnswerOldest();
        foreach (var call in calls.Where(call => call.IsFaulted)) await call.FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        for (int id = 0; id < Calls; id++)
        {
            if (!calls[id].IsFaulted) Assert.Equal(id, (await calls[id].Within($"the reply to call {id}")).Id);
        }

        Assert.Equal(Calls / 2, calls.Count(call => call.IsCompletedSuccessfully));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_lost_connection_is_dialed_again_while_the_others_carry_the_calls()
    {
        var desk = new GatedDesk();
        var (scene, channel, sut) = await StartAsync(desk);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        scene.InMemory.Connections[0].Reset();
        await scene.Logs.ReachAsync("ClientConnectionClosed"); // its place is empty then: a call before that would not see that one is missing
        var calls = Enumerable.Range(0, 10).Select(_ => sut.AskPlainly(new Question()).AsTask()).ToList();
        await desk.Started.ReachAsync(10); // on the connection that is left, without waiting for the other
        await Eventually.Holds(() => channel.GetStatistics().OpenConnections == 2, "both connections");
        for (int i = 0; i < 10; i++) desk.AnswerOldest();
        await Task.WhenAll(calls).Within("all replies");
        Assert.Equal(3, scene.Transport.Dialed.Count);
    }

    private async Task<(Scene Scene, MuxChannel Channel, IDesk Proxy)> StartAsync(IDesk desk)
    {
        var scene = Begin(TransportKind.InMemory);
        var channel = scene.CreateChannel(scene.StartServer(server => server.AddService(desk)), options => options.MinConnections = 2);
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        return (scene, channel, channel.CreateProxy<IDesk>());
    }
}
