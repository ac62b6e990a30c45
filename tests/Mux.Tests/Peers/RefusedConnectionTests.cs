using Microsoft.Extensions.Logging;
using Mux.Engine;
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Peers;

/// <summary>Connections for which the server's hook fails: each is open for a moment.</summary>
public sealed class RefusedConnectionTests : EndToEndTests
{
    private readonly ManualTime _time = new();
    private readonly Bouncer _atServer = new();
    private readonly Hook _hook = new();

    [Fact(Timeout = TestLimit)]
    public async Task A_client_that_is_refused_comes_back_once_a_second_at_most_although_its_calls_are_answered()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        int connections = 0;
        _hook.Before = () => _atServer.Bounced.ReachAsync(Interlocked.Increment(ref connections)); // a call that is answered makes no connection of use
        var proxy = scene.CreateChannel(StartServer(scene)).CreateProxy<IBounce>();
        var calling = Task.Run(async () =>
        {
            while (!_hook.IsDone)
            {
                try
                {
                    await proxy.Bounce(0);
                }
                catch (MuxException failure)
                {
                    Assert.Equal(MuxStatus.Unavailable, failure.Status);
                }
            }
        }, TestContext.Current.CancellationToken);
        Assert.InRange(await CountAsync(scene, seconds: 5), 1, 6);
        Assert.InRange(await CountAsync(scene, seconds: 60), 1, 61);
        _hook.IsDone = true;
        await Eventually.Holds(
            () =>
            {
                _time.Advance(TimeSpan.FromSeconds(0.1));
                return calling.IsCompleted;
            },
            "the last call");
        await calling;
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_that_is_refused_for_long_comes_back_every_five_seconds_at_most()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        var channel = scene.CreateChannel(StartServer(scene), static options => options.KeepConnected = true);
        await RefuseAsync(scene, channel, seconds: 200);
        Assert.InRange(await RefuseAsync(scene, channel, seconds: 100), 19, 41); // at random in the upper half of 5 s
    }

    [Fact(Timeout = TestLimit)]
    public async Task Client_and_server_tell_seldom_which_hook_has_failed_and_once_that_it_is_over()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        var server = StartServer(scene);
        var channel = scene.CreateChannel(server, static options => options.KeepConnected = true);
        await RefuseAsync(scene, channel, seconds: 50);
        var refusals = scene.Logs.Of("OnConnectedFailed");
        Assert.Equal((LogLevel.Error, "no"), (refusals[0].Level, refusals[0].Error!.Message));
        Assert.Contains("RefusedConnectionTests+Hook.OnConnectedAsync failed for the client at", refusals[0].Text, StringComparison.Ordinal);
        var told = Assert.Single(scene.Logs.Of("ClientConnectionClosed"), static entry => entry.Level == LogLevel.Warning);
        Assert.Contains("(Refused): Mux.Tests.Peers.RefusedConnectionTests+Hook.OnConnectedAsync has failed, so the server refuses this connection.", told.Text,
            StringComparison.Ordinal);
        Assert.DoesNotContain("It threw", told.Text, StringComparison.Ordinal);
        Assert.Empty(scene.Logs.Of("ClientReachedAgain"));

        await RefuseAsync(scene, channel, seconds: 20);
        Assert.Equal(2, scene.Logs.Of("ClientConnectionClosed").Count(static entry => entry.Level == LogLevel.Warning));

        _hook.IsDone = true;
        int opened = scene.Logs.Of("ClientConnectionOpened").Count;
        while (IsPausing(channel)) _time.Advance(TimeSpan.FromSeconds(0.1));
        await scene.Logs.ReachAsync("ClientConnectionOpened", opened + 1);
        _time.Advance(TimeSpan.FromSeconds(9.9));
        Assert.Empty(scene.Logs.Of("ClientReachedAgain"));
        await Eventually.Holds(
            () =>
            {
                _time.Advance(TimeSpan.FromSeconds(0.2));
                return scene.Logs.Of("ClientReachedAgain").Count == 1;
            },
            "the client to tell that the server is back");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_connection_is_refused_although_the_message_of_the_exception_throws()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        _hook.Error = new UnreadableException();
        var server = StartServer(scene, static options => options.DetailedErrors = true);
        scene.CreateChannel(server, static options => options.KeepConnected = true);
        var closed = await scene.Logs.ReachAsync("ClientConnectionClosed");
        Assert.Contains("UnreadableException: its message cannot be read.", closed[0].Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Many_clients_that_are_refused_at_once_are_one_error_and_a_number()
    {
        const int Clients = 20;
        var scene = Begin(TransportKind.InMemory, _time);
        var server = StartServer(scene);
        var channels = Enumerable.Range(0, Clients).Select(_ => scene.CreateChannel(server, static options => options.KeepConnected = true)).ToArray();
        await scene.Logs.ReachAsync("OnConnectedFailed", Clients);
        await Eventually.Holds(() => Array.TrueForAll(channels, IsPausing), "the pauses of the clients");
        Assert.Single(scene.Logs.Of("OnConnectedFailed"), static entry => entry.Level == LogLevel.Error);
        _time.Advance(TimeSpan.FromSeconds(1.2));
        var told = (await scene.Logs.ReachAsync("OnConnectedFailed", Clients + 1)).Where(static entry => entry.Level == LogLevel.Error).ToList();
        Assert.Equal(2, told.Count);
        Assert.EndsWith($"Similar messages at level Debug since the last one: {Clients - 1}.", told[1].Text, StringComparison.Ordinal);

        // A stop would let many connections go in waves, on time that nobody advances.
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost); // of one whose client is disposed while it is refused
        foreach (var channel in channels) await channel.DisposeAsync();
        await Eventually.Holds(() => server.Ledger!.Connections.Length == 0, "the end of all connections");
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Open_calls_are_answered_and_waiting_ones_learn_why_they_wait(TransportKind kind)
    {
        var scene = Begin(kind);
        var (running, end) = (new Signal("the handler"), new Signal("the end of the handler"));
        _atServer.OnBounce = async (_, _, _) =>
        {
            running.Set();
            await end.WaitAsync();
            return 0;
        };
        _hook.Before = running.WaitAsync;
        var server = StartServer(scene, static options => options.DetailedErrors = true);
        var proxy = scene.CreateChannel(server).CreateProxy<IBounce>();
        var open = await Assert.ThrowsAsync<MuxException>(async () => await proxy.Bounce(0, cancellationToken: TestContext.Current.CancellationToken));
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.MayHaveExecuted), (open.Status, open.Execution));
        Assert.EndsWith($"{_hook.GetType()}.OnConnectedAsync has failed, so the server refuses this connection. It threw System.InvalidOperationException: no", open.Message,
            StringComparison.Ordinal);
        await scene.Logs.ReachAsync("ClientConnectionClosed");
        var waits = await Assert.ThrowsAsync<MuxException>(async () => await proxy.Bounce(0, new MuxCallOptions { Timeout = TimeSpan.FromMilliseconds(100) }, TestContext.Current.CancellationToken));
        Assert.Equal((MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted), (waits.Status, waits.Execution));
        Assert.Contains("The last connection: The peer ended the connection (Refused)", waits.Message, StringComparison.Ordinal);
        end.Set();
    }

    private MuxServer StartServer(Scene scene, Action<MuxServerOptions>? configure = null)
    {
        scene.ExpectedErrors.Add("OnConnectedFailed");
        scene.ExpectedEnds.UnionWith([CloseReason.Refused, CloseReason.PeerError, CloseReason.Disposed]);
        return scene.StartServer(server => server.AddService<IBounce>(_atServer).AddPeerEvents(_hook), configure);
    }

    /// <summary>Counts the connections that are refused while time passes, a tenth of a second at each look.</summary>
    private async Task<int> CountAsync(Scene scene, int seconds)
    {
        int before = scene.Logs.Of("OnConnectedFailed").Count, looks = 0;
        await Eventually.Holds(
            () =>
            {
                _time.Advance(TimeSpan.FromSeconds(0.1));
                return ++looks == seconds * 10;
            },
            "time to pass");
        return scene.Logs.Of("OnConnectedFailed").Count - before;
    }

    /// <summary>Lets time pass while a client waits for its next dial, and not while it connects and is refused.</summary>
    /// <returns>Number of the connections that were refused, all of which both sides have told.</returns>
    private async Task<int> RefuseAsync(Scene scene, MuxChannel channel, int seconds)
    {
        int before = Refusals();
        var end = _time.GetUtcNow() + TimeSpan.FromSeconds(seconds);
        await Eventually.Holds(
            () =>
            {
                while (IsPausing(channel) && _time.GetUtcNow() < end) _time.Advance(TimeSpan.FromSeconds(0.1)); // it dials on this thread
                return _time.GetUtcNow() >= end && IsPausing(channel);
            },
            () => $"{seconds} s; it is {_time.GetUtcNow()} of {end}");
        return Refusals() - before;

        int Refusals() => scene.Logs.Of("ClientConnectionClosed").Count;
    }

    /// <summary>True if the next connection is made and not started: then it has no time for its handshake.</summary>
    private static bool IsPausing(MuxChannel channel) =>
        Array.Exists(channel.Ledger.Connections, static next => next is { State: ConnectionState.Connecting, NextDue: Clock.Never });

    private sealed class Hook : IMuxPeerEvents
    {
        public volatile bool IsDone;

        public Exception Error { get; set; } = new InvalidOperationException("no");

        public Func<Task> Before { get; set; } = static () => Task.CompletedTask;

        public async ValueTask OnConnectedAsync(MuxPeer peer, CancellationToken cancellationToken)
        {
            await Before();
            if (!IsDone) throw Error;
        }
    }

    private sealed class UnreadableException : Exception
    {
        public override string Message => throw new NotSupportedException();
    }
}
