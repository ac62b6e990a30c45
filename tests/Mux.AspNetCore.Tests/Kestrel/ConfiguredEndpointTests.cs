using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Mux.Tests.Contracts;
using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Tls;

namespace Mux.AspNetCore.Tests.Kestrel;

/// <summary>Mux over TLS at endpoints of the configuration of Kestrel.</summary>
public sealed class ConfiguredEndpointTests : IDisposable
{
    private const int TestLimit = 90_000;

    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    [Fact(Timeout = TestLimit)]
    public async Task The_certificate_of_the_section_serves_Mux()
    {
        await using var application = Create(endpoint => endpoint.UseMuxHttps(), "https://127.0.0.1:0");
        await application.StartAsync(TestContext.Current.CancellationToken).Within("the start of the application");
        var address = $"muxs://127.0.0.1:{new Uri(Assert.Single(application.Urls)).Port}";
        await using (var channel = MuxChannel.Create(new MuxChannelOptions { Address = address, Tls = TlsTransports.Client() }))
        {
            Assert.Equal(7, (await channel.CreateProxy<IMixed>().Ask(new() { Id = 7 }, cancellationToken: TestContext.Current.CancellationToken)).Id);
        }

        await application.StopAsync(TestContext.Current.CancellationToken).Within("the stop of the application");
    }

    [Fact(Timeout = TestLimit)]
    public Task UseMux_at_an_https_URL_is_told_of_UseMuxHttps() => AssertRefusedAsync(
        endpoint => endpoint.ListenOptions.UseMux(), "https://127.0.0.1:0",
        "If the configuration has an https URL, Kestrel calls UseHttps last: call UseMuxHttps instead of UseMux; for an endpoint of the configuration: kestrel.Configure(section).Endpoint(name, endpoint => endpoint.UseMuxHttps()).");

    [Fact(Timeout = TestLimit)]
    public Task An_http_URL_is_named() => AssertRefusedAsync(
        endpoint => endpoint.UseMuxHttps(), "http://127.0.0.1:0", "UseMuxHttps needs an https URL in Kestrel:Endpoints:Mux:Url, but there is 'http://127.0.0.1:0'.");

    [Fact(Timeout = TestLimit)]
    public Task A_section_Sni_is_named() => AssertRefusedAsync(
        endpoint => endpoint.UseMuxHttps(), "https://127.0.0.1:0", "UseMuxHttps does not read Kestrel:Endpoints:Mux:Sni.", ("Sni:a.example:SslProtocols:0", "Tls13"));

    private async Task AssertRefusedAsync(Action<EndpointConfiguration> configure, string url, string message, params (string Key, string Value)[] more)
    {
        await using var application = Create(configure, url, more);
        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => application.StartAsync(TestContext.Current.CancellationToken).Within("the start"));
        Assert.Contains(message, error.Message, StringComparison.Ordinal);
    }

    private WebApplication Create(Action<EndpointConfiguration> configure, string url, params (string Key, string Value)[] more)
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        File.WriteAllBytes(_file, certificate.Export(X509ContentType.Pkcs12, "secret"));
        (string Key, string Value)[] tls = url.StartsWith("https", StringComparison.Ordinal) ? [("Certificate:Path", _file), ("Certificate:Password", "secret")] : [];
        (string Key, string Value)[] section = [("Url", url), .. tls, .. more];
        var builder = WebApplication.CreateBuilder();
        builder.Configuration.AddInMemoryCollection(section.Select(entry => KeyValuePair.Create<string, string?>($"Kestrel:Endpoints:Mux:{entry.Key}", entry.Value)));
        builder.WebHost.ConfigureKestrel((context, kestrel) => kestrel.Configure(context.Configuration.GetSection("Kestrel")).Endpoint("Mux", configure));
        builder.Services.AddSingleton(new MixedService()).AddMuxServer().AddService<IMixed, MixedService>();
        return builder.Build();
    }
}
