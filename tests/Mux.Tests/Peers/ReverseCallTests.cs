using Mux.Calls;
using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Peers;

/// <summary>Calls from a server to its client, and back.</summary>
public sealed class ReverseCallTests : EndToEndTests
{
    private const int Depth = 8;

    private readonly Bouncer _atServer = new();
    private readonly Bouncer _atClient = new();

    [Fact(Timeout = TestLimit)]
    public async Task A_call_to_one_peer_is_never_sent_again_and_keeps_no_copy_of_its_request()
    {
        var scene = Begin(TransportKind.InMemory);
        var (running, end) = (new Signal("the handler"), new Signal("the end of the handler"));
        var server = scene.StartServer(server => server.AddService<IBounce>(new Bouncer
        {
            OnEcho = async bytes =>
            {
                running.Set();
                await end.WaitAsync();
                return bytes;
            },
        }));
        long kept = -1;
        var channel = scene.CreateChannel(server, options => options.OnOpened = async (peer, token) =>
        {
            var call = peer.Get<IBounce>().Echo(new byte[100_000], token);
            await running.WaitAsync();
            kept = ((ConnectionPeer)peer).Calls.KeptBytes.Used;
            end.Set();
            await call;
        });
        await channel.ConnectAsync(TestContext.Current.CancellationToken).Within("the connection");
        Assert.Equal(0, kept);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Calls_go_to_and_fro_between_a_client_and_its_server(TransportKind kind)
    {
        const int Calls = 10;
        var (server, channel) = Start(Begin(kind));
        var sut = channel.CreateProxy<IBounce>();
        var calls = Enumerable.Range(0, Calls).Select(_ => sut.Bounce(Depth, cancellationToken: TestContext.Current.CancellationToken).AsTask()).ToList();
        foreach (var call in calls) Assert.Equal(Depth, await call.Within("a call that goes to and fro"));
        Assert.Equal(Calls * Depth / 2, _atClient.Bounced.Count);
        Assert.Equal((Calls * Depth / 2, Calls * Depth / 2), (server.GetStatistics().ReverseCallsStarted, channel.GetStatistics().ReverseCallsCompleted));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_server_makes_calls_of_every_kind(TransportKind kind)
    {
        var token = TestContext.Current.CancellationToken;
        var peer = await StartAndFindPeerAsync(Begin(kind));
        var sut = peer.Get<IBounce>();
        await sut.Tell("one way");
        await _atClient.Tellings.ReachAsync(1);
        Assert.Equal(Enumerable.Range(1, 500), await sut.Count(500, token).ToListAsync(token));
        var large = new byte[300_000];
        Random.Shared.NextBytes(large);
        Assert.Equal(large, await sut.Echo(large, token).AsTask().Within("a large reply"));
        Assert.Same(sut, peer.Get<IBounce>());
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_cancel_at_any_hop_ends_the_hops_behind_it(TransportKind kind)
    {
        var scene = Begin(kind);
        var (_, channel) = Start(scene);
        for (int hop = 0; hop < Depth; hop++)
        {
            using var cancellation = new CancellationTokenSource();
            var last = new Signal($"the last handler, to be cancelled at hop {hop}");
            var told = new Signal($"the token of the last handler, cancelled at hop {hop}");
            int cancelled = hop;
            Func<int, MuxPeer, CancellationToken, ValueTask<int>> bounce = async (timesLeft, caller, token) =>
            {
                if (timesLeft > 0)
                {
                    bool isHop = Depth - timesLeft + 1 == cancelled;
                    return 1 + await caller.Get<IBounce>().Bounce(timesLeft - 1, cancellationToken: isHop ? cancellation.Token : token);
                }

                await using var registration = token.Register(told.Set);
                last.Set();
                await told.WaitAsync();
                token.ThrowIfCancellationRequested();
                return 0;
            };
            _atClient.OnBounce = _atServer.OnBounce = bounce;
            var call = channel.CreateProxy<IBounce>().Bounce(Depth, cancellationToken: hop == 0 ? cancellation.Token : default).AsTask();
            await last.WaitAsync();
            await cancellation.CancelAsync();
            await told.WaitAsync();
            if (hop == 0) await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call.Within("the cancelled call"));
            else await Assert.ThrowsAsync<MuxException>(() => call.Within("the call whose handler was cancelled"));
        }

        scene.ExpectedErrors.Add("HandlerFailed"); // a handler whose own token is not cancelled fails with the cancel of the call that it made
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_cycle_without_a_deadline_ends_because_no_call_waits_for_ever_for_a_peer_that_takes_none(TransportKind kind)
    {
        const int Most = 10;
        var time = new ManualTime();
        var scene = Begin(kind, time);
        scene.ExpectedErrors.Add("HandlerFailed"); // of each handler of the cycle: the failure of the call that it made is not its own
        var (_, channel) = Start(scene, options => options.MaxCallsPerConnection = Most);
        MuxException? last = null;
        _atServer.OnBounce = async (timesLeft, caller, token) =>
        {
            try
            {
                return await Bouncer.BounceOn(timesLeft, caller, token);
            }
            catch (MuxException e)
            {
                last ??= e;
                throw;
            }
        };
        var cycle = channel.CreateProxy<IBounce>().Bounce(int.MaxValue, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        await _atClient.Bounced.ReachAsync(Most);
        await _atServer.Bounced.ReachAsync(Most + 1);
        await Eventually.Holds(
            () =>
            {
                time.Advance(TimeSpan.FromSeconds(1));
                return cycle.IsCompleted;
            },
            "the end of a cycle");
        await Assert.ThrowsAsync<MuxException>(() => cycle);
        Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), (last!.Status, last.Execution));
        Assert.Contains("has taken none of the calls that wait for it for 5 s", last.Message, StringComparison.Ordinal);
        Assert.Equal(Most, _atClient.Bounced.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_beyond_the_limit_of_the_client_waits_until_another_has_ended(TransportKind kind)
    {
        const int Most = 3;
        var release = new Signal("the release of the handlers of the client");
        _atClient.OnBounce = async (_, _, _) =>
        {
            await release.WaitAsync();
            return 0;
        };
        var peer = await StartAndFindPeerAsync(Begin(kind), options => options.MaxCallsPerConnection = Most);
        var open = Enumerable.Range(0, Most).Select(_ => peer.Get<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken).AsTask()).ToList();
        await _atClient.Bounced.ReachAsync(Most);
        var waits = peer.Get<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        Assert.False(waits.IsCompleted);
        release.Set();
        Assert.Equal(0, await waits.Within("the call that waits"));
        foreach (var call in open) await call.Within("a call within the limit");
        Assert.Equal(0, await peer.Get<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("a call after the others"));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_client_that_serves_nothing_takes_no_call(TransportKind kind)
    {
        var scene = Begin(kind);
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer));
        await scene.CreateChannel(server).ConnectAsync(TestContext.Current.CancellationToken);
        var peer = await PeerOfAsync(server);
        var failure = await Assert.ThrowsAsync<MuxException>(() => peer.Get<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("a call that nobody takes"));
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted), (failure.Status, failure.Execution));
        Assert.Contains(
            "The peer accepts no calls: its limit of concurrent calls is 0. If it is a client, add a service to its options (AddService)", failure.Message, StringComparison.Ordinal);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_call_in_a_handler_ends_no_later_than_the_handlers_own(TransportKind kind)
    {
        var (_, channel) = Start(Begin(kind), options => options.InheritDeadlines = false);
        double left = 0;
        _atServer.OnBounce = async (_, caller, _) =>
        {
            left = await caller.Get<IBounce>().TimeLeft();
            return 0;
        };
        await channel.CreateProxy<IBounce>().Bounce(0, new MuxCallOptions { Timeout = TimeSpan.FromMinutes(1) }, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("a call with a deadline");
        Assert.InRange(left, 1, 60_000);
        await channel.CreateProxy<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("a call without a deadline");
        Assert.Equal(-1, left);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_client_that_vanishes_leaves_calls_that_may_have_run_and_later_ones_that_have_not(TransportKind kind)
    {
        const int Calls = 20;
        var release = new Signal("the release of the handlers of the client");
        _atClient.OnBounce = async (_, _, _) =>
        {
            await release.WaitAsync();
            return 0;
        };
        var scene = Begin(kind);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Disposed]);
        var (server, channel) = Start(scene);
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        var peer = await PeerOfAsync(server);
        var closed = new Signal("the token of the peer");
        await using var registration = peer.Closed.Register(closed.Set);
        var calls = Enumerable.Range(0, Calls).Select(_ => peer.Get<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken).AsTask()).ToList();
        await _atClient.Bounced.ReachAsync(Calls);
        channel.Dispose();
        foreach (var call in calls)
        {
            var failure = await Assert.ThrowsAsync<MuxException>(() => call.Within("a call to a client that is gone"));
            Assert.Equal((MuxStatus.Unavailable, MuxExecution.MayHaveExecuted), (failure.Status, failure.Execution));
        }

        await closed.WaitAsync();
        var late = await Assert.ThrowsAsync<MuxException>(() => peer.Get<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken).AsTask().Within("a call after the end"));
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted), (late.Status, late.Execution));
        Assert.Empty(server.Peers);
        release.Set();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_client_may_dispose_its_channel_in_a_handler(TransportKind kind)
    {
        var scene = Begin(kind);
        var (server, channel) = Start(scene, options => options.DrainTimeout = TimeSpan.FromMilliseconds(50));
        _atClient.OnBounce = async (_, _, _) =>
        {
            await channel.DisposeAsync();
            return 0;
        };
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        var call = (await PeerOfAsync(server)).Get<IBounce>().Bounce(0, cancellationToken: TestContext.Current.CancellationToken).AsTask();
        var failure = await Assert.ThrowsAsync<MuxException>(() => call.Within("a call whose handler ends its channel"));
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.MayHaveExecuted), (failure.Status, failure.Execution));
    }

    private (MuxServer Server, MuxChannel Channel) Start(Scene scene, Action<MuxChannelOptions>? configure = null)
    {
        var server = scene.StartServer(server => server.AddService<IBounce>(_atServer));
        var channel = scene.CreateChannel(server, options =>
        {
            options.AddService<IBounce>(_atClient);
            configure?.Invoke(options);
        });
        return (server, channel);
    }

    private async Task<MuxPeer> StartAndFindPeerAsync(Scene scene, Action<MuxChannelOptions>? configure = null)
    {
        var (server, channel) = Start(scene, configure);
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        return await PeerOfAsync(server);
    }

    /// <summary>A client is connected a moment before its server knows it.</summary>
    private static async Task<MuxPeer> PeerOfAsync(MuxServer server)
    {
        await Eventually.Holds(() => server.Peers.Count == 1, "the server to know its client");
        return server.Peers.Single();
    }
}
