using System.Globalization;
using System.Security.Cryptography;
using Mux.Engine;
using Mux.Identity;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Channels.PerCall;

/// <summary>Channels that make a connection for each call, which the server ends.</summary>
public sealed class PerCallTests : EndToEndTests
{
    private const string StateTimeWait = "06";

    public static TheoryData<TransportKind> EveryTransportThatThereIs() => [.. EveryTransport.All];

    [Theory(Timeout = TestLimit), MemberData(nameof(EveryTransportThatThereIs))]
    public async Task Each_call_has_a_connection_of_its_own_that_the_server_ends(TransportKind kind)
    {
        int calls = kind is TransportKind.InMemory or TransportKind.Tcp or TransportKind.Epoll or TransportKind.Unix ? 1000 : 100; // handshakes of others take their time
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        int port = kind is TransportKind.Tcp or TransportKind.Epoll ? server.Address.Port : 0;
        var before = SocketsHeldBack(port); // of earlier tests, where this port was that of a client
        var channel = Create(scene, server);
        var sut = channel.CreateProxy<IDesk>();
        for (int id = 0; id < calls; id++) Assert.Equal(id, (await sut.AskPlainly(new Question { Id = id }).AsTask().Within("the reply")).Id);
        await AssertServerEndedAllAsync(scene, channel, calls);
        Assert.Equal((calls, calls, 0L), (channel.GetStatistics().CallsStarted, channel.GetStatistics().CallsCompleted, channel.GetStatistics().CallsWaiting));
        Assert.Equal(calls, scene.Meters.Read().Where(reading => reading.Instrument == "mux.client.dials").Sum(reading => reading.Value));
        Assert.Empty(SocketsHeldBack(port).Except(before));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Calls_beyond_the_most_connections_wait_in_order(TransportKind kind)
    {
        const int Most = 3, Calls = 20;
        var scene = Begin(kind);
        var desk = new GatedDesk();
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var channel = Create(scene, server, options => options.MaxConnections = Most);
        var sut = channel.CreateProxy<IDesk>();
        var calls = Enumerable.Range(0, Calls).Select(i => sut.AskPlainly(new Question { Id = i }).AsTask()).ToArray();
        await desk.Started.ReachAsync(Most);
        Assert.Equal(Calls - Most, channel.GetStatistics().CallsWaiting);
        Assert.Equal((Calls, Most), (channel.GetEndpoints()[0].Calls, channel.GetEndpoints()[0].Connections));
        for (int i = 0; i < Calls; i++)
        {
            desk.AnswerOldest();
            await desk.Started.ReachAsync(Math.Min(Calls, Most + i + 1)); // one connection ends, one is made
        }

        await Task.WhenAll(calls).Within("all replies");
        Assert.Equal(Most, desk.MostAtATime);
        Assert.Equal(Enumerable.Range(0, Most), desk.Order.Take(Most).Order()); // these open at the same time
        Assert.Equal(Enumerable.Range(Most, Calls - Most), desk.Order.Skip(Most));
        await AssertServerEndedAllAsync(scene, channel, Calls);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Callers_on_many_threads_get_their_own_replies(TransportKind kind)
    {
        const int Callers = 100, CallsEach = 5;
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        var channel = Create(scene, server);
        var sut = channel.CreateProxy<IDesk>();
        await Task.WhenAll(Enumerable.Range(0, Callers).Select(caller => Task.Run(async () =>
        {
            for (int i = 0; i < CallsEach; i++) Assert.Equal((caller * CallsEach) + i, (await sut.AskPlainly(new Question { Id = (caller * CallsEach) + i })).Id);
        }))).Within("all replies");
        await AssertServerEndedAllAsync(scene, channel, Callers * CallsEach);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Every_kind_of_call_has_its_connection_and_each_shows_its_credential(TransportKind kind)
    {
        var scene = Begin(kind);
        var service = new Guarded();
        var channel = CreateGuarded(scene, service);
        var sut = channel.CreateProxy<IGuarded>();
        Assert.Equal("manager-1", await sut.WhoAmI());
        Assert.Equal(Enumerable.Range(1, 1000), await sut.Count(1000, TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken));
        Assert.Equal(500_500, await sut.Sum(Enumerable.Range(1, 1000).ToAsyncEnumerable()));
        await sut.Note(1);
        await service.Ran.ReachAsync(4);
        await AssertServerEndedAllAsync(scene, channel, 4);
        Assert.Equal(4, scene.Logs.Of("PeerAuthenticated").Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_credential_that_the_server_rejects_fails_the_call_unsent(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.AuthFailed);
        var service = new Guarded();
        var channel = CreateGuarded(scene, service, new SharedKey("manager-1", RandomNumberGenerator.GetBytes(64)));
        var error = await Assert.ThrowsAsync<MuxException>(() => channel.CreateProxy<IGuarded>().WhoAmI().AsTask());
        Assert.Equal((MuxStatus.Unauthenticated, MuxExecution.NotExecuted), (error.Status, error.Execution));
        Assert.Equal(0, service.Ran.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_message_of_many_frames_goes_each_way(TransportKind kind)
    {
        var bytes = RandomNumberGenerator.GetBytes(1 << 20);
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IForms>(new Forms()));
        var channel = Create(scene, server);
        Assert.Equal(bytes, await channel.CreateProxy<IForms>().Bytes(bytes));
        await AssertServerEndedAllAsync(scene, channel, 1);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task The_connection_of_a_one_way_call_ends_when_its_handler_has(TransportKind kind)
    {
        var goOn = new Signal("the end of the handler");
        var desk = new Desk { OnTell = async _ => await goOn.WaitAsync() };
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IDesk>(desk));
        var channel = Create(scene, server);
        await channel.CreateProxy<IDesk>().Tell(new Question(), TestContext.Current.CancellationToken).AsTask().Within("the end of the call");
        await desk.Started.ReachAsync(1);
        Assert.Equal(1, channel.GetStatistics().OpenConnections);
        goOn.Set();
        await AssertServerEndedAllAsync(scene, channel, 1);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_stream_that_is_left_ends_its_connection(TransportKind kind)
    {
        var scene = Begin(kind);
        var channel = CreateGuarded(scene, new Guarded());
        await foreach (int number in channel.CreateProxy<IGuarded>().Count(int.MaxValue, TestContext.Current.CancellationToken))
        {
            if (number == 100) break;
        }

        await AssertServerEndedAllAsync(scene, channel, 1);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Connecting_shows_that_the_server_is_there_and_keeps_nothing_open(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        var channel = Create(scene, server);
        Assert.False(channel.GetEndpoints()[0].IsOpen);
        await channel.ConnectAsync(TestContext.Current.CancellationToken).Within("the connection");
        await AssertServerEndedAllAsync(scene, channel, 1);
        Assert.True(channel.GetEndpoints()[0].IsOpen);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Where_nobody_listens_calls_and_connecting_fail_and_leave_the_channel_usable(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ConnectFailed);
        var address = scene.NobodysAddress();
        var channel = scene.CreateChannel(address, options => (options.Lifetime, options.MaxReconnectDelay) = (MuxConnectionLifetime.PerCall, TimeSpan.FromMilliseconds(10)));
        var sut = channel.CreateProxy<IDesk>();
        var calls = Enumerable.Range(0, 100).Select(_ => sut.AskPlainly(new Question()).AsTask()).ToList();
        foreach (var call in calls)
        {
            var error = await call.FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);
            Assert.Contains(address.ToString(), error.Message, StringComparison.Ordinal);
        }

        await channel.ConnectAsync(TestContext.Current.CancellationToken).FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);
        Assert.NotNull(channel.GetEndpoints()[0].Failure);
        Assert.InRange(scene.Transport.Dialed.Count, 1, 20); // not one for each call that fails
        scene.StartServer(server => server.AddService<IDesk>(new Desk()), options => options.Address = address.ToString());
        Assert.Equal(7, (await sut.AskPlainly(new Question { Id = 7 }).AsTask().Within("the reply")).Id);
        Assert.Null(channel.GetEndpoints()[0].Failure);
    }

    private static MuxChannel CreateGuarded(Scene scene, Guarded service, SharedKey? shown = null)
    {
        var key = new SharedKey("manager-1", RandomNumberGenerator.GetBytes(64), "manager");
        var server = scene.StartServer(server => server.AddService<IGuarded>(service), options =>
        {
            options.Identity = new MuxIdentityOptions { SharedKeys = { key }, Policies = { ["adult"] = static user => user.IsInRole("manager") } };
        });
        return Create(scene, server, options => options.Credentials = new SharedKeyCredentials(shown ?? key));
    }

    private static MuxChannel Create(Scene scene, MuxServer server, Action<MuxChannelOptions>? configure = null) => scene.CreateChannel(server, options =>
    {
        options.Lifetime = MuxConnectionLifetime.PerCall;
        configure?.Invoke(options);
    });

    /// <summary>All connections were dialed by the channel, and ended by the server: neither side has another reason in its log.</summary>
    private static async Task AssertServerEndedAllAsync(Scene scene, MuxChannel channel, int count)
    {
        await Eventually.Holds(() => channel.Ledger.Connections.Length == 0, "the release of all connections");
        Assert.Equal(0, channel.GetStatistics().OpenConnections);
        Assert.Equal((count, count), (scene.Transport.Dialed.Count, scene.Transport.Accepted.Count));
        var client = scene.Logs.Of("ClientConnectionClosed");
        var server = await scene.Logs.ReachAsync("ServerConnectionClosed", count);
        Assert.Equal((count, count), (client.Count, server.Count));
        Assert.All(client, entry => Assert.Contains("Drained. The peer has ended the connection, as it was asked to.", entry.Text, StringComparison.Ordinal));
        Assert.All(server, entry => Assert.Contains("The peer is done with the connection.", entry.Text, StringComparison.Ordinal));
    }

    /// <summary>The addresses of the sockets to a port that the system keeps for a while because their side ended the connection.</summary>
    private static HashSet<string> SocketsHeldBack(int port)
    {
        if (!OperatingSystem.IsLinux() || port == 0) return [];
        var end = ":" + port.ToString("X4", CultureInfo.InvariantCulture);
        return [.. File.ReadLines("/proc/net/tcp").Concat(File.ReadLines("/proc/net/tcp6"))
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(columns => columns[2].EndsWith(end, StringComparison.Ordinal) && columns[3] == StateTimeWait)
            .Select(columns => $"{columns[1]} to {columns[2]}")];
    }
}
