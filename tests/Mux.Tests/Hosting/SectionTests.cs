using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace Mux.Tests.Hosting;

/// <summary>A section that nothing reads is a mistake, unless it is meant for another process that shares the file.</summary>
public sealed class SectionTests : HostingTests
{
    [Fact]
    public async Task A_section_of_a_client_that_was_not_added_is_named_with_those_that_were()
    {
        var builder = NewHost(("Mux:Clients:orders:MinConnections", "2"), ("Mux:Clients:STOCK:MinConnections", "2"));
        builder.Services.AddKeyedMuxClient("ordrs", Address);
        builder.Services.AddKeyedMuxClient("stock", Address);
        builder.Services.AddMuxClient(Address);
        var error = await FailsToStartAsync<OptionsValidationException>(builder);
        Assert.Equal("Mux:Clients:orders: no client of this name was added; added clients: Default, ordrs, stock.", error.Message);
    }

    [Fact]
    public async Task A_section_that_is_none_is_named_with_those_there_are()
    {
        var builder = NewHost(("Mux:Servr:MaxConnections", "2"), ("Mux:Client", "mux://host:1"));
        builder.Services.AddMuxServer(Address);
        var error = await FailsToStartAsync<OptionsValidationException>(builder);
        Assert.Equal("Mux:Client: there is no such section; known sections: Server, Clients, Gateway, Redis; Mux:Servr: there is no such section; known sections: Server, Clients, Gateway, Redis.", error.Message);
    }

    [Fact]
    public async Task An_unknown_section_is_named_together_with_wrong_options()
    {
        var builder = NewHost(("Mux:Clients:orders:Address", Address));
        builder.Services.AddKeyedMuxClient("ordrs");
        var error = await FailsToStartAsync<AggregateException>(builder);
        Assert.Equal(
            ["Mux:Clients:orders", "Mux:Clients:ordrs:Address"],
            error.InnerExceptions.Cast<OptionsValidationException>().SelectMany(inner => inner.Failures).Select(failure => failure.Split(": ")[0]).Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Processes_that_serve_and_processes_that_call_share_a_file()
    {
        (string, string)[] file = [("mux:server:maxConnections", "2"), ("mux:clients:orders:minConnections", "2")];
        var server = NewHost(file);
        server.Services.AddMuxServer(Address);
        await using var serving = await StartAsync(server);
        var client = NewHost(file);
        client.Services.AddKeyedMuxClient("orders", Address);
        await using var calling = await StartAsync(client);
    }

    [Fact]
    public async Task A_client_named_after_its_address_has_a_section()
    {
        var builder = NewHost(($"Mux:Clients:{Address}:MinConnections", "2"));
        builder.Services.AddKeyedMuxClient(Address, options => options.Address = Address);
        await using var host = await StartAsync(builder);
        Assert.Equal(2, host.Services.GetRequiredService<IOptionsMonitor<MuxChannelOptions>>().Get(Address).MinConnections);
    }
}
