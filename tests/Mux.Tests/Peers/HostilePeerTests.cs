using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Peers;

/// <summary>Clients that break rules when they are called, and servers that do when they call.</summary>
public sealed class HostilePeerTests : EndToEndTests
{
    private readonly Bouncer _atServer = new();
    private readonly Bouncer _atClient = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_client_that_answers_nothing_holds_no_more_calls_than_it_allows_and_their_deadlines_end_them(TransportKind kind)
    {
        const int Most = 4;
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var (server, peer, client) = await ConnectAsync(scene, static (_, _) => { }, new PeerSettings { MaxCalls = Most });
        var options = new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(300) };
        var calls = Enumerable.Range(0, Most + 3).Select(_ => peer.Get<IBounce>().Bounce(0, options, cancellationToken: TestContext.Current.CancellationToken).AsTask()).ToList();
        var failures = await Task.WhenAll(calls.Select(call => Assert.ThrowsAsync<MuxException>(() => call.Within("a call that is not answered"))));
        Assert.All(failures, static failure => Assert.Equal(MuxStatus.DeadlineExceeded, failure.Status));
        Assert.Equal(3, failures.Count(static failure => failure.Execution == MuxExecution.NotExecuted));
        await client.Arrived.ReachAsync(Most); // a client short of time may read them after their deadline
        Assert.Equal(Most, client.Arrived.Count);
        client.Dispose();
        await Eventually.Holds(() => server.Peers.Count == 0, "the server to forget the client");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_client_that_answers_twice_is_cut_off(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ProtocolError);
        var (_, peer, client) = await ConnectAsync(scene, static (client, id) =>
        {
            client.Respond(id);
            client.Respond(id);
        });
        Assert.Equal(0, await peer.Get<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("the first answer"));
        await client.Ended.WaitAsync();
        Assert.Equal(ConnectionCode.ProtocolError, client.Code);
        Assert.True(peer.Closed.IsCancellationRequested);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_client_that_answers_with_what_is_no_message_fails_the_call_alone(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        int requests = 0;
        var (server, peer, client) = await ConnectAsync(scene, (client, id) =>
        {
            if (++requests == 1) client.Respond(id, 0xFF, 0xFF, 0xFF);
            else client.Respond(id);
        });
        await Assert.ThrowsAsync<MuxException>(() => peer.Get<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("an answer that is no message"));
        Assert.Equal(0, await peer.Get<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("the answer after it"));
        client.Dispose();
        await Eventually.Holds(() => server.Peers.Count == 0, "the server to forget the client");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_hundred_clients_that_vanish_during_calls_leave_nothing(TransportKind kind)
    {
        const int Clients = 100;
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer), options => options.Limits.MaxPendingHandshakesPerAddress = Clients);
        var clients = Enumerable.Range(0, Clients).Select(_ => new RawClient(scene, server.Address, static (_, _) => { })).ToList();
        await Eventually.Holds(() => server.Peers.Count == Clients, () => $"{Clients} clients; there are {server.Peers.Count}");
        var calls = server.Peers.Select(peer => peer.Get<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken).AsTask()).ToList();
        foreach (var client in clients) await client.Arrived.ReachAsync(1);
        foreach (var client in clients) client.Dispose();
        foreach (var call in calls)
        {
            var failure = await Assert.ThrowsAsync<MuxException>(() => call.Within("a call to a client that has vanished"));
            Assert.Equal((MuxStatus.Unavailable, MuxExecution.MayHaveExecuted), (failure.Status, failure.Execution));
        }

        await Eventually.Holds(() => server.Peers.Count == 0, "the server to forget its clients");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_server_that_calls_more_than_it_may_is_left(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ProtocolError);
        using var server = new RawServer(scene, static request => request.Send([.. Define(0, "test.Bounce/Bounce"), .. Request(new CallId(2, 1))]));
        var failure = await CallAsync(scene, server, options => options.MaxCallsPerConnection = 1);
        Assert.Equal(MuxStatus.Unavailable, failure.Status);
        Assert.Contains(scene.Logs.Of("ClientConnectionClosed"), entry => entry.Text.Contains("ProtocolError", StringComparison.Ordinal));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_server_that_calls_a_client_without_services_is_left(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ProtocolError);
        using var server = new RawServer(scene, static request => request.Send([.. Define(0, "test.Bounce/Bounce"), .. Request(new CallId(1, 1))]));
        var failure = await CallAsync(scene, server, configure: null, serves: false);
        Assert.Equal(MuxStatus.Unavailable, failure.Status);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_server_that_calls_unknown_services_again_and_again_is_left(TransportKind kind)
    {
        const int Unknown = 400;
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ExcessiveLoad);
        using var server = new RawServer(scene, static request =>
        {
            for (int i = 0; i < Unknown; i++) request.Send([.. Define(i, $"test.Nothing/Method{i}"), .. Request(new CallId(1, (uint)(i + 1)), i)]);
        });
        var failure = await CallAsync(scene, server, configure: null);
        Assert.Equal(MuxStatus.Unavailable, failure.Status);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_runs_no_more_handlers_than_it_has_places_for()
    {
        const int Calls = 1_100, Places = 1_000;
        var scene = Begin(TransportKind.InMemory);
        var release = new Signal("the release of the handlers of the client");
        _atClient.OnBounce = async (_, _, _) =>
        {
            await release.WaitAsync();
            return 0;
        };
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer));
        var channel = scene.CreateChannel(server, options =>
        {
            options.MaxCallsPerConnection = Calls;
            options.AddService<IBounce>(_atClient);
        });
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        await Eventually.Holds(() => server.Peers.Count == 1, "the server to know its client");
        var calls = Enumerable.Range(0, Calls).Select(_ => server.Peers.Single().Get<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken).AsTask()).ToList();
        await Eventually.Holds(() => _atClient.Bounced.Count + calls.Count(call => call.IsFaulted) == Calls, "each call to run or to be refused");
        Assert.InRange(_atClient.Bounced.Count, Places / 2, Places);
        release.Set();
        foreach (var call in calls.Where(call => call.IsFaulted))
        {
            var failure = await Assert.ThrowsAsync<MuxException>(() => call);
            Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), (failure.Status, failure.Execution));
        }

        await Task.WhenAll(calls.Where(call => !call.IsFaulted)).Within("the calls that run");
        Assert.NotEmpty(scene.Logs.Of("ClientCallsRefused"));
    }

    private static byte[] Define(int ordinal, string name) =>
        ScriptedPeer.Frame(FrameKind.Define, default, [(byte)ordinal, (byte)(ordinal >> 8), 0, .. System.Text.Encoding.ASCII.GetBytes(name)]);

    private static byte[] Request(CallId id, int ordinal = 0) => ScriptedPeer.Frame(FrameKind.Request, id, [(byte)ordinal, (byte)(ordinal >> 8), 0, 0]);

    private async Task<MuxException> CallAsync(Scene scene, RawServer server, Action<MuxChannelOptions>? configure, bool serves = true)
    {
        var channel = scene.CreateChannel(server.Address, options =>
        {
            if (serves) options.AddService<IBounce>(_atClient);
            configure?.Invoke(options);
        });
        return await Assert.ThrowsAsync<MuxException>(() => channel.CreateProxy<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("a call to a server that breaks a rule"));
    }

    private async Task<(MuxServer Server, MuxPeer Peer, RawClient Client)> ConnectAsync(Scene scene, Action<RawClient, CallId> answer, PeerSettings? settings = null)
    {
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer));
        var client = new RawClient(scene, server.Address, answer, settings);
        await Eventually.Holds(() => server.Peers.Count == 1, "the server to know its client");
        return (server, server.Peers.Single(), client);
    }
}
