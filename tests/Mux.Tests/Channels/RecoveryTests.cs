using Microsoft.Extensions.Logging;
using Mux.Client;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Transports;

namespace Mux.Tests.Channels;

/// <summary>How a channel with several connections finds a server that was away, and where its calls wait meanwhile.</summary>
public sealed class RecoveryTests : EndToEndTests
{
    private static readonly TimeSpan s_firstPause = TimeSpan.FromMilliseconds(100); // at most
    private static readonly TimeSpan s_longestPause = TimeSpan.FromSeconds(1); // the default
    private static readonly TimeSpan s_spread = TimeSpan.FromMilliseconds(70); // more than calls wait beside an open connection
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(5);

    private readonly ManualTime _time = new();

    [Fact(Timeout = TestLimit)]
    public async Task After_a_failed_dial_all_calls_wait_on_one_dial_however_many_connections_there_are()
    {
        const int Connections = 4;
        const int Calls = 10;
        var scene = BeginAway();
        var address = scene.NobodysAddress();
        var channel = scene.CreateChannel(address, options => options.MinConnections = Connections);
        var sut = channel.CreateProxy<IDesk>();
        await channel.ConnectAsync(TestContext.Current.CancellationToken).FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);
        Assert.Equal(Connections, scene.Transport.Dialed.Count); // nothing was known of the server

        for (int dials = Connections + 1; dials <= Connections + 3; dials++)
        {
            var calls = Ask(sut, Calls);
            AssertOneIsPausing(channel);
            _time.Advance(s_firstPause);
            await FailAsync(calls);
            Assert.Equal(dials, scene.Transport.Dialed.Count);
        }

        Start(scene, address);
        var last = Ask(sut, Calls);
        _time.Advance(s_firstPause);
        await AssertServedAsync(last);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_other_connections_follow_the_one_that_finds_the_server()
    {
        const int Connections = 16;
        var scene = BeginAway();
        var address = scene.NobodysAddress();
        var channel = scene.CreateChannel(address, options => options.MinConnections = Connections);
        await channel.ConnectAsync(TestContext.Current.CancellationToken).FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);
        Start(scene, address);

        var connecting = channel.ConnectAsync(TestContext.Current.CancellationToken);
        AssertOneIsPausing(channel);
        _time.Advance(s_firstPause);
        await connecting.Within("all connections");

        Assert.Equal(Connections, channel.GetStatistics().OpenConnections);
        Assert.Equal(2 * Connections, scene.Transport.Dialed.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Calls_that_wait_on_a_dial_without_an_answer_move_to_the_connection_that_opened()
    {
        var (scene, channel) = StartHalfAnswered(new Desk());
        var calls = Ask(channel.CreateProxy<IDesk>(), 2); // one on each
        await calls[1].Within("the reply on the connection that opened");
        _time.Advance(s_spread);
        await AssertServedAsync(calls);
        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Calls_that_wait_on_a_dial_that_fails_move_to_the_connection_that_is_open()
    {
        var (scene, channel) = StartHalfAnswered(new Desk(), options => options.HandshakeTimeout = TimeSpan.FromMilliseconds(20)); // less than the spread
        scene.ExpectedEnds.Add(CloseReason.ConnectFailed);
        var calls = Ask(channel.CreateProxy<IDesk>(), 2);
        await calls[1].Within("the reply on the connection that opened");
        _time.Advance(TimeSpan.FromMilliseconds(40));
        await AssertServedAsync(calls);
        Assert.NotEmpty(scene.Logs.Of("ClientConnectFailed"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_moved_can_be_cancelled()
    {
        var desk = new GatedDesk();
        var (_, channel) = StartHalfAnswered(desk);
        var sut = channel.CreateProxy<IDesk>();
        using var cancellation = new CancellationTokenSource();
        var moved = sut.Ask(new Question(), cancellation.Token).AsTask();
        var other = sut.AskPlainly(new Question()).AsTask();
        await desk.Started.ReachAsync(1);
        _time.Advance(s_spread);
        await desk.Started.ReachAsync(2);
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => moved.Within("the cancelled call"));
        desk.AnswerOldest();
        desk.AnswerOldest();
        await other.Within("the reply of the other call");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_accepts_and_closes_at_once_is_dialed_as_rarely_as_one_that_refuses()
    {
        const int Dials = 150;
        var scene = BeginAway();
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        byte[] hello = [.. Preface.Bytes, .. ScriptedPeer.Hello(new PeerSettings())];
        using var listener = scene.Transport.Listen(scene.FreeAddress(), link => link.Start(new SpeakingServer(link, hello, closes: true)));
        var channel = scene.CreateChannel(listener.Address);

        var elapsed = await RunDialsAsync(channel, Dials);

        Assert.Equal(Dials, scene.Transport.Dialed.Count);

        Assert.InRange(elapsed, TimeSpan.FromSeconds(20), TimeSpan.FromSeconds(150)); // with a pause of 100 ms each time it is 11 s
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_reply_makes_the_next_loss_a_first_one()
    {
        var scene = BeginAway();
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var address = scene.NobodysAddress();
        var channel = scene.CreateChannel(address);
        var sut = channel.CreateProxy<IDesk>();
        await RunDialsAsync(channel, 100); // a pause is longer than the first ones by now
        Start(scene, address);
        var call = sut.AskPlainly(new Question()).AsTask();
        _time.Advance(s_longestPause);
        await call.Within("the reply of the server that is back");

        foreach (var connection in scene.InMemory.Connections) connection.Reset();
        await scene.Logs.ReachAsync("ClientConnectionClosed");
        call = sut.AskPlainly(new Question()).AsTask();
        _time.Advance(s_firstPause);
        await call.Within("the reply after a first pause");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_is_away_makes_a_warning_at_once_and_then_one_a_minute_which_counts_the_others()
    {
        const int Dials = 220;
        var scene = BeginAway();
        var elapsed = await RunDialsAsync(scene.CreateChannel(scene.NobodysAddress()), Dials);

        var entries = scene.Logs.Of("ClientConnectFailed");
        var warnings = entries.Where(entry => entry.Level == LogLevel.Warning).ToList();
        Assert.Equal(Dials, entries.Count);
        Assert.Same(entries[0], warnings[0]);
        Assert.InRange(warnings.Count, 2, (int)elapsed.TotalMinutes + 1);
        Assert.All(entries.Except(warnings), entry => Assert.Equal(LogLevel.Debug, entry.Level));
        int others = entries.TakeWhile(entry => entry != warnings[1]).Count() - 1;
        Assert.DoesNotContain("Similar messages", warnings[0].Text, StringComparison.Ordinal);
        Assert.EndsWith($" Similar messages at level Debug since the last one: {others}.", warnings[1].Text, StringComparison.Ordinal);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Servers_that_are_lost_make_another_warning_each_once_calls_fail(int servers)
    {
        var (scene, channel) = await LoseAsync(servers, holdTime: TimeSpan.Zero);
        Assert.Equal(servers, scene.Logs.Of("ClientConnectionClosed").Count(IsWarning));
        Assert.DoesNotContain(scene.Logs.Of("ClientConnectFailed"), IsWarning); // no call has failed

        await FailUntilAsync(channel, () => scene.Logs.Of("ClientConnectFailed").Count(IsWarning) >= servers, "a warning of each server");
        int dials = scene.Logs.Of("ClientConnectFailed").Count;
        await FailUntilAsync(channel, () => scene.Logs.Of("ClientConnectFailed").Count >= dials + (4 * servers), "more failed dials, within the minute");

        Assert.Equal(servers, scene.Logs.Of("ClientConnectFailed").Count(IsWarning));
        Assert.Equal(servers, scene.Logs.Of("ClientConnectionClosed").Count(IsWarning));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_is_lost_while_its_calls_wait_makes_no_other_warning_than_that_of_the_loss()
    {
        var (scene, channel) = await LoseAsync(servers: 1, holdTime: TimeSpan.FromMinutes(1));
        var call = channel.CreateProxy<IDesk>().AskPlainly(new Question()).AsTask();
        await PassUntilAsync(() => scene.Logs.Of("ClientConnectFailed").Count >= 5, "failed dials");
        Assert.False(call.IsCompleted);
        Assert.DoesNotContain(scene.Logs.Of("ClientConnectFailed"), IsWarning);
        Assert.Single(scene.Logs.Of("ClientConnectionClosed"), IsWarning);
        await channel.DisposeAsync();
        await Assert.ThrowsAsync<MuxException>(() => call.Within("the end of the call"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_is_back_is_told_once_with_the_time_that_it_was_away_and_the_calls_that_failed()
    {
        var scene = BeginAway();
        var address = scene.NobodysAddress();
        var channel = scene.CreateChannel(address);
        const int Failed = 20;
        var elapsed = await RunDialsAsync(channel, Failed); // all but the first by a call
        Assert.Empty(scene.Logs.Of("ClientReachedAgain"));

        Start(scene, address);
        var call = channel.CreateProxy<IDesk>().AskPlainly(new Question()).AsTask();
        _time.Advance(s_longestPause);
        await call.Within("the reply of the server that is back");

        var told = Assert.Single(await scene.Logs.ReachAsync("ClientReachedAgain"));
        Assert.Equal((2019, LogLevel.Information), (told.Id, told.Level));
        Assert.Contains($" {address} is reached again after ", told.Text, StringComparison.Ordinal);
        Assert.Contains($"; {Failed - 1} calls of the channel failed meanwhile.", told.Text, StringComparison.Ordinal);
        Assert.True(elapsed > TimeSpan.Zero);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_drains_and_is_back_within_a_minute_makes_no_warning()
    {
        var scene = BeginAway();
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        var channel = scene.CreateChannel(server);
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        await server.StopAsync(TestContext.Current.CancellationToken).Within("the stop");
        await scene.Logs.ReachAsync("ClientDraining");
        var sut = channel.CreateProxy<IDesk>();
        for (int i = 0; i < 20; i++) await Assert.ThrowsAsync<MuxException>(() => PassAsync(sut.AskPlainly(new Question()).AsTask()));
        Start(scene, server.Address);
        await PassAsync(sut.AskPlainly(new Question()).AsTask());

        await scene.Logs.ReachAsync("ClientReachedAgain");
        Assert.DoesNotContain(
            scene.Logs.Entries, entry => entry.Level >= LogLevel.Warning && entry.Name?.StartsWith("Client", StringComparison.Ordinal) == true);
    }

    private static bool IsWarning(LogEntry entry) => entry.Level == LogLevel.Warning;

    /// <summary>A channel that has reached its servers; then they are killed.</summary>
    private async Task<(Scene Scene, MuxChannel Channel)> LoseAsync(int servers, TimeSpan holdTime)
    {
        var scene = BeginAway();
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Disposed]);
        byte[] hello = [.. Preface.Bytes, .. ScriptedPeer.Hello(new PeerSettings())];
        List<ITransportListener> listeners = [];
        for (int i = 0; i < servers; i++)
        {
            listeners.Add(scene.Transport.Listen(scene.FreeAddress(), link => link.Start(new SpeakingServer(link, hello, closes: false))));
        }

        var addresses = listeners.Select(static listener => listener.Address).ToArray();
        var channel = scene.CreateChannel(addresses[0], options =>
        {
            options.Resilience.HoldTime = holdTime;
            if (servers > 1) options.Endpoints = new FixedEndpoints("test://list", addresses);
        });
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        await Eventually.Holds(() => scene.Logs.Of("ClientConnectionOpened").Count >= servers, "a connection to each server");
        foreach (var listener in listeners) listener.Dispose();
        foreach (var connection in scene.InMemory.Connections) connection.Reset();
        await Eventually.Holds(() => scene.Logs.Of("ClientConnectionClosed").Count >= servers, "the loss of each connection");
        return (scene, channel);
    }

    /// <summary>Makes one call after the other, all of which fail.</summary>
    private async Task FailUntilAsync(MuxChannel channel, Func<bool> isSo, string what)
    {
        var desk = channel.CreateProxy<IDesk>();
        Task<Answer>? call = null;
        await PassUntilAsync(
            () =>
            {
                if (call is { IsCompleted: false }) return isSo();
                if (call is not null) Assert.IsType<MuxException>(call.Exception?.InnerException);
                call = desk.AskPlainly(new Question()).AsTask();
                return isSo();
            },
            what);
        await Assert.ThrowsAsync<MuxException>(() => PassAsync(call!));
    }

    /// <summary>Lets time pass until a call has ended.</summary>
    private async Task PassAsync(Task call)
    {
        await PassUntilAsync(() => call.IsCompleted, "the end of the call");
        await call;
    }

    private Task PassUntilAsync(Func<bool> isSo, string what) => Eventually.Holds(
        () =>
        {
            _time.Advance(s_step);
            return isSo();
        },
        what);

    private Scene BeginAway()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.Add(CloseReason.ConnectFailed);
        return scene;
    }

    /// <summary>A channel with two connections: the first dial is not answered, nor are those after the second.</summary>
    private (Scene Scene, MuxChannel Channel) StartHalfAnswered(IDesk desk, Action<MuxChannelOptions>? configure = null)
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.Add(CloseReason.Disposed);
        var server = scene.StartServer(server => server.AddService(desk));
        var transport = new PartlyUnansweredTransport(scene.Transport, (number, _) => number == 2);
        var channel = scene.CreateChannel(server, options =>
        {
            (options.MinConnections, options.Transport) = (2, transport);
            configure?.Invoke(options);
        });
        scene.DialsElsewhere = 1;
        return (scene, channel);
    }

    private static void Start(Scene scene, MuxAddress address) => scene.StartServer(server => server.AddService<IDesk>(new Desk()), options => options.Address = address.ToString());

    private static List<Task<Answer>> Ask(IDesk sut, int calls) => [.. Enumerable.Range(0, calls).Select(id => sut.AskPlainly(new Question { Id = id }).AsTask())];

    private static async Task FailAsync(List<Task<Answer>> calls)
    {
        foreach (var call in calls) await call.Within("the failure of a call").FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);
    }

    private static async Task AssertServedAsync(List<Task<Answer>> calls)
    {
        for (int id = 0; id < calls.Count; id++) Assert.Equal(id, (await calls[id].Within($"the reply to call {id}")).Id);
    }

    /// <summary>Makes one call after the other until the channel has dialed so often.</summary>
    /// <returns>How long it took by the clock of the test.</returns>
    private async Task<TimeSpan> RunDialsAsync(MuxChannel channel, int dials)
    {
        var sut = channel.CreateProxy<IDesk>();
        var elapsed = TimeSpan.Zero;
        // The first dial follows no pause: it may fail before the call that caused it waits for it, and then that call causes another one.
        await Record.ExceptionAsync(() => channel.ConnectAsync(TestContext.Current.CancellationToken));
        await Eventually.Holds(() => channel.Ledger.Connections.Length == 0, "the end of the first dial");
        for (int dial = 2; dial <= dials; dial++)
        {
            var call = sut.AskPlainly(new Question()).AsTask();
            for (; Array.Exists(channel.Ledger.Connections, IsPausing) && elapsed < TimeSpan.FromMinutes(10); elapsed += s_step) _time.Advance(s_step); // it dials on this thread
            await Assert.ThrowsAsync<MuxException>(() => call.Within($"the failure of dial {dial}"));
        }

        return elapsed;
    }

    /// <summary>Those that have failed are in the ledger until their links, which end on other threads, are released.</summary>
    private static void AssertOneIsPausing(MuxChannel channel) => Assert.True(Assert.Single(channel.Ledger.Connections, connection => connection.State != ConnectionState.Closed) is var connection && IsPausing(connection));

    /// <summary>Whether it is not started: then it has no time for its handshake.</summary>
    private static bool IsPausing(Connection connection) => connection is { State: ConnectionState.Connecting, NextDue: Clock.Never };
}
