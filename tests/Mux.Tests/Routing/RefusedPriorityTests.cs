using System.Collections.Concurrent;
using Mux.Discovery;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.Transports;

namespace Mux.Tests.Routing;

/// <summary>Servers that are overloaded say so: calls of a priority that all of them refuse fail at the client, and cost the servers nothing.</summary>
public sealed class RefusedPriorityTests : EndToEndTests, IDisposable
{
    private const int NoLow = 42, NoNormal = 21; // levels, PROTOCOL.md section 3.6

    private readonly ManualTime _time = new();
    private readonly ScriptedSource _source = new();
    private readonly Counter _requests = new("requests at servers that refuse");
    private readonly List<ITransportListener> _listeners = [];
    private readonly ConcurrentBag<LeasingServer> _servers = [];

    public void Dispose()
    {
        foreach (var listener in _listeners) listener.Dispose();
    }

    [Fact(Timeout = TestLimit)]
    public async Task Calls_that_all_servers_refuse_fail_without_being_sent()
    {
        var scene = Start();
        _source.Report([Leasing(scene, NoLow), Leasing(scene, NoNormal)]);
        var (channel, proxy) = await ConnectAsync(scene);
        await Eventually.Holds(() => channel.Table().States.All(state => state.Refuses(MuxCallPriority.Low)), "both levels");

        for (int i = 0; i < 20; i++)
        {
            var error = await Assert.ThrowsAsync<MuxException>(() => AskAsync(proxy, MuxCallPriority.Low).Within("the failure"));
            Assert.Equal((MuxStatus.ResourceExhausted, MuxExecution.NotExecuted), (error.Status, error.Execution));
            Assert.InRange(error.RetryAfter!.Value.TotalMilliseconds, 1, 1_100);
            Assert.Contains("All 2 open endpoints of test://desks have said that they are overloaded and refuse calls of priority Low", error.Message, StringComparison.Ordinal);
        }

        Assert.Equal((0, 20), (_requests.Count, channel.GetStatistics().CallsCompleted));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_call_goes_to_the_server_that_takes_its_priority()
    {
        var scene = Start();
        var desk = new Desk();
        _source.Report([Leasing(scene, NoNormal), new MuxEndpoint(scene.StartServer(server => server.AddService<IDesk>(desk)).Address), Leasing(scene, NoNormal)]);
        var (channel, proxy) = await ConnectAsync(scene);
        await channel.ChoosesAsync(3);
        await Eventually.Holds(() => channel.Table().States.Count(state => state.Refuses(MuxCallPriority.Normal)) == 2, "two levels");

        for (int i = 0; i < 50; i++) await AskAsync(proxy, MuxCallPriority.Normal).Within("an answer");
        for (int i = 0; i < 50; i++)
        {
            using var scope = new MuxCallOptions { Key = $"key {i}" }.Apply();
            await proxy.AskPlainly(new Question { Id = i }).AsTask().Within("the answer for a key");
        }

        Assert.Equal((0, 100), (_requests.Count, desk.Started.Count));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Once_a_level_is_over_calls_are_sent_again()
    {
        var scene = Start();
        _source.Report([Leasing(scene, NoLow)]);
        var (channel, proxy) = await ConnectAsync(scene);
        await Eventually.Holds(() => channel.Table().States.All(state => state.Refuses(MuxCallPriority.Low)), "the level");
        await Assert.ThrowsAsync<MuxException>(() => AskAsync(proxy, MuxCallPriority.Low).Within("the failure"));

        _time.Advance(TimeSpan.FromMilliseconds(1_100));
        var call = AskAsync(proxy, MuxCallPriority.Low);

        await _requests.ReachAsync(1);
        await EndAsync(call);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Calls_of_other_priorities_are_sent()
    {
        var scene = Start();
        _source.Report([Leasing(scene, NoLow)]);
        var (channel, proxy) = await ConnectAsync(scene);
        await Eventually.Holds(() => channel.Table().States.All(state => state.Refuses(MuxCallPriority.Low)), "the level");

        Task[] calls = [AskAsync(proxy, MuxCallPriority.Normal), AskAsync(proxy, MuxCallPriority.High)];

        await _requests.ReachAsync(2);
        await EndAsync(calls);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_utilisation_that_a_server_tells_counts_as_calls()
    {
        var scene = Start();
        _source.Report([Leasing(scene, NoLow)]);
        var (channel, _) = await ConnectAsync(scene);
        await Eventually.Holds(() => channel.Table().States[0].Hint.LoadAt(channel.Table().Now) is > 7.5 and <= 8, "eight calls, less what has faded");
    }

    private static async Task AskAsync(IDesk proxy, MuxCallPriority priority)
    {
        using var scope = new MuxCallOptions { Priority = priority }.Apply();
        await proxy.AskPlainly(new Question());
    }

    /// <summary>Ends the connections with calls that no server answers.</summary>
    private async Task EndAsync(params Task[] calls)
    {
        Assert.All(calls, call => Assert.False(call.IsCompleted));
        foreach (var server in _servers) server.End();
        foreach (var call in calls) await Assert.ThrowsAsync<MuxException>(() => call.Within("the end of a call"));
    }

    private Scene Start()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedEnds.UnionWith([CloseReason.Disposed, CloseReason.ConnectionLost, CloseReason.Drained, CloseReason.ConnectFailed]); // a scripted server takes no part in a drain
        return scene;
    }

    private MuxEndpoint Leasing(Scene scene, int level)
    {
        var lease = new LeaseFrame(100, 1_000, level, 900);
        var listener = scene.Transport.Listen(scene.FreeAddress(), link =>
        {
            var server = new LeasingServer(link, lease, _requests);
            _servers.Add(server);
            link.Start(server);
        });
        _listeners.Add(listener);
        return new MuxEndpoint(listener.Address);
    }

    private async Task<(MuxChannel Channel, IDesk Proxy)> ConnectAsync(Scene scene)
    {
        var channel = scene.CreateChannel(MuxAddress.Parse("mux://unused:1"), options =>
        {
            options.Endpoints = _source;
            options.DrainTimeout = TimeSpan.Zero;
        });
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        return (channel, channel.CreateProxy<IDesk>());
    }
}
