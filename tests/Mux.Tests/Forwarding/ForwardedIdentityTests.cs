using System.Security.Cryptography;
using Mux.Contracts;
using Mux.Identity;
using Mux.TestSupport.EndToEnd;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Forwarding;

/// <summary>Who calls: the gateway decides who may, and tells the service, which believes a gateway alone.</summary>
public sealed class ForwardedIdentityTests : GatewayTests
{
    private static readonly SharedKey s_alice = Key("alice", "clerk"), s_front = Key("front"), s_stranger = Key("stranger", "clerk");

    private readonly MuxMetadata _seen = [];
    private string? _user;

    [Theory(Timeout = TestLimit)]
    [InlineData("front", "alice")]
    [InlineData("stranger", "stranger")]
    public async Task A_service_believes_the_name_of_the_caller_of_a_gateway_alone(string gatewayKey, string expected)
    {
        var (gateway, scene) = StartPair(gatewayKey == "front" ? s_front : s_stranger, _ => { });
        await CallAsync(scene, gateway, s_alice);
        Assert.Equal(expected, _user);
        Assert.Equal(["own"], _seen.Select(entry => entry.Key)); // the keys of gateways are not shown
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(1, false)]
    [InlineData(1, true)]
    [InlineData(2, false)]
    [InlineData(2, true)]
    public async Task An_anonymous_caller_of_gateways_may_call_what_an_anonymous_client_may_and_has_no_name(int gateways, bool isForEverybody)
    {
        var (gateway, scene) = StartPair(s_front, options => options.Identity = null, isForEverybody);
        for (; gateways > 1; gateways--) gateway = StartGateway(scene, scene.CreateChannel(gateway, options => options.Credentials = null));
        if (isForEverybody) await CallAsync(scene, gateway, null);
        else await CallAsync(scene, gateway, null).FailsAsync(MuxStatus.Unauthenticated, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        Assert.Null(_user);
        Assert.Equal(isForEverybody ? 1 : 0, _seen.Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_gateway_takes_no_anonymous_callers_of_a_gateway_that_it_believes()
    {
        var (first, scene) = StartPair(s_front, _ => { });
        var second = StartGateway(scene, scene.CreateChannel(first, options => options.Credentials = new SharedKeyCredentials(s_front)));
        await CallAsync(scene, second, null).FailsAsync(MuxStatus.Unauthenticated, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_name_passes_several_gateways_and_a_client_cannot_choose_it()
    {
        var (first, scene) = StartPair(s_front, _ => { });
        var second = StartGateway(scene, scene.CreateChannel(first, options => options.Credentials = new SharedKeyCredentials(s_front)), Identify);
        await CallAsync(scene, second, s_alice);
        Assert.Equal("alice", _user);

        var proxy = scene.CreateChannel(second, options => options.Credentials = new SharedKeyCredentials(s_stranger)).CreateProxy<IShop>();
        MuxMetadata forged = [];
        forged.AddReserved("mux-caller", "root"u8.ToArray());
        await proxy.AskNow([1], new MuxCallOptions { Metadata = forged });
        Assert.Equal("stranger", _user);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_route_decides_who_may_call()
    {
        var (_, scene) = StartPair(s_front, _ => { });
        var channel = scene.CreateChannel(scene.StartServer(server => server.AddService<IShop>(new Shop())));
        foreach (var (configure, allowed) in new (Action<MuxRoute>, bool)[]
        {
            (_ => { }, true),
            (route => route.Roles = "clerk, boss", true),
            (route => route.Roles = "boss", false),
            (route => route.Policy = "isAlice", true),
            (route => route.Policy = "isBob", false),
            (route => route.AllowAnonymous = true, true),
        })
        {
            var route = new MuxRoute(Pattern, channel);
            configure(route);
            var gateway = scene.StartServer(server => server.AddRoute(route), options =>
            {
                Identify(options);
                if (route.Policy is null) return;
                options.Identity!.Policies["isAlice"] = user => user.Identity!.Name == "alice";
                options.Identity.Policies["isBob"] = _ => false;
            });
            var proxy = scene.CreateChannel(gateway, options => options.Credentials = new SharedKeyCredentials(s_alice)).CreateProxy<IShop>();
            if (allowed) await proxy.AskNow([1]);
            else await proxy.AskNow([1]).FailsAsync(MuxStatus.PermissionDenied, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
        }
    }

    private static SharedKey Key(string id, params string[] roles) => new(id, RandomNumberGenerator.GetBytes(32), roles);

    private static void Identify(MuxServerOptions options) =>
        options.Identity = new MuxIdentityOptions { SharedKeys = { s_alice, s_front, s_stranger }, Gateways = { "front" } };

    private static async Task CallAsync(Scene scene, MuxServer gateway, SharedKey? key)
    {
        var proxy = scene.CreateChannel(gateway, options => options.Credentials = key is null ? null : new SharedKeyCredentials(key)).CreateProxy<IShop>();
        await proxy.AskNow([1], new MuxCallOptions { Metadata = new MuxMetadata { ["own"] = "yes" } });
    }

    /// <summary>Starts a service that notes whom it sees, and a gateway that shows a key to it.</summary>
    private (MuxServer Gateway, Scene Scene) StartPair(SharedKey key, Action<MuxServerOptions> gateway, bool isForEverybody = false)
    {
        var scene = Begin(TransportKind.InMemory);
        var shop = new Shop
        {
            OnAsk = (question, options, _) =>
            {
                _user = options!.User?.Identity?.Name;
                foreach (var entry in options.Metadata!) _seen[entry.Key] = entry.Text;
                return new(question);
            },
        };
        var everybody = new MethodAuthorization(allowsAnonymous: true, requiresUser: false, [], []);
        var service = scene.StartServer(server => _ = isForEverybody ? server.AddService<IShop>(shop, everybody) : server.AddService<IShop>(shop), Identify);
        var channel = scene.CreateChannel(service, options => options.Credentials = new SharedKeyCredentials(key));
        return (StartGateway(scene, channel, options =>
        {
            Identify(options);
            gateway(options);
        }), scene);
    }
}
