using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Channels;

/// <summary>A server drains while another one has taken over its place: its clients notice nothing.</summary>
public sealed class RollingRestartTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task No_call_is_lost_over_20_restarts_under_load(TransportKind kind)
    {
        const int Rounds = 20;
        const int Callers = 32;
        const int CallsPerRound = 300;
        var scene = Begin(kind);
        var signpost = new Signpost(scene.Transport);
        var desk = new Desk { OnAsk = AnswerInTurnOrLater };
        var server = StartServer(scene, desk);
        signpost.Target = server.Address;
        var channel = scene.CreateChannel(server, options =>
        {
            options.MinConnections = 2;
            options.Transport = signpost;
        });
        var sut = channel.CreateProxy<IDesk>();
        bool over = false;
        var callers = Enumerable.Range(0, Callers).Select(caller => Task.Run(async () =>
        {
            for (int id = caller; !Volatile.Read(ref over); id += Callers) Assert.Equal(id, (await sut.AskPlainly(new Question { Id = id })).Id);
        })).ToArray();
        for (int round = 1; round <= Rounds; round++)
        {
            await Task.WhenAny(desk.Started.ReachAsync(round * CallsPerRound), Task.WhenAny(callers)); // a caller that has failed says why below
            await BothConnectionsTakeCalls(channel); // none is being dialed where nobody will listen
            var old = server;
            server = StartServer(scene, desk);
            signpost.Target = server.Address;
            await old.StopAsync(TestContext.Current.CancellationToken).Within("the end of the old server");
            Assert.Equal(0, old.GetStatistics().CallsActive);
        }

        await BothConnectionsTakeCalls(channel);
        Volatile.Write(ref over, true);
        await Task.WhenAll(callers).Within("the last replies");
        Assert.Equal(desk.Started.Count, channel.GetStatistics().CallsCompleted); // each ran once
        TestContext.Current.TestOutputHelper?.WriteLine($"{desk.Started.Count} calls, {scene.Transport.Dialed.Count} connections");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Calls_that_wait_where_a_server_drains_go_to_the_next_server(TransportKind kind)
    {
        const int Limit = 10;
        const int Calls = 100;
        var scene = Begin(kind);
        var signpost = new Signpost(scene.Transport);
        var (oldDesk, newDesk) = (new GatedDesk(), new GatedDesk());
        var old = scene.StartServer(server => server.AddService<IDesk>(oldDesk), options => (options.MaxCallsPerConnection, options.Dispatch) = (Limit, MuxDispatchMode.Inline));
        var sut = scene.CreateChannel(old, options => options.Transport = signpost).CreateProxy<IDesk>();
        var calls = Enumerable.Range(0, Calls).Select(id => sut.AskPlainly(new Question { Id = id }).AsTask()).ToList();
        await oldDesk.Started.ReachAsync(Limit);
        signpost.Target = StartServer(scene, newDesk).Address;
        var stopping = old.StopAsync(TestContext.Current.CancellationToken);
        await newDesk.Started.ReachAsync(Calls - Limit);
        Assert.False(stopping.IsCompleted); // the old server waits for what it has begun
        for (int i = 0; i < Limit; i++) oldDesk.AnswerOldest();
        await stopping.Within("the end of the old server");
        for (int i = Limit; i < Calls; i++) newDesk.AnswerOldest();
        for (int id = 0; id < Calls; id++) Assert.Equal(id, (await calls[id].Within($"the reply to call {id}")).Id);
        Assert.Equal(Enumerable.Range(0, Limit), InOrderOf(kind, oldDesk));
        Assert.Equal(Enumerable.Range(Limit, Calls - Limit), InOrderOf(kind, newDesk));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_withdrawn_call_can_still_be_cancelled(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.Disposed);
        scene.DialsElsewhere = 1;
        var first = new Signal("the end of the first call");
        var desk = Desk.AnsweringAfter(first);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.MaxCallsPerConnection = 1);
        var transport = new PartlyUnansweredTransport(scene.Transport, (number, _) => number == 1);
        var sut = scene.CreateChannel(server, options => (options.Transport, options.MaxConnections) = (transport, 1)).CreateProxy<IDesk>();
        using var cancellation = new CancellationTokenSource();
        var open = sut.AskPlainly(new Question()).AsTask();
        var waiting = sut.Ask(new Question(), cancellation.Token).AsTask();
        await desk.Started.ReachAsync(1);
        var stopping = server.StopAsync(TestContext.Current.CancellationToken);
        await transport.Unanswered.ReachAsync(1); // for the withdrawn call
        await cancellation.CancelAsync();
        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting.Within("the cancelled call"));
        Assert.Equal(cancellation.Token, error.CancellationToken);
        first.Set();
        await open.Within("the open call");
        await stopping.Within("the end of the server");
        Assert.Equal(1, desk.Started.Count);
    }

    /// <summary>Those that drain are open too, and take none.</summary>
    private static Task BothConnectionsTakeCalls(MuxChannel channel) =>
        Eventually.Holds(() => channel.Ledger.Connections.Count(connection => connection is { State: ConnectionState.Open, TakesCalls: true }) == 2, "two connections that take calls");

    /// <summary>Handlers of one connection start in order, but one that the machine suspends is overtaken, where the link can go on without its thread.</summary>
    private static IEnumerable<int> InOrderOf(TransportKind kind, GatedDesk desk) => kind == TransportKind.InMemory ? desk.Order : desk.Order.Order();

    private static MuxServer StartServer(Scene scene, IDesk desk) => scene.StartServer(server => server.AddService(desk), options => options.Dispatch = MuxDispatchMode.Inline);

    private static async ValueTask<Answer> AnswerInTurnOrLater(Question question, CancellationToken cancellationToken)
    {
        if (question.Id % 3 == 0) await Task.Yield();
        return new Answer { Id = question.Id };
    }
}
