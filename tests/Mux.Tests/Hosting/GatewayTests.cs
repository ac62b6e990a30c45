using Microsoft.Extensions.DependencyInjection;
using Mux.Tests.Contracts;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Hosting;

/// <summary>A gateway in a host: its routes come from code and from the configuration.</summary>
public sealed class GatewayTests : HostingTests
{
    private const string Service = "mux://service:7070", Elsewhere = "mux://elsewhere:7070";

    [Fact(Timeout = TestLimit)]
    public async Task Routes_of_code_forward_to_clients_by_name()
    {
        await using var service = await StartServiceAsync(Service);
        var builder = NewHost();
        builder.Services.AddKeyedMuxClient("desks", Service);
        builder.Services.AddMuxServer(Address).AddGateway(routes => routes.Map("test.Desk", "desks"));
        await using var gateway = await StartAsync(builder);
        await AssertForwardsAsync();
    }

    [Fact(Timeout = TestLimit)]
    public async Task Routes_of_the_configuration_are_overridden_by_those_of_code_with_the_same_pattern()
    {
        await using var service = await StartServiceAsync(Service);
        var builder = NewHost(
            ("Mux:Server:Address", Address), ("Mux:Clients:desks:Address", Service), ("Mux:Clients:others:Address", Elsewhere),
            ("Mux:Gateway:Routes:test.Desk", "others"), ("Mux:Gateway:Routes:test.*:Client", "desks"));
        builder.Services.AddKeyedMuxClient("desks");
        builder.Services.AddKeyedMuxClient("others");
        builder.Services.AddMuxServer().AddGateway(routes => routes.Map("test.Desk", "desks"));
        await using var gateway = await StartAsync(builder);
        await AssertForwardsAsync();
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_route_without_a_client_forwards_to_the_client_without_a_name()
    {
        await using var service = await StartServiceAsync(Service);
        var builder = NewHost();
        builder.Services.AddMuxClient(Service);
        builder.Services.AddMuxServer(Address).AddGateway(routes => routes.MapPrefix("test."));
        await using var gateway = await StartAsync(builder);
        await AssertForwardsAsync();
    }

    [Fact(Timeout = TestLimit)]
    public async Task All_mistakes_fail_the_start_of_the_host_with_their_places()
    {
        var builder = NewHost(
            ("Mux:Gateway:Routs:a", "b"), ("Mux:Gateway:Routes:shop.A", "nobody"), ("Mux:Gateway:Routes:shop.B:Clint", "x"),
            ("Mux:Gateway:Routes:shop.C:AllowAnonymous", "perhaps"), ("Mux:Gateway:Routes:shop/D", "desks"), ("Mux:Gateway:Routes:shop.F:MaxCalls", "many"),
            ("Mux:Gateway:Routes:shop.G:Client", "desks"), ("Mux:Gateway:Routes:shop.G:MaxRequestStreams", "0"));
        builder.Services.AddKeyedMuxClient("desks", Service);
        builder.Services.AddMuxServer(Address).AddGateway(routes => routes.Map("shop.E", "desks").Map("shop.E", "desks"));
        var error = await FailsToStartAsync<InvalidOperationException>(builder);
        foreach (var expected in new[]
        {
            "Mux:Gateway:Routs: there is no such option; known options: Routes.",
            "The route 'shop.A' needs the client 'nobody', which was not added: call AddKeyedMuxClient(\"nobody\").",
            "Mux:Gateway:Routes:shop.B:Clint: there is no such option; known options: AllowAnonymous, Claims, Client, MaxCalls, MaxRequestStreams, Policy, Roles.",
            "Mux:Gateway:Routes:shop.C:AllowAnonymous: 'perhaps' is not true or false.",
            "The route 'shop.B' needs the client without a name",
            "'shop/D' is not a pattern of services",
            "'shop.E' is mapped 2 times in code",
            "Mux:Gateway:Routes:shop.F:MaxCalls: 'many' is not a number.",
            "The route 'shop.G' has MaxRequestStreams 0; allowed are 1 to 1000000000.",
        })
        {
            Assert.Contains(expected, error.Message, StringComparison.Ordinal);
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_gateway_without_routes_does_not_start()
    {
        var builder = NewHost();
        builder.Services.AddMuxServer(Address).AddGateway();
        Assert.StartsWith("The gateway has no routes", (await FailsToStartAsync<InvalidOperationException>(builder)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_prefix_is_not_mapped_as_a_service()
    {
        var server = NewHost().Services.AddMuxServer(Address);
        Assert.Contains("MapPrefix(\"shop.\"", Assert.Throws<ArgumentException>(() => server.AddGateway(routes => routes.Map("shop.*", "x"))).Message, StringComparison.Ordinal);
    }

    private Task<RunningHost> StartServiceAsync(string address)
    {
        var builder = NewHost();
        builder.Services.AddMuxServer(address).AddService<IDesk, Desk>();
        return StartAsync(builder);
    }

    private async Task AssertForwardsAsync()
    {
        await using var channel = MuxChannel.Create(new MuxChannelOptions { Address = Address, Transport = Transport });
        Assert.Equal(7, (await channel.CreateProxy<IDesk>().AskPlainly(new Question { Id = 7 })).Id);
    }
}
