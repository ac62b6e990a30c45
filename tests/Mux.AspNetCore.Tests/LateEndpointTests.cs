using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;
using Mux.Transports.InMemory;

namespace Mux.AspNetCore.Tests;

/// <summary>Endpoints of which the web host learns only in its own start, which comes after that of the server.</summary>
public sealed class LateEndpointTests
{
    private const int TestLimit = 90_000;

    private readonly LogCollector _logs = new();
    private readonly InMemoryTransport _network = new(); // where the default address is free

    [Fact(Timeout = TestLimit)]
    public Task An_endpoint_of_the_configuration_of_Kestrel_is_served_and_the_server_does_not_listen_itself() => AssertServedAsync(web => web
        .UseKestrel(kestrel => kestrel.Configure(Endpoints()).Endpoint("Mux", endpoint => endpoint.ListenOptions.UseMux()))
        .Configure(_ => { }));

    [Fact(Timeout = TestLimit)]
    public Task UseMux_in_the_defaults_of_endpoints_serves_and_the_server_does_not_listen_itself() => AssertServedAsync(web => web
        .UseKestrel(kestrel => kestrel.ConfigureEndpointDefaults(endpoint => endpoint.UseMux()))
        .UseUrls("http://127.0.0.1:0")
        .Configure(_ => { }));

    [Fact(Timeout = TestLimit)]
    public Task A_WebSocket_that_Startup_maps_is_served_and_the_server_does_not_listen_itself() => AssertServedAsync(
        web => web.UseKestrel().UseUrls("http://127.0.0.1:0").UseStartup<Startup>(), "mux+ws", "/mux");

    [Fact(Timeout = TestLimit)]
    public async Task A_server_of_an_application_without_endpoints_listens_at_its_default_address_and_says_so()
    {
        using var host = await StartAsync(Plain);
        Assert.Equal("mux://127.0.0.1:7070", host.Services.GetRequiredService<MuxServer>().Address.ToString());
        Assert.Single(_logs.Of("ServerAddressDefault"));
        await host.StopAsync(TestContext.Current.CancellationToken).Within("the stop of the host");
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_default_address_in_use_fails_the_start_of_an_application_without_endpoints()
    {
        using var occupant = _network.Listen(MuxAddress.Parse("mux://127.0.0.1:7070"), link => link.Close());
        var error = await Assert.ThrowsAsync<IOException>(() => StartAsync(Plain));
        Assert.Contains("mux://127.0.0.1:7070", error.Message, StringComparison.Ordinal);
    }

    private static void Plain(IWebHostBuilder web) => web.UseKestrel().UseUrls("http://127.0.0.1:0").Configure(_ => { });

    private static IConfiguration Endpoints() =>
        new ConfigurationBuilder().AddInMemoryCollection([new("Endpoints:Mux:Url", "http://127.0.0.1:0")]).Build();

    private async Task AssertServedAsync(Action<IWebHostBuilder> configure, string scheme = "mux", string path = "")
    {
        using var host = await StartAsync(configure);
        Assert.Throws<InvalidOperationException>(() => host.Services.GetRequiredService<MuxServer>().Address);
        Assert.Empty(_logs.Of("ServerAddressDefault"));
        int port = new Uri(host.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.Single()).Port;
        await using (var channel = MuxChannel.Create($"{scheme}://127.0.0.1:{port}{path}"))
        {
            Assert.Equal(7, (await channel.CreateProxy<IMixed>().Ask(new() { Id = 7 }, cancellationToken: TestContext.Current.CancellationToken)).Id);
        }

        await host.StopAsync(TestContext.Current.CancellationToken).Within("the stop of the host");
    }

    private async Task<IHost> StartAsync(Action<IWebHostBuilder> configure)
    {
        var host = new HostBuilder()
            .ConfigureLogging(logging => logging.AddProvider(_logs))
            .ConfigureServices(services =>
            {
                services.AddSingleton(new MixedService());
                services.AddMuxServer(configure: options => options.Transport = _network).AddService<IMixed, MixedService>();
            })
            .ConfigureWebHost(configure)
            .Build();
        await host.StartAsync(TestContext.Current.CancellationToken).Within("the start of the host");
        return host;
    }

    private sealed class Startup
    {
        public static void ConfigureServices(IServiceCollection services) => services.AddRouting();

        public static void Configure(IApplicationBuilder application) =>
            application.UseRouting().UseEndpoints(endpoints => endpoints.MapMuxWebSocket("/mux"));
    }
}
