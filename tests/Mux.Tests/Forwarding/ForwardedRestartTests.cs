using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Routing;

namespace Mux.Tests.Forwarding;

/// <summary>Gateways, and the servers behind them, are replaced one after another under load: their callers notice nothing.</summary>
public sealed class ForwardedRestartTests : GatewayTests
{
    private const int Rounds = 4, Callers = 16, CallsPerRound = 200;

    private readonly Shop _shop = new();
    private readonly List<ScriptedSource> _ofGateways = []; // each channel of a gateway has one
    private readonly ScriptedSource _ofClient = new();

    [Theory(Timeout = TestLimit)]
    [InlineData(TransportKind.InMemory)]
    [InlineData(TransportKind.Epoll)]
    public async Task No_call_is_lost_while_two_gateways_and_two_servers_are_replaced_in_turn(TransportKind kind)
    {
        var scene = Begin(kind);
        // A channel may dial the old one before it learns of the new one, and the old one may lose that connection while it stops.
        scene.ExpectedEnds.UnionWith([CloseReason.ConnectFailed, CloseReason.Disposed, CloseReason.ConnectionLost]);
        List<MuxServer> services = [StartService(scene), StartService(scene)];
        List<MuxServer> gateways = [StartGateway(scene, services), StartGateway(scene, services)];
        _ofClient.Report(gateways);
        var channel = scene.CreateChannel(gateways[0], options => options.Endpoints = _ofClient);
        var proxy = channel.CreateProxy<IShop>();
        bool isOver = false;
        var callers = Enumerable.Range(0, Callers).Select(caller => Task.Run(async () =>
        {
            for (int number = caller; !Volatile.Read(ref isOver); number += Callers)
            {
                Assert.Equal(number, BitConverter.ToInt32(await proxy.AskNow(BitConverter.GetBytes(number))));
            }
        })).ToArray();
        for (int round = 1; round <= Rounds; round++)
        {
            await ReplaceAsync(gateways, round % 2, StartGateway(scene, services), _ofClient.Report);
            await ReplaceAsync(services, round % 2, StartService(scene), servers => _ofGateways.ForEach(source => source.Report(servers)));
        }

        Volatile.Write(ref isOver, true);
        await Task.WhenAll(callers).Within("the last replies");
        Assert.Equal(_shop.Started.Count, channel.GetStatistics().CallsCompleted); // each ran once

        async Task ReplaceAsync(List<MuxServer> servers, int place, MuxServer next, Action<IEnumerable<MuxServer>> report)
        {
            await Task.WhenAny(_shop.Started.ReachAsync(_shop.Started.Count + CallsPerRound), Task.WhenAll(callers)); // a caller that has failed says why below
            var old = servers[place];
            servers[place] = next;
            report([.. servers, old]);
            await old.StopAsync(TestContext.Current.CancellationToken).Within("the end of the old one");
            Assert.Equal(0, old.GetStatistics().CallsActive);
            report(servers);
        }
    }

    private MuxServer StartService(Scene scene) => scene.StartServer(server => server.AddService<IShop>(_shop));

    private MuxServer StartGateway(Scene scene, IReadOnlyList<MuxServer> services)
    {
        var source = new ScriptedSource();
        source.Report(services);
        _ofGateways.Add(source);
        return StartGateway(scene, scene.CreateChannel(services[0], options => options.Endpoints = source), static options => options.DetailedErrors = true);
    }
}
