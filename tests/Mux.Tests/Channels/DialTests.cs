using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Channels;

/// <summary>When a channel dials, and which calls wait for it.</summary>
public sealed class DialTests : EndToEndTests
{
    private static readonly TimeSpan s_moment = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan s_handshake = TimeSpan.FromSeconds(10); // the default
    private static readonly TimeSpan s_firstPause = TimeSpan.FromMilliseconds(100); // at most

    public static TheoryData<TransportKind, int> EveryTransportWithOneAndFour()
    {
        var data = new TheoryData<TransportKind, int>();
        foreach (var kind in EveryTransport.Kinds)
        {
            data.Add(kind, 1);
            data.Add(kind, 4);
        }

        return data;
    }

    [Theory(Timeout = TestLimit), MemberData(nameof(EveryTransportWithOneAndFour))]
    public async Task A_thousand_cold_callers_make_one_dial_per_connection(TransportKind kind, int connections)
    {
        const int Threads = 4;
        const int Callers = 1000;
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.Disposed); // the others may have taken all calls before the handshake of a connection is done
        var desk = new GatedDesk();
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var sut = scene.CreateChannel(server, options => options.MinConnections = connections).CreateProxy<IDesk>();
        var together = new Signal("the start of the callers");
        var callers = Enumerable.Range(0, Threads).Select(thread => Task.Run(async () =>
        {
            await together.WaitAsync();
            await Task.WhenAll(Enumerable.Range(0, Callers / Threads).Select(i => sut.AskPlainly(new Question { Id = i }).AsTask()));
        })).ToArray();
        together.Set();
        await desk.Started.ReachAsync(Callers); // all are open: no connection was ever without calls
        for (int i = 0; i < Callers; i++) desk.AnswerOldest();
        await Task.WhenAll(callers).Within("all replies");
        Assert.Equal(connections, scene.Transport.Dialed.Count);
        Assert.Equal(connections, scene.Transport.Accepted.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_dial_that_fails_fails_the_calls_that_wait_for_it_and_later_ones_wait_for_the_next(TransportKind kind)
    {
        var time = new ManualTime();
        var scene = Begin(kind, time);
        scene.ExpectedEnds.Add(CloseReason.ConnectFailed);
        scene.DialsElsewhere = 1;
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        var channel = scene.CreateChannel(server, options => options.Transport = new PartlyUnansweredTransport(scene.Transport, (number, _) => number > 1));
        var sut = channel.CreateProxy<IDesk>();
        var first = Enumerable.Range(0, 10).Select(_ => sut.AskPlainly(new Question()).AsTask()).ToList();
        time.Advance(s_handshake - s_moment);
        Assert.DoesNotContain(first, call => call.IsCompleted);
        time.Advance(s_moment); // and no further: the pause begins now
        foreach (var call in first)
        {
            var error = await call.FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);
            Assert.Contains("The connection was not established within 10 s.", error.Message, StringComparison.Ordinal);
            Assert.Contains(server.Address.ToString(), error.Message, StringComparison.Ordinal);
        }

        await scene.Logs.ReachAsync("ClientConnectFailed");
        var second = Enumerable.Range(0, 10).Select(id => sut.AskPlainly(new Question { Id = id }).AsTask()).ToList();
        Assert.DoesNotContain(second, call => call.IsCompleted); // the pause
        Assert.Equal(10, channel.Ledger.Connections.Sum(connection => connection.Initiator.WaitingCount));
        time.Advance(s_firstPause + s_moment);
        for (int id = 0; id < second.Count; id++) Assert.Equal(id, (await second[id].Within($"the reply to call {id}")).Id);
        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task After_a_restart_of_the_server_the_next_call_succeeds(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        var sut = scene.CreateChannel(server, options => options.MinConnections = 2).CreateProxy<IDesk>();
        for (int round = 0; round < 5; round++)
        {
            Assert.Equal(round, (await sut.AskPlainly(new Question { Id = round }).AsTask().Within("the reply")).Id);
            await server.StopAsync(TestContext.Current.CancellationToken);
            await Eventually.Holds(() => scene.Channels[0].GetStatistics().OpenConnections == 0, "the end of the connections to the server that has stopped");
            server = scene.StartServer(server => server.AddService<IDesk>(new Desk()), options => options.Address = scene.Channels[0].Address.ToString());
        }

        Assert.Equal(7, (await sut.AskPlainly(new Question { Id = 7 }).AsTask().Within("the reply")).Id);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_client_that_is_there_before_its_server_finds_it_when_it_comes(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ConnectFailed);
        var address = scene.NobodysAddress();
        var sut = scene.CreateChannel(address, options => options.MaxReconnectDelay = TimeSpan.FromMilliseconds(50)).CreateProxy<IDesk>();
        for (int i = 0; i < 3; i++) await sut.AskPlainly(new Question()).FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);
        scene.StartServer(server => server.AddService<IDesk>(new Desk()), options => options.Address = address.ToString());
        Assert.Equal(7, (await sut.AskPlainly(new Question { Id = 7 }).AsTask().Within("the reply")).Id);
        Assert.InRange(scene.Transport.Dialed.Count, 4, 7); // one for each call, or two if the first had failed before the call was added to it
        Assert.Equal(scene.Transport.Dialed.Count - 1, scene.Logs.Of("ClientConnectFailed").Count);
    }
}
