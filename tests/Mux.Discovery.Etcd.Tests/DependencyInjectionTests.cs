using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Mux.Discovery.Etcd.Tests.Scripted;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Discovery.Etcd.Tests;

/// <summary>etcd in a host.</summary>
public sealed class DependencyInjectionTests
{
    private const string Target = "mux+etcd://127.0.0.1:1/orders";

    private readonly LogCollector _logs = new();

    [Fact]
    public void A_client_has_the_source_of_its_address_in_code_or_configuration()
    {
        var builder = NewHost(("Mux:Clients:stock:Address", "mux+etcds://e1,e2/stock"));
        builder.Services.AddMuxClient(Target).UseEtcd();
        builder.Services.AddKeyedMuxClient("stock").UseEtcd(options => (options.User, options.Password) = ("root", "secret"));
        using var host = builder.Build();
        Assert.Equal(Target, OptionsOf(host, "").Endpoints!.Name);
        Assert.Equal("mux+etcds://e1:2379,e2:2379/stock", OptionsOf(host, "stock").Endpoints!.Name);
    }

    [Fact]
    public void A_client_with_another_address_has_no_source()
    {
        var builder = NewHost();
        builder.Services.AddMuxClient("mux://127.0.0.1:7070").UseEtcd();
        using var host = builder.Build();
        Assert.Null(OptionsOf(host, "").Endpoints);
    }

    [Fact]
    public void A_source_in_code_goes_before_that_of_the_address()
    {
        var builder = NewHost();
        var own = new EtcdEndpointSource("mux+etcd://127.0.0.1:2/own");
        builder.Services.AddMuxClient(Target, options => options.Endpoints = own).UseEtcd();
        using var host = builder.Build();
        Assert.Same(own, OptionsOf(host, "").Endpoints);
    }

    [Theory]
    [InlineData("mux+etcd://127.0.0.1:x/orders", null, "Mux:Clients:stock:Address: 'mux+etcd://127.0.0.1:x/orders' has the member '127.0.0.1:x'")]
    [InlineData("mux+etcd://127.0.0.1", null, "Mux:Clients:stock: EtcdOptions: Prefix: missing")]
    [InlineData("mux+etcd://10.0.0.1/a", "root", "Mux:Clients:stock: EtcdOptions: AllowPlaintext: the password would be sent to 10.0.0.1:2379")]
    public void What_is_wrong_with_the_address_of_a_client_is_named(string address, string? user, string expected)
    {
        var builder = NewHost(("Mux:Clients:stock:Address", address));
        builder.Services.AddKeyedMuxClient("stock").UseEtcd(options => (options.User, options.Password) = (user, user is null ? null : "secret"));
        using var host = builder.Build();
        var error = Assert.Throws<OptionsValidationException>(() => OptionsOf(host, "stock"));
        Assert.Contains(error.Failures, failure => failure.StartsWith(expected, StringComparison.Ordinal));
        Assert.DoesNotContain("secret", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("mux://127.0.0.1:1", "mux://h:1", "a", "'mux://127.0.0.1:1' is not an address of etcd")]
    [InlineData(Target, "h:1", "a", "'h:1' is not an address")]
    [InlineData(Target, "mux://0.0.0.0:1", "a", "mux://0.0.0.0:1 cannot be registered: a server listens at 0.0.0.0, but no client can connect to it.")]
    [InlineData(Target, "mux://[::]:1", "a", "mux://[::]:1 cannot be registered")]
    public void What_is_wrong_with_a_registration_is_named_where_it_is_added(string target, string advertise, string user, string expected)
    {
        var server = new ServiceCollection().AddMuxServer();
        var error = Assert.Throws<ArgumentException>(() => server.RegisterInEtcd(target, advertise, options => (options.User, options.Password) = (user, "secret")));
        Assert.Contains(expected, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_instance_and_the_options_of_a_registration_are_checked_where_it_is_added()
    {
        var server = new ServiceCollection().AddMuxServer();
        var slash = new MuxEndpoint(MuxAddress.Parse("mux://h:1")) { Instance = "a/b" };
        Assert.Contains("'a/b' is not allowed", Assert.Throws<ArgumentException>(() => server.RegisterInEtcd(Target, slash)).Message, StringComparison.Ordinal);
        var error = Assert.Throws<ArgumentException>(() => server.RegisterInEtcd(Target, "mux://h:1", options => options.Lease = TimeSpan.Zero));
        Assert.Contains("EtcdRegistrationOptions: Lease: '00:00:00' is not allowed", error.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = 90_000)]
    public async Task A_server_is_registered_with_its_port_and_withdrawn_when_the_host_stops()
    {
        await using var etcd = await ScriptedEtcd.StartAsync();
        var builder = NewHost();
        builder.Services.AddMuxServer("mux://127.0.0.1:0").RegisterInEtcd(etcd.Target, new MuxEndpoint(MuxAddress.Parse("mux://localhost:0")) { Zone = "eu" });
        using var host = builder.Build();
        await host.StartAsync(TestContext.Current.CancellationToken).Within("the start of the host");
        await _logs.ReachAsync("Registered");
        int port = host.Services.GetRequiredService<MuxServer>().Address.Port;
        var value = etcd.Requests.Single(request => request.Path == "/v3/kv/put").Body.GetProperty("value").GetString();
        Assert.Equal(ScriptedEtcd.Base64($$"""{"address":"mux://localhost:{{port}}","zone":"eu","weight":100}"""), value);
        await host.StopAsync(TestContext.Current.CancellationToken).Within("the stop of the host");
        Assert.Equal(["lease/grant", "kv/put", "lease/revoke"], etcd.Paths);
    }

    private HostApplicationBuilder NewHost(params (string Key, string Value)[] configuration)
    {
        var builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Configuration.AddInMemoryCollection(configuration.Select(entry => KeyValuePair.Create<string, string?>(entry.Key, entry.Value)));
        builder.Logging.SetMinimumLevel(LogLevel.Debug).AddProvider(_logs);
        return builder;
    }

    private static MuxChannelOptions OptionsOf(IHost host, string name) => host.Services.GetRequiredService<IOptionsMonitor<MuxChannelOptions>>().Get(name);
}
