using System.Diagnostics.Metrics;
using Mux.Engine;
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Channels;

/// <summary>The end of a channel, in whatever state it is.</summary>
public sealed class DisposalTests : EndToEndTests
{
    private static readonly TimeSpan s_drain = TimeSpan.FromSeconds(5); // the default
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(20);

    private readonly ManualTime _time = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Disposal_waits_for_open_calls(TransportKind kind)
    {
        var scene = Begin(kind, _time);
        var answer = new Signal("the end of the handlers");
        var (channel, calls) = await CallAsync(scene, answer);
        var disposing = channel.DisposeAsync().AsTask();
        _time.Advance(s_drain - s_tick);
        Assert.False(disposing.IsCompleted);
        answer.Set();
        for (int id = 0; id < calls.Count; id++) Assert.Equal(id, (await calls[id].Within($"the reply to call {id}")).Id);
        await disposing.Within("the disposal");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Disposal_fails_the_calls_that_are_open_when_its_time_is_over(TransportKind kind)
    {
        var scene = Begin(kind, _time);
        var answer = new Signal("the end of the handlers");
        var (channel, calls) = await CallAsync(scene, answer);
        var disposing = channel.DisposeAsync().AsTask();
        _time.Advance(s_drain - s_tick);
        Assert.DoesNotContain(calls, call => call.IsCompleted);
        _time.Advance(2 * s_tick);
        foreach (var call in calls) await call.FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        await disposing.Within("the disposal");
        answer.Set();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Disposal_lets_calls_go_out_that_wait_for_their_turn(TransportKind kind)
    {
        var scene = Begin(kind, _time);
        var answer = new Signal("the end of the handlers");
        var (channel, calls) = await CallAsync(scene, answer, maxCalls: 2, calls: 10);
        var disposing = channel.DisposeAsync().AsTask();
        answer.Set();
        for (int id = 0; id < calls.Count; id++) Assert.Equal(id, (await calls[id].Within($"the reply to call {id}")).Id);
        await disposing.Within("the disposal");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_disposed_channel_takes_no_calls(TransportKind kind)
    {
        var scene = Begin(kind, _time);
        var answer = new Signal("the end of the handlers");
        var (channel, calls) = await CallAsync(scene, answer);
        var disposing = channel.DisposeAsync().AsTask();
        var sut = channel.CreateProxy<IDesk>();
        await AssertRefusedAsync(sut); // while it waits for the open calls
        answer.Set();
        await Task.WhenAll(calls).Within("the replies");
        await disposing.Within("the disposal");
        await AssertRefusedAsync(sut);
        await channel.DisposeAsync().AsTask().Within("the second disposal");
        await AssertRefusedAsync(sut);
        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Disposals_at_the_same_time_all_wait_for_the_end(TransportKind kind)
    {
        var scene = Begin(kind, _time);
        var answer = new Signal("the end of the handlers");
        var (channel, calls) = await CallAsync(scene, answer);
        var disposals = Enumerable.Range(0, 4).Select(_ => Task.Run(() => channel.DisposeAsync().AsTask())).ToList();
        await Eventually.Holds(() => scene.Logs.Of("ClientConnectionClosed").Count == 0 && disposals.TrueForAll(disposal => !disposal.IsCompleted), "disposals that wait");
        answer.Set();
        await Task.WhenAll(calls).Within("the replies");
        await Task.WhenAll(disposals).Within("all disposals");
        Assert.Empty(channel.Ledger.Connections);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_channel_that_never_connected_is_disposed_at_once()
    {
        var scene = Begin(TransportKind.InMemory);
        var sut = scene.CreateChannel(scene.NobodysAddress());
        await sut.DisposeAsync().AsTask().Within("the disposal");
        await AssertRefusedAsync(sut.CreateProxy<IDesk>());
        Assert.Equal(0, scene.Transport.Dialed.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_channel_that_is_connecting_is_disposed_at_once_and_fails_what_waits()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.Add(CloseReason.Disposed);
        scene.DialsElsewhere = 1;
        var sut = scene.CreateChannel(scene.NobodysAddress(), options => options.Transport = new UnansweredTransport());
        var call = sut.CreateProxy<IDesk>().AskPlainly(new Question());
        await sut.DisposeAsync().AsTask().Within("the disposal");
        await call.FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_channel_that_waits_for_its_next_dial_is_disposed_at_once_and_fails_what_waits(TransportKind kind)
    {
        var scene = Begin(kind, _time);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectFailed, CloseReason.Disposed]);
        var sut = scene.CreateChannel(scene.NobodysAddress());
        // Not by a call: if the dial failed before the call was added to it, the call would wait for the next one.
        await sut.ConnectAsync(TestContext.Current.CancellationToken).FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);
        await scene.Logs.ReachAsync("ClientConnectFailed");
        var call = sut.CreateProxy<IDesk>().AskPlainly(new Question()).AsTask();
        Assert.False(call.IsCompleted);
        await sut.DisposeAsync().AsTask().Within("the disposal");
        await call.FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_channel_whose_server_drains_is_disposed_when_its_calls_are_answered(TransportKind kind)
    {
        var scene = Begin(kind, _time);
        var answer = new Signal("the end of the handlers");
        var desk = Desk.AnsweringAfter(answer);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var channel = scene.CreateChannel(server);
        var call = channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 7 }).AsTask();
        await desk.Started.ReachAsync(1);
        var stopping = server.StopAsync(TestContext.Current.CancellationToken);
        await scene.Logs.ReachAsync("ClientDraining");
        var disposing = channel.DisposeAsync().AsTask();
        Assert.False(disposing.IsCompleted);
        answer.Set();
        Assert.Equal(7, (await call.Within("the reply")).Id);
        await disposing.Within("the disposal");
        await stopping.Within("the end of the server");
    }

    private static async Task<(MuxChannel Channel, List<Task<Answer>> Calls)> CallAsync(Scene scene, Signal answer, int maxCalls = 100, int calls = 5)
    {
        var desk = Desk.AnsweringAfter(answer);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.MaxCallsPerConnection = maxCalls);
        var channel = scene.CreateChannel(server);
        var sut = channel.CreateProxy<IDesk>();
        var made = Enumerable.Range(0, calls).Select(id => sut.AskPlainly(new Question { Id = id }).AsTask()).ToList();
        await desk.Started.ReachAsync(Math.Min(calls, maxCalls));
        return (channel, made);
    }

    private static async Task AssertRefusedAsync(IDesk sut)
    {
        var error = await sut.AskPlainly(new Question()).FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue);
        Assert.Contains("The channel is disposed.", error.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public void A_channel_that_cannot_be_made_leaves_nothing_behind()
    {
        int before = AmbientCall.Users;
        var error = new NotSupportedException("no meters");
        Assert.Same(error, Assert.Throws<NotSupportedException>(() => MuxChannel.Create(new MuxChannelOptions { MeterFactory = new NoMeters(error) })));
        Assert.Equal(before, AmbientCall.Users);
    }

    private sealed class NoMeters(Exception error) : IMeterFactory
    {
        public Meter Create(MeterOptions options) => throw error;

        public void Dispose()
        {
        }
    }
}
