using Mux.Connections;
using Mux.Tests.Contracts;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.EndToEnd;

/// <summary>MaxConnections: who gets a place, who does not, and how that is told.</summary>
public sealed class ConnectionLimitTests : EndToEndTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_connection_that_is_gone_keeps_its_place_until_its_handlers_have_returned(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectionLost, CloseReason.Disposed]);
        var desk = new GatedDesk();
        var server = scene.StartServer(server => server.AddService<IDesk>(desk), options => options.MaxConnections = 1);
        var first = scene.CreateChannel(server);
        var call = first.CreateProxy<IDesk>().AskPlainly(new Question()).AsTask();
        await desk.Started.ReachAsync(1);
        first.Dispose();
        await Assert.ThrowsAsync<MuxException>(() => call);
        await scene.Logs.ReachAsync("ServerConnectionClosed");

        var second = scene.CreateChannel(server);
        await Assert.ThrowsAsync<MuxException>(() => second.ConnectAsync(TestContext.Current.CancellationToken));
        Assert.Contains("which together is MaxConnections", Assert.Single(await scene.Logs.ReachAsync("ServerConnectionRefused")).Text, StringComparison.Ordinal);
        Assert.Equal(1, server.GetStatistics().CallsActive);

        desk.AnswerOldest();
        await Eventually.Holds(() => server.GetStatistics().CallsActive == 0, "the end of the handler");
        await second.ConnectAsync(TestContext.Current.CancellationToken);
    }
}
