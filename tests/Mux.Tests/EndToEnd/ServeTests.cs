using System.Collections.Concurrent;
using Mux.Engine;
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Streams;
using Mux.Tests.Contracts;
using Mux.Transports.Streams;

namespace Mux.Tests.EndToEnd;

/// <summary>Connections that a server is given, and a channel gets from a delegate.</summary>
public sealed class ServeTests : EndToEndTests
{
    private readonly GatedDesk _desk = new();
    private readonly ConcurrentQueue<Task> _serving = [];

    [Fact(Timeout = TestLimit)]
    public async Task A_connection_that_was_accepted_elsewhere_is_served_until_it_ends()
    {
        var (_, server, channel) = Start();
        var call = AskAsync(channel, 7);
        await _desk.Started.ReachAsync(1);
        _desk.AnswerOldest();
        Assert.Equal(7, (await call).Id);
        Assert.Equal(1, server.GetStatistics().OpenConnections);
        var serving = Assert.Single(_serving);
        Assert.False(serving.IsCompleted);
        await channel.DisposeAsync();
        await serving.Within("the end of the connection");
        Assert.Equal(0, server.GetStatistics().OpenConnections);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_that_stops_lets_open_calls_of_such_a_connection_finish()
    {
        var (_, server, channel) = Start();
        var call = AskAsync(channel, 1);
        await _desk.Started.ReachAsync(1);
        var stopping = server.StopAsync(TestContext.Current.CancellationToken);
        _desk.AnswerOldest();
        Assert.Equal(1, (await call).Id);
        await stopping.Within("the end of the server");
        await Assert.Single(_serving).Within("the end of the connection");
    }

    [Fact(Timeout = TestLimit)]
    public async Task Cancelling_ends_one_connection_in_order_and_leaves_the_server_alone()
    {
        using var cancellation = new CancellationTokenSource();
        var (scene, server, channel) = Start(cancellation: cancellation);
        var call = AskAsync(channel, 1);
        await _desk.Started.ReachAsync(1);
        await cancellation.CancelAsync();
        Assert.False(Assert.Single(_serving).IsCompleted);
        _desk.AnswerOldest();
        Assert.Equal(1, (await call).Id);
        await Assert.Single(_serving).Within("the end of the connection");
        var (dialer, acceptor) = StreamPair.Create();
        var serving = server.ServeAsync(acceptor, TestContext.Current.CancellationToken);
        Assert.False(serving.IsCompleted);
        scene.AcceptsElsewhere++;
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var probe = new LinkProbe("a client of the living server");
        probe.Start(new StreamLink(dialer));
        await probe.Connected.WaitAsync();
        probe.Close();
        await serving.Within("the end of the second connection");
    }

    [Fact(Timeout = TestLimit)]
    public async Task One_connection_too_many_is_closed_at_once()
    {
        var (scene, server, first) = Start(options => options.MaxConnections = 1);
        await first.ConnectAsync(TestContext.Current.CancellationToken);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.ConnectFailed]);
        var (dialer, acceptor) = StreamPair.Create();
        await server.ServeAsync(acceptor, TestContext.Current.CancellationToken).Within("the refusal");
        Assert.Single(scene.Logs.Of("ServerConnectionRefused"));
        var probe = new LinkProbe("the refused client");
        probe.Start(new StreamLink(dialer));
        await probe.Closed.WaitAsync();
        Assert.Equal(1, server.GetStatistics().OpenConnections);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_without_an_address_listens_nowhere_and_serves_what_it_is_given()
    {
        await using var server = new MuxServer(new MuxServerOptions { Address = string.Empty });
        server.AddService<IDesk>(new Desk()).Start();
        Assert.Equal("The server does not listen: the Address in its options is empty.", Assert.Throws<InvalidOperationException>(() => server.Address).Message);
        var transport = StreamTransport.Connecting((_, _) =>
        {
            var (dialer, acceptor) = StreamPair.Create();
            _serving.Enqueue(server.ServeAsync(acceptor, CancellationToken.None));
            return new(dialer);
        });
        await using (var channel = MuxChannel.Create(new MuxChannelOptions { Address = "mux://desk", Transport = transport }))
        {
            Assert.Equal(3, (await channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 3 })).Id);
        }

        await Assert.Single(_serving).Within("the end of the connection");
    }

    [Fact]
    public async Task A_server_that_was_not_started_serves_nothing()
    {
        await using var server = new MuxServer(new MuxServerOptions());
        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => server.ServeAsync(StreamPair.Create().Acceptor, TestContext.Current.CancellationToken));
        Assert.Equal("The server was not started: call Start first.", error.Message);
    }

    [Fact]
    public void A_channel_needs_an_address() =>
        Assert.Contains("Address", Assert.Throws<ArgumentException>(() => MuxChannel.Create(string.Empty)).Message, StringComparison.Ordinal);

    [Fact(Timeout = TestLimit)]
    public async Task A_delegate_that_fails_to_connect_is_named_with_its_reason()
    {
        await using var channel = MuxChannel.Create(new MuxChannelOptions
        {
            Address = "mux://desk",
            Transport = StreamTransport.Connecting((_, _) => throw new InvalidOperationException("The proxy said no.")),
        });
        var error = await Assert.ThrowsAsync<MuxException>(() => channel.ConnectAsync(TestContext.Current.CancellationToken));
        Assert.Equal(MuxStatus.Unavailable, error.Status);
        Assert.Contains("Cannot connect to mux://desk:7070: The proxy said no.", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_transport_that_only_connects_says_so_when_it_is_asked_to_listen()
    {
        var transport = StreamTransport.Connecting((_, _) => throw new InvalidOperationException());
        var error = Assert.Throws<NotSupportedException>(() => transport.Listen(MuxAddress.Parse("mux://desk"), _ => { }));
        Assert.Equal("mux://desk:7070: this transport only connects, it does not listen.", error.Message);
    }

    /// <summary>A server, and a channel whose connections the server is given.</summary>
    private (Scene Scene, MuxServer Server, MuxChannel Channel) Start(Action<MuxServerOptions>? configure = null, CancellationTokenSource? cancellation = null)
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<IDesk>(_desk), configure);
        var channel = scene.CreateChannel(server, options => options.Transport = StreamTransport.Connecting((_, _) =>
        {
            var (dialer, acceptor) = StreamPair.Create();
            scene.DialsElsewhere++;
            scene.AcceptsElsewhere++;
            _serving.Enqueue(server.ServeAsync(acceptor, cancellation?.Token ?? CancellationToken.None));
            return new(dialer);
        }));
        return (scene, server, channel);
    }

    private static Task<Answer> AskAsync(MuxChannel channel, int id) => channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = id }).AsTask();
}
