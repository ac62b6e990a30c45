using Microsoft.Extensions.Logging;
using Mux.Client;
using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Peers;

/// <summary>Channels that are of use without calls.</summary>
public sealed class KeepConnectedTests : EndToEndTests
{
    private readonly Bouncer _atServer = new();
    private readonly Bouncer _atClient = new();

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_channel_connects_without_a_call_and_again_after_each_loss(TransportKind kind)
    {
        const int Losses = 5;
        var scene = Begin(kind);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Disposed]);
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer));
        var opened = new Counter("openings");
        scene.CreateChannel(server, options =>
        {
            options.KeepConnected = true;
            options.AddService<IBounce>(_atClient);
            options.OnOpened = async (peer, token) =>
            {
                Assert.Equal(0, await peer.Get<IBounce>().Bounce(0, cancellationToken: token));
                opened.Add();
            };
        });
        for (int loss = 0; loss <= Losses; loss++)
        {
            await opened.ReachAsync(loss + 1);
            Assert.Equal(3, await _atServer.LastCaller!.Get<IBounce>().Bounce(3, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("a call of the server"));
            if (loss < Losses) server.Ledger!.Connections.Single(connection => connection.State == ConnectionState.Open).Abort(new(CloseReason.Disposed, "The test ends it."));
        }
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_server_that_restarts_is_found_again_without_a_call(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer));
        var address = server.Address;
        var opened = new Counter("openings");
        scene.ExpectedEnds.Add(CloseReason.ConnectFailed);
        scene.CreateChannel(address, options =>
        {
            options.KeepConnected = true;
            options.OnOpened = (_, _) =>
            {
                opened.Add();
                return default;
            };
        });
        await opened.ReachAsync(1);
        await server.StopAsync(TestContext.Current.CancellationToken);
        scene.StartServer(server => server.AddService<IBounce>(_atServer), options => options.Address = address.ToString());
        await opened.ReachAsync(2);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task What_OnOpened_throws_is_logged_once_a_minute_and_the_channel_tries_again_with_pauses(TransportKind kind)
    {
        const int Failures = 3;
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer));
        int runs = 0;
        var opened = new Signal("an opening without a failure");
        var channel = scene.CreateChannel(server, options =>
        {
            options.KeepConnected = true;
            options.OnOpened = async (peer, token) =>
            {
                await peer.Get<IBounce>().Bounce(0, cancellationToken: token); // a reply alone does not show that the connection is of use
                if (Interlocked.Increment(ref runs) <= Failures) throw new InvalidOperationException("not yet");
                opened.Set();
            };
        });
        await opened.WaitAsync();
        var entries = scene.Logs.Of("OnOpenedFailed");
        Assert.Equal(Failures, entries.Count);
        Assert.Equal([(2017, LogLevel.Warning), (2017, LogLevel.Debug), (2017, LogLevel.Debug)], entries.Select(static entry => (entry.Id, entry.Level)));
        Assert.Equal(Failures + 1, scene.Transport.Dialed.Count);
        Assert.True(channel.GetEndpoints()[0].IsOpen);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task To_connect_is_to_wait_for_the_first_OnOpened(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer));
        var (begun, end) = (new Signal("OnOpened"), new Signal("the end of OnOpened"));
        MuxChannel? channel = null;
        channel = scene.CreateChannel(server, options => options.OnOpened = async (peer, token) =>
        {
            await peer.Get<IBounce>().Bounce(0, cancellationToken: token);
            await channel!.ConnectAsync(token).Within("the channel, of which this code is a part");
            begun.Set();
            await end.WaitAsync();
        });

        var connecting = channel.ConnectAsync(TestContext.Current.CancellationToken);
        await begun.WaitAsync();
        Assert.False(connecting.IsCompleted);

        end.Set();
        await connecting.Within("the connection");
        Assert.True(channel.ConnectAsync(TestContext.Current.CancellationToken).IsCompletedSuccessfully, "It waited once more.");
    }

    [Fact(Timeout = TestLimit)]
    public async Task To_connect_fails_if_OnOpened_fails_and_succeeds_once_it_succeeds()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer));
        bool fails = true;
        var channel = scene.CreateChannel(server, options => options.OnOpened = (_, _) => fails ? throw new InvalidOperationException("not yet") : default);

        var failure = await Assert.ThrowsAsync<MuxException>(() => channel.ConnectAsync(TestContext.Current.CancellationToken));
        Assert.Equal(MuxStatus.Unavailable, failure.Status);
        Assert.Contains("OnOpened has failed: not yet", failure.Message, StringComparison.Ordinal);

        fails = false;
        await Eventually.Holds(() => channel.GetEndpoints()[0].Connections == 0, "the end of the connection that was given up");
        await channel.ConnectAsync(TestContext.Current.CancellationToken).Within("the next connection");
    }

    [Fact(Timeout = TestLimit)]
    public async Task To_connect_ends_with_the_channel_while_OnOpened_runs()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer));
        var begun = new Signal("OnOpened");
        var channel = scene.CreateChannel(server, options => options.OnOpened = async (_, token) =>
        {
            begun.Set();
            await new TaskCompletionSource().Task.WaitAsync(token);
        });
        var connecting = channel.ConnectAsync(TestContext.Current.CancellationToken);
        await begun.WaitAsync();

        await channel.DisposeAsync();

        await Assert.ThrowsAsync<MuxException>(() => connecting.Within("the connection"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_kept_connection_is_asked_for_signs_of_life_and_is_never_idle()
    {
        var time = new ManualTime();
        var scene = Begin(TransportKind.InMemory, time);
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer), options => options.KeepAliveTime = Timeout.InfiniteTimeSpan);
        var channel = scene.CreateChannel(server, options =>
        {
            options.KeepConnected = true;
            options.KeepAliveTime = TimeSpan.FromSeconds(30);
            options.IdleTimeout = TimeSpan.FromSeconds(70);
        });
        await Eventually.Holds(() => channel.GetStatistics().OpenConnections == 1 && server.GetStatistics().OpenConnections == 1, "the connection");
        for (int ping = 0; ping < 10; ping++)
        {
            var (asked, answered) = (server.GetStatistics().FramesReceived, channel.GetStatistics().FramesReceived);
            time.Advance(TimeSpan.FromSeconds(31));
            await Eventually.Holds(() => server.GetStatistics().FramesReceived > asked && channel.GetStatistics().FramesReceived > answered, $"PING {ping} and its answer");
        }

        Assert.Equal(1, channel.GetStatistics().OpenConnections);
        Assert.Equal(1, scene.Transport.Dialed.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Of_many_servers_one_finds_the_client_and_another_one_when_it_drains(TransportKind kind)
    {
        var scene = Begin(kind);
        var bouncers = Enumerable.Range(0, 3).Select(_ => new Bouncer()).ToArray();
        var servers = bouncers.Select(bouncer => scene.StartServer(server => server.AddService<IBounce>(bouncer))).ToArray();
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectFailed, CloseReason.Disposed]); // of dials to servers that have stopped
        var opened = new Counter("openings");
        scene.CreateChannel(servers[0], options =>
        {
            options.Endpoints = new FixedEndpoints("the servers of the test", servers.Select(server => server.Address));
            options.KeepConnected = true;
            options.AddService<IBounce>(_atClient);
            options.OnOpened = async (peer, token) =>
            {
                await peer.Get<IBounce>().Bounce(0, cancellationToken: token);
                opened.Add();
            };
        });
        for (int round = 1; round <= 2; round++)
        {
            await opened.ReachAsync(round);
            int home = Array.FindIndex(bouncers, bouncer => bouncer.LastCaller is { Closed.IsCancellationRequested: false });
            Assert.Equal(2, await bouncers[home].LastCaller!.Get<IBounce>().Bounce(2, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("a call of the server that has the client"));
            Assert.Equal(round, opened.Count);
            await servers[home].StopAsync(TestContext.Current.CancellationToken).Within("the stop of a server");
        }

        await opened.ReachAsync(3);
    }

    [Fact]
    public void Options_that_cannot_hold_together_are_refused()
    {
        Assert.Contains("KeepConnected", FailureOf(options => options.KeepConnected = true), StringComparison.Ordinal);
        Assert.Contains("OnOpened", FailureOf(options => options.OnOpened = static (_, _) => default), StringComparison.Ordinal);
        Assert.Contains("AddService", FailureOf(options => options.AddService<IBounce>(_atClient)), StringComparison.Ordinal);
        Assert.Contains("1 to 1048575", Assert.Throws<ArgumentException>(() => MuxChannel.Create(new MuxChannelOptions { MaxCallsPerConnection = 0 })).Message, StringComparison.Ordinal);

        static string FailureOf(Action<MuxChannelOptions> configure)
        {
            var options = new MuxChannelOptions { Lifetime = MuxConnectionLifetime.PerCall };
            configure(options);
            return Assert.Throws<ArgumentException>(() => MuxChannel.Create(options)).Message;
        }
    }
}
