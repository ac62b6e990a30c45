using System.Net;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.ServiceDiscovery;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Discovery.ServiceDiscovery.Tests;

/// <summary>Clients of a host whose servers the library knows, with its own providers.</summary>
public sealed class UseServiceDiscoveryTests : IAsyncDisposable
{
    private readonly HostApplicationBuilder _builder = Host.CreateEmptyApplicationBuilder(null);
    private readonly ManualTime _time = new();
    private ServiceProvider? _services;

    public async ValueTask DisposeAsync()
    {
        if (_services is not null) await _services.DisposeAsync();
    }

    [Fact]
    public async Task The_section_that_Aspire_writes_names_the_servers_of_a_client()
    {
        // As WithReference does for two replicas with an endpoint mux: services__orders__mux__0.
        _builder.Configuration["services:orders:mux:0"] = "mux://localhost:41001";
        _builder.Configuration["services:orders:mux:1"] = "mux://localhost:41002";
        _builder.Configuration["services:orders:http:0"] = "http://localhost:41003";
        _builder.Services.AddMuxClient("mux+service://orders").UseServiceDiscovery();
        Assert.Equal("mux://localhost:41001, mux://localhost:41002", await FirstAsync());
    }

    [Fact]
    public async Task An_endpoint_with_another_name_and_the_scheme_tcp_is_asked_for_by_its_name()
    {
        _builder.Configuration["services:orders:rpc:0"] = "tcp://localhost:41001";
        _builder.Services.AddMuxClient("mux+service://_rpc.orders").UseServiceDiscovery();
        Assert.Equal("mux://localhost:41001", await FirstAsync());
    }

    [Fact]
    public async Task A_service_that_is_not_configured_is_a_host()
    {
        _builder.Services.AddMuxClient("mux+service://orders:5").UseServiceDiscovery();
        Assert.Equal("mux://orders:5", await FirstAsync());
    }

    [Fact]
    public async Task A_reload_of_the_configuration_is_followed()
    {
        _builder.Configuration["services:orders:mux:0"] = "mux://a:1";
        _builder.Services.AddMuxClient("mux+service://orders").UseServiceDiscovery();
        await using var sets = Watch().GetAsyncEnumerator(TestContext.Current.CancellationToken);
        Assert.True(await sets.MoveNextAsync().AsTask().Within("the first set"));
        for (int i = 2; i < 20; i++)
        {
            _builder.Configuration["services:orders:mux:0"] = $"mux://a:{i}";
            ((IConfigurationRoot)_builder.Configuration).Reload();
            var next = sets.MoveNextAsync().AsTask();
            await Eventually.Holds(() => _time.ArmedTimers == 1 || next.IsCompleted, "the pause of the source");
            _time.Advance(TimeSpan.FromSeconds(1));
            Assert.True(await next.Within("the next set"));
            Assert.Equal($"mux://a:{i}", sets.Current.ToString());
        }
    }

    [Fact]
    public async Task A_provider_that_was_added_after_the_one_that_takes_every_name_is_asked_before_it()
    {
        var provider = new ScriptedProvider { EndPoints = { new DnsEndPoint("a", 1) } };
        _builder.Services.AddServiceDiscovery();
        _builder.Services.AddSingleton<IServiceEndpointProviderFactory>(provider);
        _builder.Services.AddMuxClient("mux+service://orders").UseServiceDiscovery();
        Assert.Equal("mux://a:1", await FirstAsync());
        Assert.Equal(3, _builder.Services.Count(service => service.ServiceType == typeof(IServiceEndpointProviderFactory))); // none twice
    }

    [Fact]
    public async Task A_value_that_is_no_address_fails_the_watch()
    {
        _builder.Configuration["services:orders:mux:0"] = "mux://[";
        _builder.Services.AddMuxClient("mux+service://orders").UseServiceDiscovery();
        Assert.Contains("'orders'", (await Assert.ThrowsAsync<KeyNotFoundException>(FirstAsync)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Another_address_stays()
    {
        _builder.Services.AddMuxClient("mux://localhost").UseServiceDiscovery();
        _builder.Services.AddKeyedMuxClient("orders", "mux+service://orders").UseServiceDiscovery();
        Assert.Null(OptionsOf(null).Endpoints);
        Assert.Equal("mux+service://orders", OptionsOf("orders").Endpoints?.Name);
    }

    [Fact]
    public void A_bad_name_fails_the_options()
    {
        _builder.Services.AddMuxClient("mux+service://a,b").UseServiceDiscovery();
        Assert.StartsWith("Mux:Clients:Default:Address: 'mux+service://a,b' is not a name of a service", Assert.Throws<OptionsValidationException>(() => OptionsOf(null)).Message, StringComparison.Ordinal);
    }

    private MuxChannelOptions OptionsOf(string? name)
    {
        _services ??= _builder.Services.AddSingleton<IConfiguration>(_builder.Configuration).BuildServiceProvider();
        return _services.GetRequiredService<IOptionsMonitor<MuxChannelOptions>>().Get(name);
    }

    private IAsyncEnumerable<EndpointSet> Watch() => OptionsOf(null).Endpoints!.WatchAsync(new EndpointRefresh(_time), TestContext.Current.CancellationToken);

    private async Task<string> FirstAsync() => (await Watch().FirstAsync(TestContext.Current.CancellationToken).AsTask().Within("the set")).ToString();
}
