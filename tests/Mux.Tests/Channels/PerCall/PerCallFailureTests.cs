using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Channels.PerCall;

/// <summary>What goes wrong on a connection for one call, and what its end leaves behind.</summary>
public sealed class PerCallFailureTests : EndToEndTests
{
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan s_linger = TimeSpan.FromSeconds(1); // for the peer's end, and once more for the end of its stream
    private static readonly TimeSpan s_drain = TimeSpan.FromSeconds(5); // the default

    private readonly ManualTime _time = new();

    [Fact(Timeout = TestLimit)]
    public async Task Deadlines_and_cancels_hold_during_the_dial()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.Add(CloseReason.Disposed);
        scene.DialsElsewhere = 2;
        var channel = Create(scene, scene.NobodysAddress(), options => (options.Transport, options.CallTimeout) = (new UnansweredTransport(), TimeSpan.FromSeconds(2)));
        using var cancellation = new CancellationTokenSource();
        var expiring = channel.CreateProxy<IDesk>().AskPlainly(new Question()).AsTask();
        var cancelled = channel.CreateProxy<IDesk>().Ask(new Question(), cancellation.Token).AsTask();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.Within("the cancelled call"));
        _time.Advance(TimeSpan.FromSeconds(2) - s_tick);
        Assert.False(expiring.IsCompleted);
        _time.Advance(2 * s_tick);
        await expiring.FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Connect);
        Assert.Equal(2, channel.GetEndpoints()[0].Connections); // the dials go on: the next calls get what they bring
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_dial_whose_call_was_cancelled_serves_the_next_call()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        using var stalling = new StallingTransport(scene.Transport);
        var channel = Create(scene, server.Address, options => (options.Transport, options.MaxConnections) = (stalling, 1));
        using var cancellation = new CancellationTokenSource();
        stalling.Stall();
        var cancelled = channel.CreateProxy<IDesk>().Ask(new Question(), cancellation.Token).AsTask();
        await scene.Transport.Dialed.ReachAsync(1);
        var next = channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 2 }).AsTask();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.Within("the cancelled call"));
        stalling.Resume();
        Assert.Equal(2, (await next.Within("the reply")).Id);
        Assert.Equal(1, scene.Transport.Dialed.Count);
        await Eventually.Holds(() => channel.Ledger.Connections.Length == 0, "the end of the connection");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Deadlines_and_cancels_hold_while_all_connections_are_in_use(TransportKind kind)
    {
        var answer = new Signal("the end of the handler");
        var scene = Begin(kind, _time);
        var desk = Desk.AnsweringAfter(answer);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var channel = Create(scene, server.Address, options => (options.MaxConnections, options.KeepAliveTime) = (1, Timeout.InfiniteTimeSpan));
        var sut = channel.CreateProxy<IDesk>();
        var first = sut.AskPlainly(new Question()).AsTask();
        await desk.Started.ReachAsync(1);
        using var cancellation = new CancellationTokenSource();
        var expiring = channel.CreateProxy<ITimed>().Wait(1, TestContext.Current.CancellationToken).AsTask(); // has 300 ms
        var cancelled = sut.Ask(new Question(), cancellation.Token).AsTask();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled.Within("the cancelled call"));
        _time.Advance(TimeSpan.FromSeconds(1));
        var error = await expiring.FailsAsync(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Queue);
        Assert.Contains("MaxConnections", error.Message, StringComparison.Ordinal);
        answer.Set();
        await first.Within("the reply");
        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Calls_that_wait_are_bounded_by_their_bytes()
    {
        const int Calls = 400;
        var answer = new Signal("the end of the handlers");
        var scene = Begin(TransportKind.InMemory);
        var desk = Desk.AnsweringAfter(answer);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var sut = Create(scene, server.Address, options => (options.MaxConnections, options.MaxQueuedBytes) = (1, 65_536)).CreateProxy<IDesk>();
        var first = sut.AskPlainly(new Question()).AsTask();
        await desk.Started.ReachAsync(1);
        var calls = Enumerable.Range(0, Calls).Select(_ => sut.AskPlainly(new Question()).AsTask()).ToList();
        var refused = calls.Where(call => call.IsCompleted).ToList();
        Assert.InRange(refused.Count, Calls - 256, Calls - 200); // 256 bytes and its request each
        foreach (var call in refused)
        {
            var error = await call.FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Queue);
            Assert.Contains("MaxQueuedBytes allows 65536", error.Message, StringComparison.Ordinal);
        }

        answer.Set();
        await Task.WhenAll(calls.Except(refused).Append(first)).Within("the replies to the others");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_connection_that_is_lost_under_its_call_harms_that_call_alone(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        using var server = new RawServer(scene, request =>
        {
            if (request.Number == 1) request.Lose();
            else request.Respond();
        });
        var sut = Create(scene, server.Address).CreateProxy<IDesk>();
        await sut.AskPlainly(new Question()).FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        await sut.AskPlainly(new Question()).AsTask().Within("the reply to the next call");
        Assert.Equal(2, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_server_that_leaves_the_connection_open_is_left_after_a_second_and_the_place_is_free(TransportKind kind)
    {
        var scene = Begin(kind, _time);
        using var server = new RawServer(scene, request => request.Respond());
        var channel = Create(scene, server.Address, options => options.MaxConnections = 1);
        var sut = channel.CreateProxy<IDesk>();
        await sut.AskPlainly(new Question()).AsTask().Within("the reply");
        var second = sut.AskPlainly(new Question()).AsTask();
        _time.Advance(s_linger - s_tick);
        Assert.False(second.IsCompleted);
        Assert.Equal(1, channel.GetStatistics().OpenConnections);
        _time.Advance(2 * s_tick);
        await Eventually.Holds(() => Step(channel.Ledger.Connections.Length == 0 || second.IsCompleted), "the end of the connection");
        await second.Within("the reply to the next call");
        await Eventually.Holds(() => Step(channel.Ledger.Connections.Length == 0), "the end of all connections");
        Assert.All(scene.Logs.Of("ClientConnectionClosed"), entry => Assert.Contains("The peer was asked to end the connection, and left it open.", entry.Text, StringComparison.Ordinal));
        Assert.Equal(2, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Disposal_waits_for_open_calls_and_for_those_that_wait_for_their_end(TransportKind kind)
    {
        const int Calls = 10;
        var answer = new Signal("the end of the handlers");
        var scene = Begin(kind, _time);
        var desk = Desk.AnsweringAfter(answer);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var channel = Create(scene, server.Address, options => options.MaxConnections = 2);
        var sut = channel.CreateProxy<IDesk>();
        var calls = Enumerable.Range(0, Calls).Select(id => sut.AskPlainly(new Question { Id = id }).AsTask()).ToList();
        await desk.Started.ReachAsync(2);
        var disposing = channel.DisposeAsync().AsTask();
        await sut.AskPlainly(new Question()).FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue);
        Assert.False(disposing.IsCompleted);
        answer.Set();
        for (int id = 0; id < Calls; id++) Assert.Equal(id, (await calls[id].Within($"the reply to call {id}")).Id);
        await disposing.Within("the disposal");
        Assert.Empty(channel.Ledger.Connections);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Disposal_waits_for_a_call_that_is_on_the_way_to_its_connection(TransportKind kind)
    {
        var scene = Begin(kind, _time);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        var channel = Create(scene, server.Address, options => options.MaxConnections = 1);
        var disposing = new TaskCompletionSource<Task>(TaskCreationOptions.RunContinuationsAsynchronously);
        scene.Logs.OnWritten = entry =>
        {
            if (entry.Name == "ClientConnectionOpened") disposing.TrySetResult(channel.DisposeAsync().AsTask()); // its call has left the line
        };
        var call = channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 1 }).AsTask();
        Assert.Equal(1, (await call.Within("the reply")).Id);
        await (await disposing.Task.Within("the connection")).Within("the disposal");
        Assert.Empty(channel.Ledger.Connections);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Disposal_fails_what_is_open_or_waits_when_its_time_is_over(TransportKind kind)
    {
        var answer = new Signal("the end of the handlers");
        var scene = Begin(kind, _time);
        var desk = Desk.AnsweringAfter(answer);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var channel = Create(scene, server.Address, options => options.MaxConnections = 1);
        var sut = channel.CreateProxy<IDesk>();
        var open = sut.AskPlainly(new Question()).AsTask();
        await desk.Started.ReachAsync(1);
        var waiting = sut.AskPlainly(new Question()).AsTask();
        var disposing = channel.DisposeAsync().AsTask();
        _time.Advance(s_drain - s_tick);
        Assert.False(open.IsCompleted || waiting.IsCompleted);
        _time.Advance(2 * s_tick);
        await waiting.FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue);
        await Eventually.Holds(() => Step(open.IsCompleted), "the end of the open call");
        await open.FailsAsync(MuxStatus.Unavailable, MuxExecution.MayHaveExecuted, MuxCallPhase.Wait);
        await disposing.Within("the disposal");
        answer.Set();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_channel_that_is_disposed_in_the_code_after_its_call_does_not_wait_for_itself(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        var channel = Create(scene, server.Address, options => options.Dispatch = MuxDispatchMode.Inline);
        await Task.Run(async () =>
        {
            await channel.CreateProxy<IDesk>().AskPlainly(new Question());
            channel.DisposeAsync().AsTask().GetAwaiter().GetResult();
        }, TestContext.Current.CancellationToken).Within("the disposal");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_channel_that_is_connecting_is_disposed_at_once_and_fails_what_waits()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.Add(CloseReason.Disposed);
        scene.DialsElsewhere = 2;
        var channel = Create(scene, scene.NobodysAddress(), options => options.Transport = new UnansweredTransport());
        var call = channel.CreateProxy<IDesk>().AskPlainly(new Question());
        var connecting = channel.ConnectAsync(TestContext.Current.CancellationToken);
        await channel.DisposeAsync().AsTask().Within("the disposal");
        await call.FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue);
        await connecting.FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Each_attempt_of_a_call_has_its_own_connection()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        using var server = new RawServer(scene, request =>
        {
            if (request.Number == 1) request.Fail(MuxStatus.Unavailable, MuxExecution.NotExecuted);
            else request.Respond();
        });
        var channel = Create(scene, server.Address, options => options.Resilience.Attempts = 3);
        var call = channel.CreateProxy<IDesk>().AskPlainly(new Question()).AsTask();
        await Eventually.Holds(() => Step(call.IsCompleted), "the reply to the second attempt");
        await call;
        Assert.Equal((2, 2), (server.Requests.Count, scene.Transport.Dialed.Count));
        await Eventually.Holds(() => Step(channel.Ledger.Connections.Length == 0), "the end of all connections");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_stops_answers_the_calls_that_it_has_and_later_ones_fail_unsent()
    {
        var answer = new Signal("the end of the handlers");
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedEnds.Add(CloseReason.ConnectFailed);
        var desk = Desk.AnsweringAfter(answer);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var sut = Create(scene, server.Address).CreateProxy<IDesk>();
        var calls = Enumerable.Range(0, 5).Select(id => sut.AskPlainly(new Question { Id = id }).AsTask()).ToList();
        await desk.Started.ReachAsync(5);
        var stopping = server.StopAsync(TestContext.Current.CancellationToken);
        await scene.Logs.ReachAsync("ClientDraining", 5);
        await sut.AskPlainly(new Question()).FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);
        answer.Set();
        for (int id = 0; id < calls.Count; id++) Assert.Equal(id, (await calls[id].Within($"the reply to call {id}")).Id);
        await stopping.Within("the end of the server");
    }

    private static MuxChannel Create(Scene scene, MuxAddress address, Action<MuxChannelOptions>? configure = null) => scene.CreateChannel(address, options =>
    {
        options.Lifetime = MuxConnectionLifetime.PerCall;
        configure?.Invoke(options);
    });

    private bool Step(bool isDone)
    {
        if (!isDone) _time.Advance(s_tick);
        return isDone;
    }
}
