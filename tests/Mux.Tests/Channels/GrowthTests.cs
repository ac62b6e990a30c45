using Microsoft.Extensions.Logging;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Tests.Routing;

namespace Mux.Tests.Channels;

/// <summary>Channels that open more connections when those they have are too few.</summary>
public sealed class GrowthTests : EndToEndTests
{
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(100);

    [Theory(Timeout = TestLimit), ClassData(typeof(EverySocketTransport))]
    public async Task A_thousand_cold_callers_make_one_dial_although_four_connections_are_allowed(TransportKind kind)
    {
        const int Callers = 1000;
        var scene = Begin(kind, new ManualTime()); // time that passes would let it look whether they are in each other's way
        var desk = new GatedDesk();
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var sut = scene.CreateChannel(server, options => options.MaxConnections = 4).CreateProxy<IDesk>();
        var together = new Signal("the start of the callers");
        var callers = Enumerable.Range(0, Callers).Select(i => Task.Run(async () =>
        {
            await together.WaitAsync();
            return await sut.AskPlainly(new Question { Id = i });
        })).ToArray();
        together.Set();
        await desk.Started.ReachAsync(Callers);
        Assert.Equal((1L, 1L), (scene.Transport.Dialed.Count, scene.Transport.Accepted.Count));
        for (int i = 0; i < Callers; i++) desk.AnswerOldest();
        await Task.WhenAll(callers).Within("all replies");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task At_the_limit_of_the_server_calls_get_as_many_connections_as_they_need(TransportKind kind)
    {
        const int Limit = 20, Calls = 90, Needed = 5;
        var scene = Begin(kind);
        var (channel, desk, calls) = Call(scene, Limit, Calls, options => options.MaxConnections = 8);
        await desk.Started.ReachAsync(Calls);

        Assert.Equal(Needed, scene.Transport.Dialed.Count);
        Assert.Equal(Needed, Assert.Single(channel.GetEndpoints()).Connections);
        Assert.Equal(Needed - 1, scene.Logs.Of("ClientConnectionAdded").Count);
        Assert.All(scene.Logs.Of("ClientConnectionAdded"), entry => Assert.Contains("of at most 8: CallLimit", entry.Text, StringComparison.Ordinal));
        for (int i = 0; i < Calls; i++) desk.AnswerOldest();
        await Task.WhenAll(calls).Within("all replies");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Calls_beyond_the_most_connections_wait_and_are_answered_later(TransportKind kind)
    {
        const int Limit = 10, Most = 3, Calls = 45;
        var scene = Begin(kind);
        var (channel, desk, calls) = Call(scene, Limit, Calls, options => options.MaxConnections = Most);
        await desk.Started.ReachAsync(Most * Limit);
        Assert.Equal(Calls - (Most * Limit), channel.GetStatistics().CallsWaiting);
        for (int i = 0; i < Calls; i++)
        {
            await desk.Started.ReachAsync(Math.Min(Calls, i + 1));
            desk.AnswerOldest();
        }

        await Task.WhenAll(calls).Within("all replies");
        Assert.Equal(Most * Limit, desk.MostAtATime);
        Assert.Equal(Most, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task The_number_of_connections_is_fixed_where_the_least_is_the_most(TransportKind kind)
    {
        const int Limit = 10, Calls = 25;
        var time = new ManualTime();
        var scene = Begin(kind, time);
        var (_, desk, calls) = Call(scene, Limit, Calls, options => (options.MinConnections, options.MaxConnections) = (1, 1));
        await desk.Started.ReachAsync(Limit);
        for (int i = 0; i < 10; i++) time.Advance(s_look);
        for (int i = 0; i < Calls; i++)
        {
            await desk.Started.ReachAsync(i + 1);
            desk.AnswerOldest();
        }

        await Task.WhenAll(calls).Within("all replies");
        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_connection_that_is_unneeded_for_a_minute_drains_and_no_call_notices(TransportKind kind)
    {
        const int Limit = 10, Calls = 15;
        var time = new ManualTime();
        var scene = Begin(kind, time);
        var (channel, desk, calls) = Call(scene, Limit, Calls, options => (options.MaxConnections, options.KeepAliveTime) = (2, Timeout.InfiniteTimeSpan));
        await desk.Started.ReachAsync(Limit);
        for (int i = 0; i < 3 && scene.Logs.Of("ClientConnectionAdded").Count == 0; i++) time.Advance(s_look);
        await desk.Started.ReachAsync(Calls);
        for (int i = 0; i < 3; i++) time.Advance(s_look); // it has proved itself
        for (int i = 0; i < Calls - 1; i++) desk.AnswerOldest();
        await Task.WhenAll(calls[..^1]).Within("all replies but one");
        for (int i = 0; i < 590; i++) time.Advance(s_look);
        Assert.Equal(2, channel.GetEndpoints()[0].Connections);
        for (int i = 0; i < 30 && channel.GetEndpoints()[0].Connections == 2; i++) time.Advance(s_look);
        Assert.Single(await scene.Logs.ReachAsync("ClientConnectionRemoved"));
        Assert.Equal(1, channel.GetEndpoints()[0].Connections);
        var late = channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 99 }).AsTask();
        await desk.Started.ReachAsync(Calls + 1);
        desk.AnswerOldest();
        desk.AnswerOldest();
        await Task.WhenAll([calls[^1], late]).Within("the calls on the connection that stays and on the one that drains");
        Assert.Equal(2, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_server_that_refuses_one_more_connection_keeps_the_others_and_their_calls(TransportKind kind)
    {
        const int Limit = 10, Calls = 15;
        var scene = Begin(kind);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectFailed, CloseReason.ConnectionLost, CloseReason.PeerError]);
        var (channel, desk, calls) = Call(scene, Limit, Calls, options => options.MaxConnections = 2, mostConnections: 1);
        await scene.Logs.ReachAsync("ClientConnectionRemoved");
        for (int i = 0; i < Calls; i++)
        {
            await desk.Started.ReachAsync(i + 1);
            desk.AnswerOldest();
        }

        await Task.WhenAll(calls).Within("all replies");
        Assert.Null(Assert.Single(channel.GetEndpoints()).Failure);
        Assert.DoesNotContain(scene.Logs.Of("ClientConnectFailed"), entry => entry.Level == LogLevel.Warning);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Servers_that_refuse_one_more_connection_again_and_again_are_not_left_out()
    {
        const int Limit = 10, Servers = 3, Calls = 60, Tries = 5;
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectFailed, CloseReason.ConnectionLost, CloseReason.PeerError, CloseReason.Disposed]);
        var desk = new GatedDesk();
        MuxServer[] servers = [.. Enumerable.Range(0, Servers).Select(_ => scene.StartServer(
            server => server.AddService<IDesk>(desk), options => (options.MaxCallsPerConnection, options.MaxConnections) = (Limit, 1)))];
        var source = new ScriptedSource();
        source.Report(servers);
        var channel = scene.CreateChannel(servers[0].Address, options =>
            (options.Endpoints, options.MaxConnections, options.KeepAliveTime) = (source, 2, Timeout.InfiniteTimeSpan));
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        await Eventually.Holds(() => channel.GetEndpoints().All(endpoint => endpoint.IsOpen), "three open endpoints");
        var sut = channel.CreateProxy<IDesk>();
        var calls = Enumerable.Range(0, Calls).Select(i => sut.AskPlainly(new Question { Id = i }).AsTask()).ToArray();
        await desk.Started.ReachAsync(Servers * Limit);
        await Eventually.Holds(
            () =>
            {
                time.Advance(s_look);
                return scene.Logs.Of("ClientConnectionRemoved").Count >= Servers * Tries;
            },
            "tries in vain");
        Assert.Empty(scene.Logs.Of("EndpointEjected"));
        Assert.All(channel.GetEndpoints(), endpoint => Assert.Equal((true, false, null), (endpoint.IsOpen, endpoint.IsEjected, endpoint.Failure)));
        Assert.DoesNotContain(scene.Logs.Of("ClientConnectFailed"), entry => entry.Level == LogLevel.Warning);
        for (int i = 0; i < Calls; i++)
        {
            await desk.Started.ReachAsync(i + 1);
            desk.AnswerOldest();
        }

        await Task.WhenAll(calls).Within("all replies");
    }

    [Fact(Timeout = TestLimit)]
    public async Task Calls_that_wait_on_a_connection_that_is_lost_are_sent_on_another_one()
    {
        const int Calls = 6;
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Disposed]);
        RawRequest? first = null;
        bool isLost = false;
        using var server = new RawServer(
            scene,
            request =>
            {
                if (isLost) request.Respond([]);
                else first ??= request;
            },
            new PeerSettings { MaxCalls = 1 });
        var channel = scene.CreateChannel(server.Address, options => (options.MinConnections, options.MaxConnections) = (2, 2));
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        var sut = channel.CreateProxy<IDesk>();
        Task<Answer>[] calls = [.. Enumerable.Range(0, Calls).Select(id => sut.AskPlainly(new Question { Id = id }).AsTask())];
        await server.Arrived.ReachAsync(2);

        var open = server.Requests; // before calls are sent again: those are answered when they come
        isLost = true;
        first!.Lose();
        foreach (var request in open) request.Respond([]);
        List<Exception?> failed = [];
        foreach (var call in calls) failed.Add(await Record.ExceptionAsync(() => call.Within("the end of a call")));
        var failure = Assert.IsType<MuxException>(Assert.Single(failed, error => error is not null));
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.MayHaveExecuted), (failure.Status, failure.Execution)); // the one that was sent
    }

    /// <summary>Makes calls to a server that answers none before it is told to.</summary>
    /// <param name="scene">Where it runs.</param>
    /// <param name="limit">Calls that it allows on each connection.</param>
    /// <param name="count">The calls.</param>
    /// <param name="configure">Sets the options of the channel.</param>
    /// <param name="mostConnections">Connections that it accepts; null for as many as there are.</param>
    private static (MuxChannel Channel, GatedDesk Desk, Task<Answer>[] Calls) Call(
        Scene scene, int limit, int count, Action<MuxChannelOptions> configure, int? mostConnections = null)
    {
        var desk = new GatedDesk();
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options =>
        {
            options.MaxCallsPerConnection = limit;
            options.MaxConnections = mostConnections ?? options.MaxConnections;
        });
        var channel = scene.CreateChannel(server, configure);
        var proxy = channel.CreateProxy<IDesk>();
        return (channel, desk, [.. Enumerable.Range(0, count).Select(i => proxy.AskPlainly(new Question { Id = i }).AsTask())]);
    }
}
