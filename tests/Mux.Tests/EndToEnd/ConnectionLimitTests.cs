using Mux.Engine;
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Transports.InMemory;
using Mux.Transports.Sockets;

namespace Mux.Tests.EndToEnd;

/// <summary>MaxConnections: who gets a place, who does not, and how that is told.</summary>
public sealed class ConnectionLimitTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_connection_that_is_gone_keeps_its_place_until_its_handlers_have_returned(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Disposed]);
        var desk = new GatedDesk();
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.MaxConnections = 1);
        var first = scene.CreateChannel(server);
        var call = first.CreateProxy<IDesk>().AskPlainly(new Question()).AsTask();
        await desk.Started.ReachAsync(1);
        first.Dispose();
        await Assert.ThrowsAsync<MuxException>(() => call);
        await scene.Logs.ReachAsync("ServerConnectionClosed");

        var second = scene.CreateChannel(server);
        await Assert.ThrowsAsync<MuxException>(() => second.ConnectAsync(TestContext.Current.CancellationToken));
        Assert.Contains("have ended whose handlers still run", Assert.Single(await scene.Logs.ReachAsync("ServerConnectionRefused")).Text, StringComparison.Ordinal);
        Assert.Equal(1, server.GetStatistics().CallsActive);

        desk.AnswerOldest();
        await Eventually.Holds(() => server.GetStatistics().CallsActive == 0, "the end of the handler");
        await second.ConnectAsync(TestContext.Current.CancellationToken);
    }

    [Theory]
    [InlineData(10_000, 20_000, 10_000)]
    [InlineData(896, 1024, 896)]
    [InlineData(897, 1024, 896)]
    [InlineData(10_000, 1024, 896)]
    [InlineData(10_000, 100, 1)]
    [InlineData(10_000, null, 10_000)]
    public void A_server_takes_no_more_connections_than_the_process_may_open_files(int asked, int? openFiles, int expected)
    {
        using var logs = new LogCollector();
        Assert.Equal(expected, EngineSettings.MaxConnectionsOf(new MuxServerOptions { MaxConnections = asked }, new SocketTransport(), openFiles, logs.CreateLogger("Mux.Server")));
        if (expected == asked) Assert.Empty(logs.Entries);
        else Assert.StartsWith($"MaxConnections is {asked}, but this process may have only {openFiles} files open: {expected} connections are accepted.", Assert.Single(logs.Entries).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Connections_that_are_no_files_are_not_limited_by_them()
    {
        using var logs = new LogCollector();
        Assert.Equal(10_000, EngineSettings.MaxConnectionsOf(new MuxServerOptions(), new InMemoryTransport(), 1024, logs.CreateLogger("Mux.Server")));
        Assert.Empty(logs.Entries);
    }

    [Theory]
    [InlineData("Max open files            1024                 1048576              files     ", 1024L)]
    [InlineData("Max open files            unlimited            unlimited            files     ", null)]
    [InlineData("Max open files            ", null)]
    [InlineData("Max file locks            7                    7                    locks     ", null)]
    public void The_limit_of_open_files_is_the_soft_one_of_the_kernels_table(string line, long? expected) =>
        Assert.Equal(expected, OpenFileLimit.Parse(["Limit                     Soft Limit           Hard Limit           Units     ", line]));

    [Theory(Timeout = TestLimit)]
    [InlineData(TransportKind.Tcp)]
    [InlineData(TransportKind.Epoll)]
    public async Task A_channel_opens_1000_connections_to_a_server_with_default_limits(TransportKind kind)
    {
        const int Connections = 1000;
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        var sut = scene.CreateChannel(server, options => options.MinConnections = Connections);

        await sut.ConnectAsync(TestContext.Current.CancellationToken).Within("all connections");

        Assert.Equal(Connections, sut.GetStatistics().OpenConnections);
        Assert.Equal(Connections, scene.Transport.Dialed.Count);
        Assert.Empty(scene.Logs.Of("ServerConnectionRefused"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Both_sides_name_the_limit_of_pending_handshakes()
    {
        var scene = Begin(TransportKind.Tcp, new ManualTime()); // time that passes would let the client in
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Disposed]);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()), options => options.Limits.MaxPendingHandshakesPerAddress = 1);
        using var silent = new System.Net.Sockets.TcpClient();
        await silent.ConnectAsync("127.0.0.1", server.Address.Port, TestContext.Current.CancellationToken);
        await scene.Transport.Accepted.ReachAsync(1);

        var error = await Assert.ThrowsAsync<MuxException>(() => scene.CreateChannel(server).ConnectAsync(TestContext.Current.CancellationToken));

        Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect), (error.Status, error.Execution, error.Phase));
        Assert.Contains("Limits.MaxPendingHandshakesPerAddress", error.Message, StringComparison.Ordinal);
        Assert.Contains("Limits.MaxPendingHandshakesPerAddress is 1", Assert.Single(await scene.Logs.ReachAsync("ServerConnectionRefused")).Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_peer_that_says_nothing_loses_its_place_to_a_client_after_a_second()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.Tcp, time);
        scene.ExpectedEnds.UnionWith([CloseReason.HandshakeTimeout]);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()), options => options.Limits.MaxPendingHandshakesPerAddress = 1);
        using var silent = new System.Net.Sockets.TcpClient();
        await silent.ConnectAsync("127.0.0.1", server.Address.Port, TestContext.Current.CancellationToken);
        await scene.Transport.Accepted.ReachAsync(1);
        time.Advance(TimeSpan.FromSeconds(1));

        await scene.CreateChannel(server).ConnectAsync(TestContext.Current.CancellationToken);

        var text = Assert.Single(await scene.Logs.ReachAsync("ServerPeerCutOff")).Text;
        Assert.Contains("The handshake was not finished when a newer connection needed its place. Limits.MaxPendingHandshakesPerAddress is 1", text, StringComparison.Ordinal);
        Assert.Equal(1, scene.Meters.Read().Where(reading => reading.Instrument == "mux.server.rejected_connections").Sum(reading => reading.Value));
        Assert.Equal(0, await silent.GetStream().ReadAsync(new byte[1], TestContext.Current.CancellationToken));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Refusals_are_told_once_a_second_with_the_peer_and_how_many_there_were(TransportKind kind)
    {
        var time = new ManualTime();
        var scene = Begin(kind, time);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Disposed]);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()), options => options.MaxConnections = 1);
        await scene.CreateChannel(server).ConnectAsync(TestContext.Current.CancellationToken);
        for (int i = 0; i < 5; i++) await IsRefusedAsync();
        Assert.EndsWith("MaxConnections is 1; 1 connections are open, and 0 have ended whose handlers still run.", Assert.Single(Refusals()), StringComparison.Ordinal);

        time.Advance(TimeSpan.FromSeconds(1));
        await IsRefusedAsync();
        Assert.Equal(2, Refusals().Count);
        Assert.EndsWith("Suppressed since the last such message: 4.", Refusals()[1], StringComparison.Ordinal);
        if (kind is TransportKind.Tcp or TransportKind.Epoll) Assert.All(Refusals(), text => Assert.StartsWith("Connection from 127.0.0.1:", text, StringComparison.Ordinal));

        List<string> Refusals() => [.. scene.Logs.Of("ServerConnectionRefused").Select(entry => entry.Text)];

        Task IsRefusedAsync() => Assert.ThrowsAsync<MuxException>(() => scene.CreateChannel(server).ConnectAsync(TestContext.Current.CancellationToken));
    }
}
