using Microsoft.Extensions.Logging;
using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Channels;

/// <summary>Connecting before the first call.</summary>
public sealed class ConnectTests : EndToEndTests
{
    private static readonly TimeSpan s_handshake = TimeSpan.FromSeconds(10); // the default
    private static readonly TimeSpan s_tick = TimeSpan.FromMilliseconds(20);

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Connecting_opens_all_connections_once(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        var sut = scene.CreateChannel(server, options => options.MinConnections = 4);
        Assert.Equal(0, scene.Transport.Dialed.Count);
        await Task.WhenAll(Enumerable.Range(0, 10).Select(_ => Task.Run(() => sut.ConnectAsync(TestContext.Current.CancellationToken)))).Within("all connections");
        await sut.ConnectAsync(TestContext.Current.CancellationToken);
        Assert.Equal(4, sut.GetStatistics().OpenConnections);
        Assert.Equal(4, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Connecting_where_nobody_listens_fails_and_leaves_the_channel_usable(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ConnectFailed);
        var address = scene.NobodysAddress();
        var sut = scene.CreateChannel(address);
        var error = await sut.ConnectAsync(TestContext.Current.CancellationToken).FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);
        Assert.Equal(address.ToString(), error.Endpoint);
        Assert.Contains(address.ToString(), error.Message, StringComparison.Ordinal);
        scene.StartServer(server => server.AddService<IDesk>(new Desk()), options => options.Address = address.ToString());
        await sut.ConnectAsync(TestContext.Current.CancellationToken).Within("the connection to the server that came");
        Assert.Equal(1, sut.GetStatistics().OpenConnections);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Connecting_that_nobody_answers_fails_when_the_time_for_it_is_over()
    {
        var (scene, time, sut) = StartUnanswered();
        scene.ExpectedEnds.Add(CloseReason.ConnectFailed);
        var connecting = sut.ConnectAsync(TestContext.Current.CancellationToken);
        time.Advance(s_handshake - s_tick);
        Assert.False(connecting.IsCompleted);
        time.Advance(2 * s_tick);
        var error = await connecting.FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);
        Assert.Contains("The connection was not established within 10 s.", error.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Giving_up_the_wait_for_a_connection_leaves_the_connecting_alone()
    {
        var (scene, _, sut) = StartUnanswered();
        scene.ExpectedEnds.Add(CloseReason.Disposed);
        using var cancellation = new CancellationTokenSource();
        var connecting = sut.ConnectAsync(cancellation.Token);
        await cancellation.CancelAsync();
        var error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connecting.Within("the cancelled wait"));
        Assert.Equal(cancellation.Token, error.CancellationToken);
        Assert.Equal(ConnectionState.Connecting, Assert.Single(sut.Ledger.Connections).State);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Connecting_a_channel_that_is_disposed_meanwhile_fails()
    {
        var (scene, _, sut) = StartUnanswered();
        scene.ExpectedEnds.Add(CloseReason.Disposed);
        var connecting = sut.ConnectAsync(TestContext.Current.CancellationToken);
        await sut.DisposeAsync().AsTask().Within("the disposal");
        await connecting.Within("the end of connecting").FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Connecting_a_disposed_channel_fails()
    {
        var scene = Begin(TransportKind.InMemory);
        var sut = scene.CreateChannel(scene.StartServer(server => server.AddService<IDesk>(new Desk())));
        await sut.DisposeAsync();
        var error = await sut.ConnectAsync(TestContext.Current.CancellationToken).FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);
        Assert.Contains("The channel is disposed.", error.Message, StringComparison.Ordinal);
        Assert.Equal(0, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Creating_a_channel_connected_leaves_nothing_behind_if_that_fails(TransportKind kind)
    {
        var scene = Begin(kind); // looks for handles and timers at its end
        var options = new MuxChannelOptions { Address = scene.NobodysAddress().ToString(), Transport = scene.Transport, TimeProvider = scene.Time, MinConnections = 2 };
        scene.DialsElsewhere = -2; // of a channel that the scene does not know
        await MuxChannel.ConnectAsync(options, null, TestContext.Current.CancellationToken).FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);
        Assert.Equal(2, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(LogLevel.Information, false)]
    [InlineData(LogLevel.Debug, true)]
    public async Task What_the_network_did_is_logged_as_a_text_and_with_its_trace_for_those_who_debug(LogLevel lowest, bool hasTrace)
    {
        var scene = Begin(TransportKind.Tcp);
        using var logs = new LogCollector { Lowest = lowest };
        var options = new MuxChannelOptions { Address = scene.NobodysAddress().ToString(), Transport = scene.Transport, TimeProvider = scene.Time };
        scene.DialsElsewhere = -1; // of a channel that the scene does not know
        await MuxChannel.ConnectAsync(options, logs, TestContext.Current.CancellationToken).FailsAsync(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Connect);
        var entry = Assert.Single(logs.Of("ClientConnectFailed"));
        Assert.Contains("connection refused", entry.Text, StringComparison.Ordinal);
        Assert.Equal(hasTrace, entry.Error is IOException);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Creating_a_channel_connected_leaves_nothing_behind_if_it_is_cancelled()
    {
        var scene = Begin(TransportKind.InMemory);
        var options = new MuxChannelOptions { Address = "mux://memory:1", Transport = new UnansweredTransport(), TimeProvider = scene.Time };
        using var cancellation = new CancellationTokenSource();
        var connecting = MuxChannel.ConnectAsync(options, null, cancellation.Token);
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connecting.Within("the cancelled creation"));
    }

    private (Scene Scene, ManualTime Time, MuxChannel Channel) StartUnanswered()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        scene.DialsElsewhere = 1;
        return (scene, time, scene.CreateChannel(scene.NobodysAddress(), options => options.Transport = new UnansweredTransport()));
    }
}
