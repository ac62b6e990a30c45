using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace Mux.Discovery.Kubernetes.Tests.Hosting;

/// <summary>Clients of a host whose address is a service of Kubernetes.</summary>
public sealed class UseKubernetesTests
{
    [Fact]
    public void The_client_without_a_name_gets_the_source_of_its_address()
    {
        var services = new ServiceCollection();
        services.AddMuxClient("mux+k8s://orders.prod:rpc").UseKubernetes();
        Assert.Equal("mux+k8s://orders.prod:rpc", Assert.IsType<KubernetesEndpointSource>(OptionsOf(services, Options.DefaultName).Endpoints).Name);
    }

    [Fact]
    public void Each_client_gets_its_own_source()
    {
        var services = new ServiceCollection();
        services.AddKeyedMuxClient("orders", "mux+k8s://orders.prod:rpc").UseKubernetes();
        services.AddKeyedMuxClient("users", "muxs+k8s://users.prod:rpc").UseKubernetes();
        services.AddKeyedMuxClient("local", "mux://127.0.0.1:7070");
        Assert.Equal("mux+k8s://orders.prod:rpc", OptionsOf(services, "orders").Endpoints?.Name);
        Assert.Equal("muxs+k8s://users.prod:rpc", OptionsOf(services, "users").Endpoints?.Name);
        Assert.Null(OptionsOf(services, "local").Endpoints);
    }

    [Fact]
    public void The_address_may_come_from_the_configuration_or_from_later_code()
    {
        var services = new ServiceCollection();
        services.AddSingleton<IConfiguration>(new ConfigurationBuilder().AddInMemoryCollection([new("Mux:Clients:orders:Address", "mux+k8s://orders.prod:rpc")]).Build());
        services.AddKeyedMuxClient("orders").UseKubernetes();
        services.AddKeyedMuxClient("users").UseKubernetes();
        services.Configure<MuxChannelOptions>("users", options => options.Address = "mux+k8s://users.prod:7070");
        Assert.Equal("mux+k8s://orders.prod:rpc", OptionsOf(services, "orders").Endpoints?.Name);
        Assert.Equal("mux+k8s://users.prod:7070", OptionsOf(services, "users").Endpoints?.Name);
    }

    [Fact]
    public void A_client_with_another_address_is_not_changed()
    {
        var services = new ServiceCollection();
        services.AddMuxClient("mux://localhost:7070").UseKubernetes();
        Assert.Null(OptionsOf(services, Options.DefaultName).Endpoints);
    }

    [Fact]
    public void A_source_that_code_has_set_stays()
    {
        var own = new KubernetesEndpointSource("mux+k8s://orders.staging:rpc");
        var services = new ServiceCollection();
        services.AddMuxClient("mux+k8s://orders.prod:rpc", options => options.Endpoints = own).UseKubernetes();
        Assert.Same(own, OptionsOf(services, Options.DefaultName).Endpoints);
    }

    [Fact]
    public void An_address_that_is_wrong_is_a_failure_of_the_options()
    {
        var services = new ServiceCollection();
        services.AddMuxClient("mux+k8s://orders.prod").UseKubernetes();
        var failure = Assert.Single(Assert.Throws<OptionsValidationException>(() => OptionsOf(services, Options.DefaultName)).Failures);
        Assert.StartsWith("Mux:Clients:Default:Address: 'mux+k8s://orders.prod' has no port: expected mux+k8s://service.namespace:port", failure, StringComparison.Ordinal);
    }

    [Fact]
    public void An_option_of_the_source_that_is_invalid_is_refused_where_it_is_set()
    {
        var client = new ServiceCollection().AddMuxClient("mux+k8s://orders.prod:rpc");
        var error = Assert.Throws<ArgumentException>(() => client.UseKubernetes(kubernetes => kubernetes.AddressFamily = (KubernetesAddressFamily)7));
        Assert.StartsWith("KubernetesDiscoveryOptions: AddressFamily: '7' is not allowed: expected Any, IPv4 or IPv6.", error.Message, StringComparison.Ordinal);
    }

    private static MuxChannelOptions OptionsOf(ServiceCollection services, string name)
    {
        using var provider = services.BuildServiceProvider();
        return provider.GetRequiredService<IOptionsMonitor<MuxChannelOptions>>().Get(name);
    }
}
