using Mux.Discovery;
using Mux.Sessions.Lifecycle;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

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

    private Scene BeginWithFailedDials()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectFailed, CloseReason.Disposed]);
        return scene;
    }

    private MuxChannel CreateChannel(Scene scene) => scene.CreateChannel(MuxAddress.Parse("mux://unused:1"), options =>
    {
        options.Endpoints = _source;
        options.Balancing.SubsetSize = 2;
    });
}
