using Mux.TestSupport.EndToEnd;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Forwarding;

/// <summary>What docs/gateway.md says that a call loses behind a gateway. Its other rows have tests next to these.</summary>
public sealed class LostBehindGatewayTests : GatewayTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Fact(Timeout = TestLimit)]
    public async Task A_service_sees_the_connection_of_the_gateway_whoever_calls()
    {
        var (shop, scene, service, gateway, proxy) = Start();
        List<MuxCallOptions> seen = [];
        shop.OnAsk = (question, options, _) =>
        {
            seen.Add(options!);
            return new(question);
        };
        await proxy.AskNow([1]);
        await scene.CreateChannel(gateway).CreateProxy<IShop>().AskNow([2]);
        await scene.CreateChannel(service).CreateProxy<IShop>().AskNow([3]);

        Assert.Equal([true, true, false], seen.Select(static options => options.IsForwarded));
        Assert.Same(seen[0].Caller, seen[1].Caller);
        Assert.Equal(seen[0].Peer, seen[1].Peer);
        Assert.NotSame(seen[0].Caller, seen[2].Caller);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_service_cannot_call_the_client_of_a_gateway()
    {
        var (shop, scene, service, _, proxy) = Start(client: Serve);
        shop.OnAsk = async (question, options, token) =>
        {
            try
            {
                return await options!.Caller!.Get<IShop>().Look(question, token);
            }
            catch (MuxException failure)
            {
                return [(byte)failure.Status];
            }
        };
        byte[] direct = await scene.CreateChannel(service, Serve).CreateProxy<IShop>().AskNow([200]), forwarded = await proxy.AskNow([200]);
        Assert.Equal(((byte)200, (byte)MuxStatus.Unavailable), (direct[0], forwarded[0]));

        static void Serve(MuxChannelOptions options) => options.AddService<IShop>(new Shop());
    }

    [Fact(Timeout = TestLimit)]
    public async Task Nobody_is_told_that_contracts_differ_through_a_gateway()
    {
        var scene = Begin(TransportKind.InMemory);
        var service = scene.StartServer(server => server.AddService<IDesk>(new Desk()));
        var gateway = scene.StartServer(server => server.AddRoute(new MuxRoute("*", scene.CreateChannel(service))));
        var sut = scene.CreateChannel(gateway).CreateProxy<IOtherDesk>();
        Assert.Equal(5, (await sut.AskPlainly(new LongerQuestion { Id = 5, Added = 1 })).Id);
        Assert.Equal(6, (await sut.AskInline(new Question { Id = 6 }, Token)).Id);
        Assert.DoesNotContain(scene.Logs.Entries, entry => entry.Name?.EndsWith("ContractDiffers", StringComparison.Ordinal) == true);
    }
}
