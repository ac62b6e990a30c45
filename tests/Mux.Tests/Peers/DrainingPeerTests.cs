using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Peers;

/// <summary>Calls to a client while one of the sides drains.</summary>
public sealed class DrainingPeerTests : EndToEndTests
{
    private readonly Bouncer _atServer = new();
    private readonly Bouncer _atClient = new();
    private readonly Signal _arrived = new("the call of the client");
    private readonly Signal _goOn = new("the drain");

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_calls_its_client_while_its_server_drains(TransportKind kind)
    {
        var scene = Begin(kind);
        var (server, channel) = Start(scene);
        _atServer.OnBounce = async (timesLeft, caller, token) =>
        {
            _arrived.Set();
            await _goOn.WaitAsync();
            return await Bouncer.BounceOn(timesLeft, caller, token);
        };
        var call = channel.CreateProxy<IBounce>().Bounce(1, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        await _arrived.WaitAsync();
        var peer = server.Peers.Single();
        var stopping = server.StopAsync(TestContext.Current.CancellationToken);
        await scene.Logs.ReachAsync("ClientDraining");
        _goOn.Set();
        Assert.Equal(1, await call.Within("a call whose handler asks its client during the drain"));
        await stopping.Within("the stop");
        var late = await Assert.ThrowsAsync<MuxException>(() => peer.Get<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("a call after the drain"));
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted), (late.Status, late.Execution));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_client_that_drains_takes_no_calls_and_gets_its_replies(TransportKind kind)
    {
        var scene = Begin(kind);
        var (server, channel) = Start(scene);
        MuxException? refused = null;
        _atServer.OnBounce = async (_, caller, _) =>
        {
            _arrived.Set();
            await _goOn.WaitAsync();
            refused = await Assert.ThrowsAsync<MuxException>(() => caller.Get<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken).AsTask());
            return 7;
        };
        var call = channel.CreateProxy<IBounce>().Bounce(1, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        await _arrived.WaitAsync();
        var connection = server.Ledger!.Connections.Single();
        var disposing = channel.DisposeAsync().AsTask();
        await Eventually.Holds(() => connection.Drain.IsPeer, "the server to know of the drain");
        _goOn.Set();
        Assert.Equal(7, await call.Within("a call during the drain of its client"));
        await disposing.Within("the disposal");
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted), (refused!.Status, refused.Execution));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task When_both_drain_at_once_no_call_back_is_made_and_open_ones_end(TransportKind kind)
    {
        var scene = Begin(kind);
        var (server, channel) = Start(scene);
        var open = new Signal("the handler of the client");
        _atClient.OnBounce = async (_, _, _) =>
        {
            open.Set();
            await _goOn.WaitAsync();
            return 5;
        };
        MuxException? refused = null;
        _atServer.OnBounce = async (_, caller, token) =>
        {
            int answer = await caller.Get<IBounce>().Bounce(0, cancellationToken: token);
            refused = await Assert.ThrowsAsync<MuxException>(() => caller.Get<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken).AsTask());
            return answer;
        };
        var call = channel.CreateProxy<IBounce>().Bounce(1, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        await open.WaitAsync();
        var connection = server.Ledger!.Connections.Single();
        var (stopping, disposing) = (server.StopAsync(TestContext.Current.CancellationToken), channel.DisposeAsync().AsTask());
        await Eventually.Holds(() => connection.Drain is { IsPeer: true, IsLocal: true }, "both to drain");
        _goOn.Set();
        Assert.Equal(5, await call.Within("a call that was open in both directions"));
        await stopping.Within("the stop");
        await disposing.Within("the disposal");
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted), (refused!.Status, refused.Execution));
    }

    private (MuxServer Server, MuxChannel Channel) Start(Scene scene)
    {
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer));
        return (server, scene.CreateChannel(server, options => options.AddService<IBounce>(_atClient)));
    }
}
