using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Mux.TestSupport.Transports.Tls;
using Mux.Transports.WebSockets;

namespace Mux.AspNetCore.Tests.WebSockets;

/// <summary><c>mux+wss://</c>: WebSockets behind the TLS of Kestrel.</summary>
public sealed class SecureWebSocketTests
{
    private const int TestLimit = 90_000;

    [Fact(Timeout = TestLimit)]
    public async Task Calls_and_streams_run_over_a_WebSocket_behind_TLS_with_a_root_of_ones_own()
    {
        await using var application = await StartAsync(CertificateWish.Server);
        await Exchange.RunAsync(application.CreateClient(options => (options.Address, options.Transport) = (Address(application), Trusting())));
        Assert.Equal(1, application.Server.GetStatistics().OpenConnections);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_certificate_that_the_system_does_not_trust_is_refused_unless_the_client_says_otherwise()
    {
        await using var application = await StartAsync(CertificateWish.Server);
        var channel = application.CreateChannel(options => options.Address = Address(application));
        var error = await Assert.ThrowsAsync<MuxException>(() => channel.ConnectAsync(TestContext.Current.CancellationToken));
        Assert.Equal(MuxStatus.Unavailable, error.Status);
        Assert.Contains("errors in the certificate chain", error.Message, StringComparison.Ordinal);
        Assert.Equal(0, application.Server.GetStatistics().OpenConnections);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_certificate_for_another_host_is_refused()
    {
        await using var application = await StartAsync(CertificateWish.Server with { Host = "elsewhere.example" });
        var channel = application.CreateChannel(options => (options.Address, options.Transport) = (Address(application), Trusting()));
        var error = await Assert.ThrowsAsync<MuxException>(() => channel.ConnectAsync(TestContext.Current.CancellationToken));
        Assert.Contains("The remote certificate was rejected", error.Message, StringComparison.Ordinal);
    }

    private static string Address(Application application) => $"mux+wss://127.0.0.1:{application.Port}/mux";

    private static Task<Application> StartAsync(CertificateWish wish) => Application.StartAsync(
        (endpoint, _) => endpoint.UseHttps(TestAuthority.Shared.Issue(wish)),
        map: map => map.MapMuxWebSocket("/mux"));

    private static WebSocketTransport Trusting() => new(request => request.RemoteCertificateValidationCallback = LeadsToTheRoot);

    /// <summary>The judgement of the system, with another root: names count.</summary>
    private static bool LeadsToTheRoot(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        if (certificate is not X509Certificate2 presented || (errors & ~SslPolicyErrors.RemoteCertificateChainErrors) != SslPolicyErrors.None) return false;
        chain!.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        chain.ChainPolicy.CustomTrustStore.AddRange(TestAuthority.Shared.Roots);
        chain.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
        return chain.Build(presented);
    }
}
