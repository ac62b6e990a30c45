using System.Reflection;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace Mux.Tests.Hosting;

/// <summary>Options come from the configuration, and code has the last word.</summary>
public sealed class ConfigurationTests : HostingTests
{
    /// <summary>What only code can set, has a section of its own, or does not go with all the others; the name of a client is that of its section.</summary>
    private static readonly string[] s_codeOnly = [nameof(MuxOptions.Transport), nameof(MuxOptions.MeterFactory), nameof(MuxOptions.TimeProvider), nameof(MuxOptions.Filters), nameof(MuxChannelOptions.Name), nameof(MuxServerOptions.Tls), nameof(MuxServerOptions.Limits), nameof(MuxChannelOptions.Balancing), nameof(MuxServerOptions.Identity), nameof(MuxChannelOptions.Credentials), nameof(MuxChannelOptions.Endpoints), nameof(MuxChannelOptions.OnOpened), nameof(MuxChannelOptions.Resilience), nameof(MuxChannelOptions.Lifetime)];

    [Fact]
    public void Every_option_of_a_server_has_its_key() => AssertEveryKey("Mux:Server", new MuxServerOptions(), services =>
    {
        services.AddMuxServer();
        return provider => provider.GetRequiredService<IOptions<MuxServerOptions>>().Value;
    });

    [Theory]
    [InlineData(null, "Mux:Clients:Default")]
    [InlineData("orders", "Mux:Clients:orders")]
    public void Every_option_of_a_client_has_its_key(string? name, string section) => AssertEveryKey(section, new MuxChannelOptions(), services =>
    {
        _ = name is null ? services.AddMuxClient() : services.AddKeyedMuxClient(name);
        return provider => provider.GetRequiredService<IOptionsMonitor<MuxChannelOptions>>().Get(name);
    });

    [Fact]
    public void Every_limit_has_its_key_within_that_of_the_side_it_is_of()
    {
        var ofServer = typeof(MuxServerLimits).GetProperties().Where(property => property.PropertyType == typeof(MuxLimit)).ToArray();
        var ofClient = typeof(MuxPeerLimits).GetProperties().Where(property => property.PropertyType == typeof(MuxLimit)).ToArray();
        var builder = NewHost([
            .. ofServer.Select((property, i) => ($"Mux:Server:Limits:{property.Name}", $"{20_000_000 + i}")), ("Mux:Server:Limits:PingInterval", "00:00:03"), ("Mux:Server:Limits:FragmentTimeout", "00:00:05"),
            .. ofClient.Select(property => ($"Mux:Clients:Default:Limits:{property.Name}", "unbounded")), ("Mux:Clients:Default:Limits:PingInterval", "00:00:04"), ("Mux:Clients:Default:Limits:FragmentTimeout", "-00:00:00.001")]);
        builder.Services.AddMuxServer(Address);
        builder.Services.AddMuxClient(Address);
        using var host = builder.Build();

        var server = Configured<MuxServerOptions>(host.Services).Limits;
        Assert.Equal(Enumerable.Range(0, ofServer.Length).Select(i => (MuxLimit)(20_000_000 + i)), ofServer.Select(property => (MuxLimit)property.GetValue(server)!));
        Assert.Equal(14, ofServer.Length);
        Assert.Equal((TimeSpan.FromSeconds(3), TimeSpan.FromSeconds(5)), (server.PingInterval, server.FragmentTimeout));
        var client = Configured<MuxChannelOptions>(host.Services).Limits;
        Assert.All(ofClient, property => Assert.Equal(MuxLimit.Unbounded, property.GetValue(client)));
        Assert.Equal((TimeSpan.FromSeconds(4), Timeout.InfiniteTimeSpan), (client.PingInterval, client.FragmentTimeout));
    }

    [Fact]
    public void Balancing_has_a_section_within_that_of_a_client()
    {
        var builder = NewHost(
            ("Mux:Clients:Default:Balancing:Policy", "roundrobin"), ("Mux:Clients:Default:Balancing:Zone", "eu-1a"), ("Mux:Clients:Default:Balancing:ZoneFactor", "2.5"),
            ("Mux:Clients:Default:Balancing:SlowStart", "00:00:20"), ("Mux:Clients:Default:Balancing:SubsetSize", "30"), ("Mux:Clients:Default:Balancing:EjectFailing", "false"),
            ("Mux:Clients:Default:Balancing:EjectionTime", "00:00:02"), ("Mux:Clients:Default:Balancing:MaxEjectionTime", "00:00:30"));
        builder.Services.AddMuxClient(Address);
        using var host = builder.Build();
        var balancing = Configured<MuxChannelOptions>(host.Services).Balancing;
        Assert.Equal((MuxBalancingPolicy.RoundRobin, "eu-1a", 2.5, TimeSpan.FromSeconds(20)), (balancing.Policy, balancing.Zone, balancing.ZoneFactor, balancing.SlowStart));
        Assert.Equal((30, false), (balancing.SubsetSize, balancing.EjectFailing));
        Assert.Equal((TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(30)), (balancing.EjectionTime, balancing.MaxEjectionTime));
        Assert.Equal(8, typeof(MuxBalancing).GetProperties().Length); // each of them is above
    }

    [Fact]
    public void Resilience_has_a_section_within_that_of_a_client()
    {
        var builder = NewHost(
            ("Mux:Clients:Default:Resilience:Attempts", "3"), ("Mux:Clients:Default:Resilience:Hedge", "off"),
            ("Mux:Clients:Default:Resilience:HoldTime", "00:00:05"),
            ("Mux:Clients:Default:Resilience:Methods:shop.Orders/Find:Hedge", "P95"), ("Mux:Clients:Default:Resilience:Methods:shop.Orders/Find:Attempts", "2"),
            ("Mux:Clients:Default:Resilience:Methods:shop.Orders/Find:Statuses:0", "Unavailable"), ("Mux:Clients:Default:Resilience:Methods:shop.Orders/Find:Statuses:1", "Aborted"));
        builder.Services.AddMuxClient(Address);
        using var host = builder.Build();

        var sut = Configured<MuxChannelOptions>(host.Services).Resilience;

        Assert.Equal((3, MuxHedge.Off, TimeSpan.FromSeconds(5)), (sut.Attempts, sut.Hedge, sut.HoldTime));
        var (name, method) = Assert.Single(sut.Methods);
        Assert.Equal(("shop.Orders/Find", 2, MuxHedge.P95), (name, method.Attempts, method.Hedge));
        Assert.Equal([MuxStatus.Unavailable, MuxStatus.Aborted], method.Statuses);
    }

    [Fact]
    public void A_client_of_a_host_holds_unsent_calls_while_its_server_restarts()
    {
        var builder = NewHost();
        builder.Services.AddMuxClient(Address);
        using var host = builder.Build();

        Assert.Equal(TimeSpan.FromSeconds(2), Configured<MuxChannelOptions>(host.Services).Resilience.HoldTime);
        Assert.Equal(TimeSpan.Zero, new MuxChannelOptions().Resilience.HoldTime);
    }

    [Fact]
    public void A_client_may_have_a_connection_for_each_call()
    {
        var builder = NewHost(("Mux:Clients:Default:Lifetime", "percall"), ("Mux:Clients:Default:MaxConnections", "8"));
        builder.Services.AddMuxClient(Address);
        using var host = builder.Build();

        var sut = Configured<MuxChannelOptions>(host.Services);

        Assert.Equal((MuxConnectionLifetime.PerCall, 8), (sut.Lifetime, sut.MaxConnections));
    }

    [Fact]
    public void TLS_has_a_section_within_that_of_a_server_and_of_a_client()
    {
        var builder = NewHost(
            ("Mux:Server:Tls:CertificatePath", "server.pem"), ("Mux:Server:Tls:CertificateKeyPath", "server.key"), ("Mux:Server:Tls:CertificatePassword", "secret"), ("Mux:Server:Tls:TrustedRootsPath", "roots.pem"),
            ("Mux:Server:Tls:Revocation", "Offline"), ("Mux:Server:Tls:HandshakeTimeout", "00:00:05"), ("Mux:Server:Tls:MaxPendingHandshakes", "9"), ("Mux:Server:Tls:MaxPendingHandshakesPerAddress", "8"),
            ("Mux:Clients:Default:Tls:TargetHost", "desk.example"), ("Mux:Clients:Default:Tls:TrustedRootsPath", "mine.pem"));
        builder.Services.AddMuxServer(Address);
        builder.Services.AddMuxClient(Address);
        using var host = builder.Build();
        var server = Configured<MuxServerOptions>(host.Services).Tls!;
        Assert.Equal((InRoot("server.pem"), InRoot("server.key"), "secret", InRoot("roots.pem")), (server.CertificatePath, server.CertificateKeyPath, server.CertificatePassword, server.TrustedRootsPath));
        Assert.Equal((X509RevocationMode.Offline, TimeSpan.FromSeconds(5), 9, 8), (server.Revocation!.Value, server.HandshakeTimeout, server.MaxPendingHandshakes, server.MaxPendingHandshakesPerAddress));
        var client = Configured<MuxChannelOptions>(host.Services).Tls!;
        Assert.Equal(("desk.example", InRoot("mine.pem")), (client.TargetHost, client.TrustedRootsPath));

        string InRoot(string name) => Path.Combine(builder.Environment.ContentRootPath, name);
    }

    [Fact]
    public void Code_wins_over_the_configuration()
    {
        var builder = NewHost(("Mux:Server:Address", "mux://configured:1"), ("Mux:Server:MaxConnections", "5"), ("Mux:Server:MaxParkedBytes", "70000"));
        builder.Services.AddMuxServer(Address, options => options.MaxConnections = 6);
        using var host = builder.Build();
        var options = host.Services.GetRequiredService<IOptions<MuxServerOptions>>().Value;
        Assert.Equal((Address, 6, 70_000), (options.Address, options.MaxConnections, options.MaxParkedBytes));
    }

    [Fact]
    public void A_client_reads_its_own_section_and_no_other()
    {
        var builder = NewHost(("Mux:Clients:orders:MinConnections", "2"), ("Mux:Clients:stock:MinConnections", "3"), ("Mux:Clients:stock:Address", "mux://stock:1"));
        builder.Services.AddKeyedMuxClient("orders", Address);
        builder.Services.AddKeyedMuxClient("stock");
        builder.Services.AddMuxClient(Address);
        using var host = builder.Build();
        var options = host.Services.GetRequiredService<IOptionsMonitor<MuxChannelOptions>>();
        Assert.Equal(("orders", Address, 2), Read("orders"));
        Assert.Equal(("stock", "mux://stock:1", 3), Read("stock"));
        Assert.Equal(("", Address, 1), Read(Options.DefaultName));

        (string Name, string Address, int Connections) Read(string name) => options.Get(name) is var read ? (read.Name, read.Address, read.MinConnections) : default;
    }

    [Fact]
    public void A_key_may_be_written_in_any_case_and_a_choice_too()
    {
        var builder = NewHost(("mux:SERVER:dispatch", "pool"));
        builder.Services.AddMuxServer(Address);
        using var host = builder.Build();
        Assert.Equal(MuxDispatchMode.Pool, host.Services.GetRequiredService<IOptions<MuxServerOptions>>().Value.Dispatch);
    }

    [Fact]
    public void Without_a_configuration_options_have_their_defaults()
    {
        var services = new ServiceCollection();
        services.AddMuxServer("mux://localhost:7070");
        using var provider = services.BuildServiceProvider();
        Assert.Null(provider.GetService<IConfiguration>());
        Assert.Equal(10_000, provider.GetRequiredService<IOptions<MuxServerOptions>>().Value.MaxConnections);
    }

    /// <summary>The options before they are validated: the files of TLS are not there.</summary>
    private static TOptions Configured<TOptions>(IServiceProvider services)
        where TOptions : class, new()
    {
        var options = new TOptions();
        foreach (var configuration in services.GetServices<IConfigureOptions<TOptions>>()) configuration.Configure(options);
        return options;
    }

    private void AssertEveryKey<TOptions>(string section, TOptions defaults, Func<IServiceCollection, Func<IServiceProvider, TOptions>> add)
        where TOptions : MuxOptions
    {
        var values = typeof(TOptions).GetProperties().Where(property => !s_codeOnly.Contains(property.Name)).ToDictionary(property => property, property => Another(property, defaults));
        var builder = NewHost([.. values.Select(entry => ($"{section}:{entry.Key.Name}", entry.Value.ToString()!))]);
        var read = add(builder.Services);
        using var host = builder.Build();
        var options = read(host.Services);
        Assert.All(values, entry => Assert.Equal(entry.Value, entry.Key.GetValue(options)));
        Assert.InRange(values.Count, 15, 100);
    }

    /// <summary>An allowed value that is not the default.</summary>
    private static object Another(PropertyInfo property, object defaults) => property.GetValue(defaults) switch
    {
        int number => number == 1 ? 2 : number - 1,
        long number => number - 1,
        TimeSpan duration => duration == Timeout.InfiniteTimeSpan ? TimeSpan.FromHours(1.5) : duration == TimeSpan.Zero ? TimeSpan.FromSeconds(1) : duration / 2,
        bool flag => !flag,
        MuxDispatchMode => MuxDispatchMode.Pool,
        MuxProfile => MuxProfile.Internal,
        null when property.PropertyType == typeof(int?) => 3, // not below the minimum that goes with it
        string => property.Name == nameof(MuxOptions.Address) ? "mux://configured:1" : "somebody",
        var other => throw new InvalidOperationException($"{property.Name} has a type that no test knows a value of: {other}"),
    };
}
