using System.Security.Cryptography;
using Mux.Engine;
using Mux.Identity;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Peers;

/// <summary>What a server knows of its clients, and keeps for each.</summary>
public sealed class PeerStateTests : EndToEndTests
{
    private readonly Bouncer _atServer = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_connection_has_one_object_of_each_type_until_it_ends(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer));
        var channel = scene.CreateChannel(server);
        await channel.CreateProxy<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken);
        var peer = _atServer.LastCaller!;
        var first = peer.State<Tracked>();
        var second = peer.State(() => new OtherTracked(first));
        await channel.CreateProxy<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken);
        Assert.Same(peer, _atServer.LastCaller);
        Assert.Same(first, peer.State<Tracked>());
        Assert.False(first.Disposed.IsSet);
        Assert.False(peer.Closed.IsCancellationRequested);

        var told = new Signal("the token of the peer");
        bool wasDisposed = true;
        await using var registration = peer.Closed.Register(() =>
        {
            wasDisposed = first.Disposed.IsSet;
            told.Set();
        });
        await channel.DisposeAsync();
        await told.WaitAsync();
        Assert.False(wasDisposed);
        await first.Disposed.WaitAsync();
        Assert.True(second.Disposed.IsSet); // the last created first
        Assert.Equal(MuxStatus.Unavailable, Assert.Throws<MuxException>(peer.State<Tracked>).Status);
        Assert.True(peer.Closed.IsCancellationRequested);
    }

    [Fact(Timeout = TestLimit)]
    public async Task An_object_is_created_once_for_all_threads_and_again_after_a_failure()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer));
        await scene.CreateChannel(server).ConnectAsync(TestContext.Current.CancellationToken);
        await Eventually.Holds(() => server.Peers.Count == 1, "the server to know its client");
        var peer = server.Peers.Single();
        Assert.Throws<InvalidOperationException>(() => peer.State<Tracked>(() => throw new InvalidOperationException("no")));
        Assert.Throws<InvalidOperationException>(() => peer.State<Tracked>(() => null!));
        int created = 0;
        var states = await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Task.Run(() => peer.State(() =>
        {
            Interlocked.Increment(ref created);
            return new Tracked();
        })))).Within("eight threads");
        Assert.Equal(1, created);
        Assert.All(states, state => Assert.Same(states[0], state));
    }

    [Fact(Timeout = TestLimit)]
    public async Task What_a_disposal_throws_is_logged()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedErrors.Add("ServerCallbackFailed");
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer));
        var channel = scene.CreateChannel(server);
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        await Eventually.Holds(() => server.Peers.Count == 1, "the server to know its client");
        var peer = server.Peers.Single();
        peer.State<Failing>();
        await using var registration = peer.Closed.Register(() => throw new InvalidOperationException("in a callback"));
        await channel.DisposeAsync();
        Assert.Equal(2, (await scene.Logs.ReachAsync("ServerCallbackFailed", 2)).Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_server_lists_its_clients_by_id_and_by_user(TransportKind kind)
    {
        var keys = new[] { "ann", "bob" }.Select(name => new SharedKey(name, RandomNumberGenerator.GetBytes(32))).ToArray();
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer), options =>
        {
            options.Identity = new MuxIdentityOptions();
            foreach (var key in keys) options.Identity.SharedKeys.Add(key);
        });
        var channels = new[] { keys[0], keys[0], keys[1] }.Select(key => scene.CreateChannel(server, options => options.Credentials = new SharedKeyCredentials(key))).ToList();
        await channels[0].ConnectAsync(TestContext.Current.CancellationToken); // before the server lists them
        await Eventually.Holds(() => server.Peers.Count == 1, "the server to know its first client");
        foreach (var channel in channels[1..]) await channel.ConnectAsync(TestContext.Current.CancellationToken);
        await Eventually.Holds(() => server.Peers.Count == 3, "the server to know its clients");
        Assert.Equal(2, server.Peers.OfUser("ann").Count);
        var bob = Assert.Single(server.Peers.OfUser("bob"));
        Assert.Equal("bob", bob.User!.Identity!.Name);
        Assert.Empty(server.Peers.OfUser("Bob"));
        Assert.Same(bob, server.Peers.Find(bob.Id));
        Assert.Equal(3, server.Peers.Select(peer => peer.Id).Distinct().Count());

        await channels[2].DisposeAsync();
        await Eventually.Holds(() => server.Peers.Count == 2, "the server to forget the client");
        Assert.Empty(server.Peers.OfUser("bob"));
        Assert.Null(server.Peers.Find(bob.Id));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Connections_that_come_and_go_leave_no_peer()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer));
        Assert.Empty(server.Peers);
        scene.ExpectedEnds.Add(CloseReason.Drained);
        var channel = scene.CreateChannel(server);
        for (int round = 0; round < 20; round++)
        {
            var others = Enumerable.Range(0, 20).Select(_ => scene.CreateChannel(server)).ToList();
            await Task.WhenAll(others.Select(other => other.ConnectAsync(TestContext.Current.CancellationToken))).Within("the connections");
            await Eventually.Holds(() => server.Peers.Count == others.Count, () => $"the server to know {others.Count} clients, not {server.Peers.Count}");
            foreach (var peer in server.Peers) _ = peer.State<Tracked>();
            foreach (var other in others) await other.DisposeAsync();
            await Eventually.Holds(() => server.Peers.Count == 0, () => $"the server to forget its clients; there are {server.Peers.Count}");
        }

        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        await Eventually.Holds(() => server.Peers.Count == 1, "the server to know the last one");
    }

    [Fact(Timeout = TestLimit)]
    public void Peers_of_two_servers_are_not_shared()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer));
        using var other = new MuxServer(new MuxServerOptions { Address = "mux://elsewhere:0", Transport = scene.Transport, TimeProvider = scene.Time, AllowPlaintext = true })
        {
            Peers = server.Peers,
        };
        Assert.Contains("another server", Assert.Throws<InvalidOperationException>(other.Start).Message, StringComparison.Ordinal);
    }

    private class Tracked : IDisposable
    {
        public Signal Disposed { get; } = new("the disposal of the state of a connection");

        public virtual void Dispose() => Disposed.Set();
    }

    private sealed class OtherTracked(Tracked before) : Tracked
    {
        public override void Dispose()
        {
            Assert.False(before.Disposed.IsSet);
            base.Dispose();
        }
    }

    private sealed class Failing : IAsyncDisposable
    {
        public ValueTask DisposeAsync() => throw new InvalidOperationException("in a disposal");
    }
}
