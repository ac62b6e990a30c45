using Mux.Discovery;
using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Routing;

/// <summary>A channel that uses two of five servers.</summary>
public sealed class SubsetTests : EndToEndTests
{
    private readonly ScriptedSource _source = new();

    [Fact(Timeout = TestLimit)]
    public async Task A_channel_whose_servers_are_all_gone_uses_others()
    {
        var scene = BeginWithFailedDials();
        MuxServer[] servers = [.. Enumerable.Range(0, 5).Select(_ => scene.StartServer(server => server.AddService<IDesk>(new Desk())))];
        _source.Report(servers);
        var channel = CreateChannel(scene);
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        await Eventually.Holds(() => channel.GetEndpoints() is { Count: 2 } both && both.All(endpoint => endpoint.IsOpen), "two open endpoints");

        var used = channel.GetEndpoints().Select(endpoint => endpoint.Endpoint.Address).ToHashSet();
        foreach (var server in servers.Where(server => used.Contains(server.Address))) await server.StopAsync(TestContext.Current.CancellationToken);
        await Eventually.Holds(() => channel.GetEndpoints().Any(endpoint => endpoint.IsOpen && !used.Contains(endpoint.Endpoint.Address)), "another endpoint that is open");
        Assert.Equal(7, (await channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 7 })).Id);
        Assert.Equal(2, channel.GetEndpoints().Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_failure_tells_how_many_of_the_servers_are_used()
    {
        var scene = BeginWithFailedDials();
        _source.Report([.. Enumerable.Range(0, 5).Select(_ => new MuxEndpoint(scene.NobodysAddress()))]);
        var error = await Assert.ThrowsAsync<MuxException>(() => CreateChannel(scene).CreateProxy<IDesk>().AskPlainly(new Question()).AsTask().Within("the failure"));
        Assert.Equal((MuxStatus.Unavailable, MuxExecution.NotExecuted), (error.Status, error.Execution));
        Assert.Contains("None of the 2 endpoints that this client uses of the 5 of test://desks (SubsetSize) can be reached.", error.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Connections_that_work_are_not_dropped_for_servers_that_were_not_reached_yet()
    {
        const int Alive = 5, Dead = 45;
        var scene = BeginWithFailedDials();
        MuxServer[] servers = [.. Enumerable.Range(0, Alive).Select(_ => scene.StartServer(server => server.AddService<IDesk>(new Desk())))];
        _source.Report(servers);
        var channel = CreateChannel(scene, size: 20);
        await channel.ConnectAsync(TestContext.Current.CancellationToken);
        await channel.ChoosesAsync(Alive);
        var proxy = channel.CreateProxy<IDesk>();

        // More servers, which are all gone; and then a source that names quite others, so that those that are open are held for a while.
        MuxEndpoint[] more = [.. servers.Select(server => new MuxEndpoint(server.Address)), .. DeadOnes()];
        foreach (var set in (MuxEndpoint[][])[more, DeadOnes()])
        {
            long sets = _source.Taken.Count;
            _source.Report(set);
            await _source.Taken.ReachAsync(sets + 1);
            for (int i = 0; i < 100; i++) Assert.Equal(i, (await proxy.AskPlainly(new Question { Id = i })).Id);
            Assert.Equal(Alive, channel.GetEndpoints().Count(endpoint => endpoint.IsOpen));
        }

        MuxEndpoint[] DeadOnes() => [.. Enumerable.Range(0, Dead).Select(_ => new MuxEndpoint(scene.NobodysAddress()))];
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_channels_of_a_process_use_different_parts()
    {
        var scene = BeginWithFailedDials();
        MuxServer[] servers = [.. Enumerable.Range(0, 9).Select(_ => scene.StartServer(server => server.AddService<IDesk>(new Desk())))];
        var chosen = new HashSet<string>();
        for (int i = 0; i < 8; i++)
        {
            var source = new ScriptedSource();
            source.Report(servers);
            var channel = scene.CreateChannel(MuxAddress.Parse("mux://unused:1"), options =>
            {
                options.Endpoints = source;
                options.Balancing.SubsetSize = 2;
            });
            await channel.ConnectAsync(TestContext.Current.CancellationToken);
            chosen.Add(string.Join(' ', channel.GetEndpoints().Select(endpoint => endpoint.Endpoint.Address.ToString()).Order(StringComparer.Ordinal)));
        }

        Assert.InRange(chosen.Count, 2, 8);
    }

    private Scene BeginWithFailedDials()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectFailed, CloseReason.Disposed]);
        return scene;
    }

    private MuxChannel CreateChannel(Scene scene, int size = 2) => scene.CreateChannel(MuxAddress.Parse("mux://unused:1"), options =>
    {
        options.Endpoints = _source;
        options.Balancing.SubsetSize = size;
    });
}
