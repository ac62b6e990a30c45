using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>A server that is told to stop serves for a while, and then tells its clients one after another.</summary>
public sealed class StopDelayTests : EndToEndTests
{
    private static readonly TimeSpan s_delay = TimeSpan.FromSeconds(5);

    private readonly ManualTime _time = new();

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_leaves_serves_also_who_connects_late()
    {
        var (scene, server) = Start();
        var early = scene.CreateChannel(server).CreateProxy<IDesk>();
        Assert.Equal(1, (await early.AskPlainly(new Question { Id = 1 })).Id);

        var stopping = server.StopAsync(TestContext.Current.CancellationToken);
        Assert.Equal(MuxServerState.Draining, server.State);
        var late = scene.CreateChannel(server).CreateProxy<IDesk>();
        Assert.Equal(2, (await late.AskPlainly(new Question { Id = 2 })).Id);
        _time.Advance(s_delay - TimeSpan.FromMilliseconds(1));
        Assert.Equal(3, (await early.AskPlainly(new Question { Id = 3 })).Id);
        Assert.Empty(scene.Logs.Of("ServerStopped"));

        _time.Advance(TimeSpan.FromMilliseconds(1));
        await stopping.Within("the stop of the server");
        Assert.Equal((1, 2), (scene.Logs.Of("ServerStopped").Count, scene.Logs.Of("ClientDraining").Count));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Who_cannot_wait_ends_the_delay_for_all()
    {
        var (_, server) = Start();
        var stopping = server.StopAsync(TestContext.Current.CancellationToken);
        using var patience = new CancellationTokenSource();
        var other = server.StopAsync(patience.Token);
        await patience.CancelAsync();
        await other.Within("the stop that was cancelled");
        await stopping.Within("the stop that was not");
        await Eventually.Holds(() => _time.ArmedTimers == 0, "no timer of the delay to be left");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_disposal_that_does_not_wait_ends_the_delay()
    {
        var (_, server) = Start();
        var stopping = server.StopAsync(TestContext.Current.CancellationToken);
        server.Dispose();
        await stopping.Within("the stop of the server");
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_delay_passes_once()
    {
        var (_, server) = Start();
        var waiting = server.AwaitStopDelayAsync(TestContext.Current.CancellationToken);
        Assert.False(waiting.IsCompleted);
        _time.Advance(s_delay);
        await waiting.Within("the delay");
        await server.StopAsync(TestContext.Current.CancellationToken).Within("the stop without another delay");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_stop_that_is_announced_changes_the_state_alone()
    {
        var (scene, server) = Start();
        server.AnnounceStop();
        Assert.Equal(MuxServerState.Draining, server.State);
        _time.Advance(s_delay * 2);
        Assert.Equal(1, (await scene.CreateChannel(server).CreateProxy<IDesk>().AskPlainly(new Question { Id = 1 })).Id);
        await server.AwaitStopDelayAsync(new CancellationToken(canceled: true));

        using var other = new MuxServer("mux://127.0.0.1:0");
        other.AnnounceStop();
        await other.AwaitStopDelayAsync(TestContext.Current.CancellationToken);
        Assert.Equal(MuxServerState.Created, other.State);
    }

    [Fact(Timeout = TestLimit)]
    public async Task More_than_ten_clients_learn_of_the_stop_one_after_another()
    {
        const int Connections = 25;
        var (scene, server) = Start(TimeSpan.Zero);
        for (int i = 0; i < Connections; i++) await scene.CreateChannel(server).ConnectAsync(TestContext.Current.CancellationToken);

        var stopping = server.StopAsync(TestContext.Current.CancellationToken);
        int timers = _time.ArmedTimers; // with that of the pause before the next wave
        foreach (int drained in (int[])[10, 20, Connections])
        {
            await scene.Logs.ReachAsync("ClientDraining", drained);
            Assert.Equal(drained, scene.Logs.Of("ClientDraining").Count);
            if (drained < Connections) await Eventually.Holds(() => _time.ArmedTimers >= timers, "the pause before the next wave");
            _time.Advance(TimeSpan.FromMilliseconds(10));
        }

        await stopping.Within("the stop of the server");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_stop_that_must_not_wait_tells_all_clients_at_once()
    {
        var (scene, server) = Start(TimeSpan.Zero);
        for (int i = 0; i < 25; i++) await scene.CreateChannel(server).ConnectAsync(TestContext.Current.CancellationToken);
        await server.StopAsync(new CancellationToken(canceled: true)).Within("the stop of the server");
        Assert.Equal(25, scene.Logs.Of("ClientDraining").Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_stop_that_waits_says_once_for_which_calls()
    {
        var answer = new Signal("the test lets the handlers answer");
        var desk = Desk.AnsweringAfter(answer);
        var (scene, server) = Start(TimeSpan.Zero, desk);
        var (first, second) = (scene.CreateChannel(server).CreateProxy<IDesk>(), scene.CreateChannel(server).CreateProxy<IDesk>());
        await first.Tell(new Question(), TestContext.Current.CancellationToken);
        var calls = new[] { first.AskPlainly(new Question()).AsTask(), second.AskPlainly(new Question()).AsTask(), second.Ask(new Question(), TestContext.Current.CancellationToken).AsTask() };
        await desk.Started.ReachAsync(4);

        var stopping = server.StopAsync(TestContext.Current.CancellationToken);
        _time.Advance(TimeSpan.FromMilliseconds(999));
        Assert.Empty(scene.Logs.Of("ServerStopWaits"));
        _time.Advance(TimeSpan.FromMilliseconds(1));
        _time.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal("The stop waits for 2 calls of test.Desk/AskPlainly and 1 of test.Desk/Ask, up to 20 s (DrainTimeout).", Assert.Single(scene.Logs.Of("ServerStopWaits")).Text);
        answer.Set();
        await Task.WhenAll(calls).Within("the replies");
        await stopping.Within("the stop of the server");
        Assert.Single(scene.Logs.Of("ServerStopWaits"));
        await Eventually.Holds(() => _time.ArmedTimers == 0, "no timer of the stop to be left");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_stop_that_waits_for_no_call_says_nothing()
    {
        var (scene, server) = Start(TimeSpan.Zero);
        Assert.Equal(1, (await scene.CreateChannel(server).CreateProxy<IDesk>().AskPlainly(new Question { Id = 1 })).Id);
        await server.StopAsync(TestContext.Current.CancellationToken).Within("the stop of the server");
        _time.Advance(TimeSpan.FromSeconds(2));
        Assert.Empty(scene.Logs.Of("ServerStopWaits"));
    }

    private (Scene Scene, MuxServer Server) Start(TimeSpan? delay = null, Desk? desk = null)
    {
        var scene = Begin(TransportKind.InMemory, _time);
        return (scene, scene.StartServer(server => server.AddService<IDesk>(desk ?? new Desk()), options => options.StopDelay = delay ?? s_delay));
    }
}
