using Mux.Protocol;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Serializers;
using Mux.TestSupport.Transports;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Forwarding;

/// <summary>Calls with one reply or none pass a gateway as they are.</summary>
public sealed class ForwardedCallTests : GatewayTests
{
    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_request_and_its_reply_pass_whatever_their_length(TransportKind kind)
    {
        var (shop, _, service, gateway, proxy) = Start(kind);
        foreach (int length in new[] { 0, 1, 1_000, 16_384, 40_000, 200_000, 2_000_000 })
        {
            var bytes = Bytes(length, seed: length);
            Assert.Equal(bytes, await proxy.Ask(bytes, cancellationToken: TestContext.Current.CancellationToken));
        }

        await proxy.Tell(Bytes(300_000));
        await proxy.Tell([1]);
        await shop.Started.ReachAsync(9);
        await Eventually.Holds(() => gateway.GetStatistics().CallsCompleted == 9 && service.GetStatistics().CallsCompleted == 9, "nine calls at both servers");
    }

    [Fact(Timeout = TestLimit)]
    public async Task Bytes_that_no_one_can_decode_pass()
    {
        var scene = Begin(TransportKind.InMemory);
        var service = scene.StartServer(server => server.AddService<IRawEcho>(new RawEcho()));
        var gateway = scene.StartServer(server => server.AddRoute(new MuxRoute("*", scene.CreateChannel(service))));
        var proxy = scene.CreateChannel(gateway).CreateProxy<IRawEcho>();
        byte[] garbage = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x07];
        Assert.Equal(garbage, await proxy.Echo(garbage));
        Assert.Equal([garbage], await proxy.EchoAll(Shop.Repeat(garbage, 1), TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Many_calls_at_once_each_get_their_own_reply()
    {
        var (_, _, _, _, proxy) = Start(TransportKind.Epoll);
        var calls = Enumerable.Range(0, 500).Select(i => Task.Run(async () => Assert.Equal(Bytes(i, i), await proxy.AskNow(Bytes(i, i)))));
        await Task.WhenAll(calls).Within("500 calls");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_service_without_a_route_is_refused_and_its_name_is_told()
    {
        var scene = Begin(TransportKind.InMemory);
        var service = scene.StartServer(server => server.AddService<IShop>(new Shop()));
        var gateway = scene.StartServer(server => server.AddRoute(new MuxRoute("shop.Payments", scene.CreateChannel(service))));
        var error = await scene.CreateChannel(gateway).CreateProxy<IShop>().AskNow([1]).FailsAsync(
            MuxStatus.Unimplemented, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Contains("no route for 'shop.Orders'", error.Message, StringComparison.Ordinal);
        Assert.Equal(0, service.GetStatistics().CallsStarted);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_name_of_a_service_precedes_prefixes_and_a_longer_prefix_a_shorter_one()
    {
        var scene = Begin(TransportKind.InMemory);
        Shop all = new(), ours = new(), exact = new();
        var channels = new[] { all, ours, exact }.Select(shop => scene.CreateChannel(scene.StartServer(server => server.AddService<IShop>(shop)))).ToArray();
        foreach (var (patterns, expected) in new[] { (new[] { "*", "shop.*", "shop.Orders" }, exact), (["*", "shop.*"], ours), (["*", "shop.Order.*"], all) })
        {
            var gateway = scene.StartServer(server =>
            {
                for (int i = 0; i < patterns.Length; i++) server.AddRoute(new MuxRoute(patterns[i], channels[i]));
            });
            long before = expected.Started.Count;
            await scene.CreateChannel(gateway).CreateProxy<IShop>().AskNow([1]);
            Assert.Equal(before + 1, expected.Started.Count);
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_server_may_serve_and_forward()
    {
        var scene = Begin(TransportKind.InMemory);
        Shop own = new(), other = new();
        var service = scene.StartServer(server => server.AddService<IShop>(other).AddService<IRawEcho>(new RawEcho()));
        var both = scene.StartServer(server => server.AddService<IShop>(own).AddRoute(new MuxRoute("*", scene.CreateChannel(service))));
        var channel = scene.CreateChannel(both);
        await channel.CreateProxy<IShop>().AskNow([1]);
        Assert.Equal([2], await channel.CreateProxy<IRawEcho>().Echo([2]));
        Assert.Equal((1, 0), (own.Started.Count, other.Started.Count));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Priority_idempotence_and_the_mark_of_a_gateway_go_with_the_request()
    {
        var scene = Begin(TransportKind.InMemory);
        using var raw = new RawServer(scene, request => request.Respond([7]));
        var gateway = StartGateway(scene, scene.CreateChannel(raw.Address));
        var proxy = scene.CreateChannel(gateway).CreateProxy<IShop>();
        await proxy.Look([1], TestContext.Current.CancellationToken);
        await proxy.Ask([1], cancellationToken: TestContext.Current.CancellationToken);
        var passed = GatewayMarks.OptionsOf(1);
        Assert.Equal(
            [passed | (RequestOptions)MuxCallPriority.High | RequestOptions.Idempotent, passed],
            raw.Requests.Select(request => request.Options));
        Assert.All(raw.Requests, request => Assert.Equal([1], request.Body)); // nothing before it: the short way of small requests
    }

    [Fact(Timeout = TestLimit)]
    public async Task Patterns_are_checked_and_each_has_one_route()
    {
        var scene = Begin(TransportKind.InMemory);
        var channel = scene.CreateChannel(scene.StartServer(_ => { }));
        foreach (var pattern in new[] { "", "a*b", "**", "shop/Orders", "shop Orders", "sh\u00F6p" })
        {
            Assert.Contains("is not a pattern", Assert.Throws<ArgumentException>(() => new MuxRoute(pattern, channel)).Message, StringComparison.Ordinal);
        }

        var server = new MuxServer("mux://127.0.0.1:0").AddRoute(new MuxRoute("a.*", channel));
        Assert.Contains("'a.*' is mapped", Assert.Throws<InvalidOperationException>(() => server.AddRoute(new MuxRoute("a.*", channel))).Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => server.AddRoute(new MuxRoute("b", channel) { AllowAnonymous = true, Policy = "p" }));
        await server.DisposeAsync();
    }
}
