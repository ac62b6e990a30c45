using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Routing;

/// <summary>A server tells its clients before it stops: they leave it at once, as far as they know another.</summary>
public sealed class LeavingServerTests : EndToEndTests
{
    private readonly ManualTime _time = new();
    private readonly ScriptedSource _source = new();
    private readonly List<MuxServer> _servers = [];

    [Fact(Timeout = TestLimit)]
    public async Task During_the_stop_delay_no_new_call_reaches_a_server_that_leaves_and_none_fails()
    {
        var scene = Start();
        Desk[] desks = [new(), new(), new()];
        MuxServer[] servers = [.. desks.Select(desk => StartServer(scene, desk))];
        _source.Report(servers);
        var (channel, proxy) = await ConnectAsync(scene, open: 3);
        using var end = new CancellationTokenSource();
        long[] answered = new long[20];
        var callers = Enumerable.Range(0, answered.Length).Select(caller => Task.Run(async () =>
        {
            while (!end.IsCancellationRequested)
            {
                await proxy.AskPlainly(new Question());
                Interlocked.Increment(ref answered[caller]);
            }
        })).ToArray();
        await Eventually.Holds(() => desks.All(desk => desk.Started.Count > 100), "calls at all servers");

        var stopping = servers[0].StopAsync(TestContext.Current.CancellationToken);
        await Eventually.Holds(() => IsLeaving(channel, servers[0]), "the client to know");
        await PassAsync(2); // the first of each caller may have been sent before
        long before = desks[0].Started.Count;
        await PassAsync(200);

        Assert.Equal(before, desks[0].Started.Count);
        Assert.True(channel.GetEndpoints().All(endpoint => endpoint.IsOpen));
        _time.Advance(TimeSpan.FromSeconds(5));
        await stopping.Within("the stop");
        await PassAsync(20);
        await end.CancelAsync();
        await Task.WhenAll(callers).Within("the callers, none of which may fail");
        await EndDelaysAsync();

        Task PassAsync(int calls)
        {
            long[] until = [.. answered.Select(count => count + calls)];
            return Eventually.Holds(() => until.Index().All(caller => Volatile.Read(ref answered[caller.Index]) >= caller.Item), $"{calls} answers for each caller");
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task Calls_that_wait_to_be_sent_move_to_another_server()
    {
        var scene = Start();
        var answer = new Signal("the answer of the server that leaves");
        Desk[] desks = [Desk.AnsweringAfter(answer), new()];
        MuxServer[] servers = [StartServer(scene, desks[0], maxCalls: 1), StartServer(scene, desks[1])];
        _source.Report(servers[0]);
        var (channel, proxy) = await ConnectAsync(scene, open: 1);
        var sent = proxy.AskPlainly(new Question { Id = 1 }).AsTask();
        await desks[0].Started.ReachAsync(1);
        Task<Answer>[] waiting = [.. Enumerable.Range(2, 5).Select(id => proxy.AskPlainly(new Question { Id = id }).AsTask())];
        await Eventually.Holds(() => channel.GetStatistics().CallsWaiting == 5, "five calls that wait");
        _source.Report(servers);
        await channel.ChoosesAsync(2);

        servers[0].AnnounceStop();

        foreach (var call in waiting) Assert.InRange((await call.Within("the answer of the other server")).Id, 2, 6);
        Assert.Equal((1, 5, false), (desks[0].Started.Count, desks[1].Started.Count, sent.IsCompleted));
        answer.Set();
        Assert.Equal(1, (await sent.Within("the call that was sent")).Id);
        await EndDelaysAsync();
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_only_server_serves_until_it_stops()
    {
        var scene = Start();
        var desk = new Desk();
        var server = StartServer(scene, desk);
        _source.Report(server);
        var (channel, proxy) = await ConnectAsync(scene, open: 1);

        server.AnnounceStop();
        await Eventually.Holds(() => IsLeaving(channel, server), "the client to know");

        for (int i = 0; i < 100; i++) Assert.Equal(i, (await proxy.AskPlainly(new Question { Id = i }).AsTask().Within("an answer")).Id);
        Assert.Equal(100, desk.Started.Count);
        await EndDelaysAsync();
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_that_connects_while_a_server_leaves_is_told_before_its_first_call()
    {
        var scene = Start();
        MuxServer[] servers = [StartServer(scene, new Desk()), StartServer(scene, new Desk())];
        servers[0].AnnounceStop();
        _source.Report(servers);

        var (channel, _) = await ConnectAsync(scene, open: 2);

        await Eventually.Holds(() => IsLeaving(channel, servers[0]), "the client to know");
        Assert.False(IsLeaving(channel, servers[1]));
        await EndDelaysAsync();
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_is_back_at_its_address_gets_calls_at_once()
    {
        var scene = Start();
        Desk[] desks = [new(), new()];
        MuxServer[] servers = [StartServer(scene, desks[0], delay: TimeSpan.Zero), StartServer(scene, desks[1])];
        _source.Report(servers);
        var (channel, proxy) = await ConnectAsync(scene, open: 2);
        await servers[0].StopAsync(TestContext.Current.CancellationToken).Within("the stop");
        var after = new Desk();
        await using var again = new MuxServer(new MuxServerOptions
        {
            Address = servers[0].Address.ToString(),
            Transport = scene.Transport,
            TimeProvider = _time,
            AllowPlaintext = true,
        }).AddService<IDesk>(after); // not of the scene, whose servers have an address each
        again.Start();
        while (!channel.GetEndpoints().All(endpoint => endpoint.IsOpen)) // pauses between dials
        {
            _time.Advance(TimeSpan.FromMilliseconds(100));
            await proxy.AskPlainly(new Question());
        }

        Assert.False(IsLeaving(channel, servers[0]));
        for (int i = 0; i < 100; i++) await proxy.AskPlainly(new Question());
        Assert.InRange(after.Started.Count, 1, 150);
        await EndDelaysAsync();
    }

    private static bool IsLeaving(MuxChannel channel, MuxServer server) => channel.GetEndpoints().Single(known => known.Endpoint.Address == server.Address).IsLeaving;

    private MuxServer StartServer(Scene scene, Desk desk, int? maxCalls = null, TimeSpan? delay = null)
    {
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options =>
        {
            options.StopDelay = delay ?? TimeSpan.FromSeconds(5);
            if (maxCalls is { } most) options.MaxCallsPerConnection = most;
        });
        _servers.Add(server);
        return server;
    }

    /// <summary>No more time passes for the servers.</summary>
    private Task EndDelaysAsync() => Task.WhenAll(_servers.Select(server => server.AwaitStopDelayAsync(new CancellationToken(canceled: true))));

    private Scene Start()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectFailed, CloseReason.Disposed]); // a server that has stopped is dialed again
        return scene;
    }

    private async Task<(MuxChannel Channel, IDesk Proxy)> ConnectAsync(Scene scene, int open)
    {
        var channel = scene.CreateChannel(MuxAddress.Parse("mux://unused:1"), options => options.Endpoints = _source);
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        await Eventually.Holds(() => channel.GetEndpoints().Count(endpoint => endpoint.IsOpen) == open, $"{open} open endpoints");
        return (channel, channel.CreateProxy<IDesk>());
    }
}
