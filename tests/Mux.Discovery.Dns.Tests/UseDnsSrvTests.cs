using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace Mux.Discovery.Dns.Tests;

/// <summary>Clients of a host whose servers SRV records name.</summary>
public sealed class UseDnsSrvTests
{
    private const string Address = "mux+srv://_rpc._tcp.orders.prod";

    private readonly HostApplicationBuilder _builder = Host.CreateEmptyApplicationBuilder(null);

    [Fact]
    public void A_client_with_the_scheme_gets_a_source()
    {
        _builder.Services.AddMuxClient(Address).UseDnsSrv();
        Assert.Equal(Address, Assert.IsType<DnsSrvEndpoints>(OptionsOf(null).Endpoints).Name);
    }

    [Fact]
    public void The_address_of_a_client_with_a_name_may_be_in_the_configuration()
    {
        _builder.Configuration["Mux:Clients:orders:Address"] = Address;
        _builder.Services.AddKeyedMuxClient("orders").UseDnsSrv();
        _builder.Services.AddKeyedMuxClient("stock", "mux://stock");
        Assert.IsType<DnsSrvEndpoints>(OptionsOf("orders").Endpoints);
        Assert.Null(OptionsOf("stock").Endpoints);
    }

    [Fact]
    public void Another_address_and_a_source_of_its_own_stay()
    {
        _builder.Services.AddMuxClient("mux://localhost").UseDnsSrv();
        Assert.Null(OptionsOf(null).Endpoints);
        var own = new DnsSrvEndpoints("mux+srv://_other._tcp.orders.prod");
        _builder.Services.AddKeyedMuxClient("orders", Address, options => options.Endpoints = own).UseDnsSrv();
        Assert.Same(own, OptionsOf("orders").Endpoints);
    }

    [Fact]
    public void A_client_that_did_not_call_it_is_told_to()
    {
        _builder.Services.AddMuxClient(Address);
        var error = Assert.Throws<OptionsValidationException>(() => OptionsOf(null));
        Assert.Equal($"Mux:Clients:Default:Address: '{Address}' needs the package Mux.Discovery.Dns: install it, and call UseDnsSrv() where the client is added to the host, or set MuxChannelOptions.Endpoints.", error.Message);
    }

    [Fact]
    public void A_bad_name_fails_the_options()
    {
        _builder.Services.AddMuxClient("mux+srv://orders.prod:7070").UseDnsSrv();
        Assert.Equal("Mux:Clients:Default:Address: 'mux+srv://orders.prod:7070' has a port: expected a name alone. Its SRV records have the ports.", Assert.Throws<OptionsValidationException>(() => OptionsOf(null)).Message);
    }

    [Fact]
    public void Bad_options_fail_where_they_are_given()
    {
        var client = _builder.Services.AddMuxClient(Address);
        var error = Assert.Throws<ArgumentException>(() => client.UseDnsSrv(options =>
        {
            options.NameServers.Add(new IPEndPoint(IPAddress.Loopback, 0));
            options.QueryTimeout = TimeSpan.FromMilliseconds(9);
        }));
        Assert.Equal("MuxDnsSrvOptions: NameServers: a name server is null or has the port 0: expected an IP address and a port, usually 53. QueryTimeout: '00:00:00.0090000' is not allowed: expected 00:00:00.010 to 00:01:00. (Parameter 'configure')", error.Message);
    }

    private MuxChannelOptions OptionsOf(string? name)
    {
        var provider = _builder.Services.BuildServiceProvider();
        return provider.GetRequiredService<IOptionsMonitor<MuxChannelOptions>>().Get(name);
    }
}
