using Mux.Discovery;
using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Routing;

/// <summary>A channel of several servers: where its calls go, and what becomes of them when servers come and go.</summary>
public sealed class RouterTests : EndToEndTests
{
    private readonly ScriptedSource _source = new();

    [Fact(Timeout = TestLimit)]
    public async Task Calls_are_spread_over_all_servers()
    {
        var scene = Begin(TransportKind.InMemory, new ManualTime()); // time that passes would make a server slow whose thread has to wait
        var (desks, servers) = StartDesks(scene, 3);
        _source.Report(servers);
        var channel = await ConnectAsync(scene);
        await channel.ChoosesAsync(3);

        var proxy = channel.CreateProxy<IDesk>();
        for (int i = 0; i < 300; i++) Assert.Equal(i, (await proxy.AskPlainly(new Question { Id = i })).Id);
        Assert.All(desks, desk => Assert.InRange(desk.Started.Count, 50, 200));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EverySocketTransport))]
    public async Task A_list_of_addresses_is_enough(TransportKind kind)
    {
        var scene = Begin(kind, new ManualTime());
        var (desks, servers) = StartDesks(scene, 2);
        Assert.SkipWhen(servers[0].Address.Scheme is not (MuxAddress.TcpScheme or MuxAddress.TlsScheme), "A list is for TCP and TLS.");
        var list = $"{servers[0].Address},{servers[1].Address.Host}:{servers[1].Address.Port}";
        await using var channel = scene.CreateChannel(servers[0].Address, options => options.Address = list);
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        await channel.ChoosesAsync(2);
        var proxy = channel.CreateProxy<IDesk>();
        for (int i = 0; i < 100; i++) await proxy.AskPlainly(new Question { Id = i });
        Assert.All(desks, desk => Assert.InRange(desk.Started.Count, 1, 99));
        Assert.Contains("GetEndpoints", Assert.Throws<InvalidOperationException>(() => channel.Address).Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_that_is_made_before_the_first_set_waits_for_it()
    {
        var scene = Begin(TransportKind.InMemory);
        var (_, servers) = StartDesks(scene, 1);
        var call = CreateChannel(scene).CreateProxy<IDesk>().AskPlainly(new Question { Id = 7 }).AsTask();
        await _source.Watches.ReachAsync(1);
        Assert.False(call.IsCompleted);
        _source.Report(servers);
        Assert.Equal(7, (await call.Within("the answer")).Id);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_without_any_server_fails_and_says_so()
    {
        var scene = Begin(TransportKind.InMemory);
        var proxy = CreateChannel(scene).CreateProxy<IDesk>();
        var early = proxy.AskPlainly(new Question()).AsTask();
        _source.Report(Array.Empty<MuxServer>());
        var error = await Assert.ThrowsAsync<MuxException>(() => early.Within("the failure"));
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted), (error.Status, error.Execution));
        Assert.Contains("test://desks has no endpoints at present.", error.Message, StringComparison.Ordinal);
        error = await Assert.ThrowsAsync<MuxException>(() => proxy.AskPlainly(new Question()).AsTask());
        Assert.Equal("test://desks", error.Endpoint);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_source_that_fails_at_first_fails_the_calls_with_its_reason()
    {
        var scene = Begin(TransportKind.InMemory);
        var channel = CreateChannel(scene);
        var call = channel.CreateProxy<IDesk>().AskPlainly(new Question()).AsTask();
        _source.Fail("The name is not known.");
        var error = await Assert.ThrowsAsync<MuxException>(() => call.Within("the failure"));
        Assert.Contains("The endpoints of test://desks are not known: The name is not known.", error.Message, StringComparison.Ordinal);
        error = await Assert.ThrowsAsync<MuxException>(() => channel.ConnectAsync(TestContext.Current.CancellationToken));
        Assert.Contains("The name is not known.", error.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_channel_whose_source_failed_first_connects_once_the_source_has_reported()
    {
        var scene = Begin(TransportKind.InMemory);
        var (_, servers) = StartDesks(scene, 1);
        _source.Fail("The name is not known.");
        var channel = CreateChannel(scene);
        await Assert.ThrowsAsync<MuxException>(() => channel.ConnectAsync(TestContext.Current.CancellationToken));
        _source.Report(servers);
        await Eventually.Holds(() => channel.GetEndpoints().Count == 1, "the endpoint");
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        Assert.True(channel.GetEndpoints()[0].IsOpen);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_is_added_gets_calls_and_one_that_is_removed_finishes_its_calls()
    {
        var scene = Begin(TransportKind.InMemory);
        var answer = new Signal("the answer");
        var (desks, servers) = StartDesks(scene, 2, Desk.AnsweringAfter(answer), new Desk());
        _source.Report(servers[0]);
        var channel = await ConnectAsync(scene);
        var proxy = channel.CreateProxy<IDesk>();
        var atFirst = proxy.AskPlainly(new Question { Id = 1 }).AsTask();
        await desks[0].Started.ReachAsync(1);

        _source.Report(servers);
        await Eventually.Holds(() => channel.GetEndpoints() is { Count: 2 } all && all.All(endpoint => endpoint.IsOpen), "the second endpoint");
        _source.Report(servers[1]);
        await Eventually.Holds(() => channel.GetEndpoints().Count == 1, "the removal of the first endpoint");
        for (int i = 0; i < 20; i++) await proxy.AskPlainly(new Question { Id = i });
        Assert.Equal((1, 20), (desks[0].Started.Count, desks[1].Started.Count));
        Assert.False(atFirst.IsCompleted);
        answer.Set();
        Assert.Equal(1, (await atFirst.Within("the call at the removed server")).Id);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Calls_pass_by_a_server_that_cannot_be_reached()
    {
        var scene = Begin(TransportKind.InMemory);
        ExpectFailedDials(scene);
        var (desks, servers) = StartDesks(scene, 1);
        _source.Report([new MuxEndpoint(scene.NobodysAddress()), new MuxEndpoint(servers[0].Address)]);
        var proxy = (await ConnectAsync(scene)).CreateProxy<IDesk>();
        for (int i = 0; i < 50; i++) await proxy.AskPlainly(new Question { Id = i });
        Assert.Equal(50, desks[0].Started.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_cannot_be_reached_makes_the_source_look_again()
    {
        var scene = Begin(TransportKind.InMemory);
        ExpectFailedDials(scene);
        var (_, servers) = StartDesks(scene, 1);
        _source.Report([new MuxEndpoint(scene.NobodysAddress()), new MuxEndpoint(servers[0].Address)]);
        await ConnectAsync(scene);
        await _source.Refresh!.WaitAsync(TimeSpan.FromHours(1), TestContext.Current.CancellationToken).Within("the request for another look");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_whose_server_cannot_be_reached_waits_for_one_that_is_still_dialed()
    {
        var scene = Begin(TransportKind.InMemory);
        ExpectFailedDials(scene);
        scene.DialsElsewhere = 1;
        var (_, servers) = StartDesks(scene, 1);
        var (refused, silent) = (scene.NobodysAddress(), scene.NobodysAddress());
        var transport = new PartlyUnansweredTransport(scene.Transport, (_, address) => address != silent);
        _source.Report([new MuxEndpoint(refused), new MuxEndpoint(silent)]);
        var channel = CreateChannel(scene, options => options.Transport = transport);
        var call = channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 7 }).AsTask();
        await transport.Unanswered.ReachAsync(1);
        await Eventually.Holds(() => channel.GetEndpoints() is [{ Failure: not null }, _], "the failed dial");
        _source.Report(servers);
        Assert.Equal(7, (await call.Within("the answer of a server that came later")).Id);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Servers_that_a_source_loses_at_once_are_kept_while_they_are_open_and_for_a_minute()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        ExpectFailedDials(scene);
        var (_, servers) = StartDesks(scene, 2);
        _source.Report(servers);
        var channel = CreateChannel(scene, options => options.KeepAliveTime = Timeout.InfiniteTimeSpan); // a minute passes, and no answer to a PING need come in it
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        await channel.ChoosesAsync(2);
        long sets = _source.Taken.Count;
        _source.Report(Array.Empty<MuxServer>());
        await _source.Taken.ReachAsync(sets + 1);
        Assert.Equal(2, channel.GetEndpoints().Count);

        await servers[0].StopAsync(TestContext.Current.CancellationToken);
        await Eventually.Holds(() => channel.GetEndpoints().Count == 1, "the removal of the server that has stopped");
        Assert.Equal(7, (await channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 7 })).Id);
        for (int second = 0; second < 59; second++) time.Advance(TimeSpan.FromSeconds(1));
        Assert.Single(channel.GetEndpoints());
        time.Advance(TimeSpan.FromSeconds(2));
        await Eventually.Holds(() => channel.GetEndpoints().Count == 0, "the removal of the other one");
    }

    [Fact(Timeout = TestLimit)]
    public async Task If_no_server_can_be_reached_the_failure_counts_them()
    {
        var scene = Begin(TransportKind.InMemory);
        ExpectFailedDials(scene);
        _source.Report([new MuxEndpoint(scene.NobodysAddress()), new MuxEndpoint(scene.NobodysAddress())]);
        var channel = CreateChannel(scene);
        var error = await Assert.ThrowsAsync<MuxException>(() => channel.CreateProxy<IDesk>().AskPlainly(new Question()).AsTask().Within("the failure"));
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted), (error.Status, error.Execution));
        Assert.Contains("None of the 2 endpoints of test://desks can be reached.", error.Message, StringComparison.Ordinal);
        Assert.All(channel.GetEndpoints(), endpoint => Assert.NotNull(endpoint.Failure));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_drained_server_loses_no_call()
    {
        var scene = Begin(TransportKind.InMemory);
        ExpectFailedDials(scene);
        var (_, servers) = StartDesks(scene, 2);
        _source.Report(servers);
        var channel = await ConnectAsync(scene);
        var proxy = channel.CreateProxy<IDesk>();
        using var end = new CancellationTokenSource();
        long answered = 0;
        var callers = Enumerable.Range(0, 20).Select(_ => Task.Run(async () =>
        {
            while (!end.IsCancellationRequested)
            {
                await proxy.AskPlainly(new Question());
                Interlocked.Increment(ref answered);
            }
        })).ToArray();
        await Eventually.Holds(() => Interlocked.Read(ref answered) > 1_000, "a thousand answers");
        await servers[0].StopAsync(TestContext.Current.CancellationToken);
        long atStop = Interlocked.Read(ref answered);
        await Eventually.Holds(() => Interlocked.Read(ref answered) > atStop + 1_000, "a thousand answers of the other server");
        await end.CancelAsync();
        await Task.WhenAll(callers).Within("the callers, none of which may fail");
    }

    [Fact(Timeout = TestLimit)]
    public async Task Events_tell_the_life_of_an_endpoint()
    {
        var scene = Begin(TransportKind.InMemory);
        var (_, servers) = StartDesks(scene, 2);
        var channel = CreateChannel(scene);
        var events = channel.WatchEndpointsAsync(TestContext.Current.CancellationToken).GetAsyncEnumerator(TestContext.Current.CancellationToken);
        var next = events.MoveNextAsync().AsTask();
        var seen = new List<(MuxEndpointChange, MuxAddress)>();
        _source.Report(servers[0]);
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        _source.Report(servers);
        await ReadAsync(4);
        _source.Report(servers[1]);
        await ReadAsync(5);
        var (first, second) = (servers[0].Address, servers[1].Address);
        Assert.Equal(
            [
                (MuxEndpointChange.Added, first), (MuxEndpointChange.Opened, first), (MuxEndpointChange.Added, second), (MuxEndpointChange.Opened, second),
                (MuxEndpointChange.Removed, first),
            ], seen);

        await channel.DisposeAsync();
        Assert.False(await next.Within("the end of the events"));

        async Task ReadAsync(int count)
        {
            while (seen.Count < count)
            {
                Assert.True(await next.Within($"event {seen.Count + 1}; so far {string.Join(", ", seen)}"));
                seen.Add((events.Current.Change, events.Current.Endpoint.Address));
                next = events.MoveNextAsync().AsTask();
            }
        }
    }

    private static (Desk[] Desks, MuxServer[] Servers) StartDesks(Scene scene, int count, params Desk[] given)
    {
        Desk[] desks = [.. Enumerable.Range(0, count).Select(index => index < given.Length ? given[index] : new Desk())];
        return (desks, [.. desks.Select(desk => scene.StartServer(server => server.AddService<IDesk>(desk)))]);
    }

    /// <summary>A server that is away is dialed again and again, and one dial is open when the channel ends.</summary>
    private static void ExpectFailedDials(Scene scene) => scene.ExpectedEnds.UnionWith([CloseReason.ConnectFailed, CloseReason.Disposed]);

    private MuxChannel CreateChannel(Scene scene, Action<MuxChannelOptions>? configure = null) => scene.CreateChannel(MuxAddress.Parse("mux://unused:1"), options =>
    {
        options.Endpoints = _source;
        configure?.Invoke(options);
    });

    private async Task<MuxChannel> ConnectAsync(Scene scene)
    {
        var channel = CreateChannel(scene);
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        return channel;
    }
}
