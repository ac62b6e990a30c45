using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Tls;

namespace Mux.AspNetCore.Tests.Kestrel;

/// <summary>Mux over the TLS of Kestrel, with the application protocol that its clients require.</summary>
public sealed class UseMuxHttpsTests
{
    private const int TestLimit = 90_000;

    private static readonly SslApplicationProtocol s_mux = new("mux/1");

    [Fact(Timeout = TestLimit)]
    public async Task A_certificate_is_enough()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        await AssertReachedAsync(endpoint => endpoint.UseMuxHttps(certificate));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_file_with_its_password_is_enough()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        var file = Path.GetTempFileName();
        try
        {
            await File.WriteAllBytesAsync(file, certificate.Export(X509ContentType.Pkcs12, "secret"), TestContext.Current.CancellationToken);
            await AssertReachedAsync(endpoint => endpoint.UseMuxHttps(file, "secret"));
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_file_without_a_password_is_enough()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        var file = Path.GetTempFileName();
        try
        {
            await File.WriteAllBytesAsync(file, certificate.Export(X509ContentType.Pkcs12), TestContext.Current.CancellationToken);
            await AssertReachedAsync(endpoint => endpoint.UseMuxHttps(file));
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_callback_sets_the_options()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        await AssertReachedAsync(endpoint => endpoint.UseMuxHttps(https => https.ServerCertificate = certificate));
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_defaults_of_Kestrel_have_the_certificate()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        await AssertReachedAsync(endpoint =>
        {
            endpoint.KestrelServerOptions.ConfigureHttpsDefaults(https => https.ServerCertificate = certificate);
            endpoint.UseMuxHttps();
        });
    }

    [Fact(Timeout = TestLimit)]
    public async Task Options_come_from_a_callback_for_each_connection()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        await AssertReachedAsync(endpoint => endpoint.UseMuxHttps(new TlsHandshakeCallbackOptions
        {
            OnConnection = _ => ValueTask.FromResult(new SslServerAuthenticationOptions { ServerCertificate = certificate }),
        }));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_callback_of_the_application_is_still_called()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        var seen = new Signal("the callback of the application");
        await AssertReachedAsync(endpoint => endpoint.UseMuxHttps(certificate, https => https.OnAuthenticate = (_, tls) =>
        {
            Assert.Equal("mux/1", Assert.Single(tls.ApplicationProtocols!).ToString());
            seen.Set();
        }));
        await seen.WaitAsync();
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_client_of_HTTP_is_refused_by_the_handshake()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        await using var application = await Application.StartAsync((endpoint, _) => endpoint.UseMuxHttps(certificate));
        await Assert.ThrowsAnyAsync<Exception>(() => AgreeAsync(application.Port, certificate, SslApplicationProtocol.Http2));
        Assert.Equal("mux/1", (await AgreeAsync(application.Port, certificate, s_mux)).ToString());
    }

    /// <summary>Options may be shared with an endpoint that speaks HTTP.</summary>
    [Fact(Timeout = TestLimit)]
    public async Task UseMux_adds_its_protocol_to_those_of_UseHttps()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        await using var application = await Application.StartAsync((endpoint, _) => endpoint.UseHttps(certificate).UseMux());
        Assert.Equal(SslApplicationProtocol.Http2, await AgreeAsync(application.Port, certificate, SslApplicationProtocol.Http2));
        Assert.Equal("mux/1", (await AgreeAsync(application.Port, certificate, SslApplicationProtocol.Http2, s_mux)).ToString());
    }

    [Fact(Timeout = TestLimit)]
    public async Task UseHttps_after_UseMux_is_refused_when_the_application_starts()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => Application.StartAsync((endpoint, _) =>
        {
            endpoint.UseMux();
            endpoint.UseHttps(certificate);
        }));
        Assert.StartsWith("TLS was added after Mux at https://127.0.0.1:0. If your code calls UseHttps after UseMux: call UseMuxHttps", error.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task UseHttps_with_a_callback_after_UseMux_is_refused_too()
    {
        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => Application.StartAsync((endpoint, _) =>
        {
            endpoint.UseMux();
            endpoint.UseHttps(new TlsHandshakeCallbackOptions { OnConnection = _ => new(new SslServerAuthenticationOptions()) });
        }));
        Assert.StartsWith("TLS was added after Mux", error.Message, StringComparison.Ordinal);
    }

    private static async Task AssertReachedAsync(Action<ListenOptions> endpoint)
    {
        await using var application = await Application.StartAsync((listen, _) => endpoint(listen));
        var client = application.CreateClient(options => (options.Address, options.Tls) = ($"muxs://127.0.0.1:{application.Port}", TlsTransports.Client()));
        Assert.Equal(7, (await client.Ask(new() { Id = 7 }, cancellationToken: TestContext.Current.CancellationToken)).Id);
    }

    /// <summary>The protocol that a handshake agrees to.</summary>
    private static async Task<SslApplicationProtocol> AgreeAsync(int port, X509Certificate2 certificate, params SslApplicationProtocol[] offered)
    {
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(IPAddress.Loopback, port, TestContext.Current.CancellationToken);
        await using var tls = new SslStream(new NetworkStream(socket));
        var options = new SslClientAuthenticationOptions
        {
            TargetHost = "localhost",
            ApplicationProtocols = [.. offered],
            EnabledSslProtocols = SslProtocols.Tls12, // where a refusal is an answer of the handshake, and not of the first read
            RemoteCertificateValidationCallback = (_, presented, _, _) => presented is not null && presented.GetCertHashString() == certificate.GetCertHashString(),
        };
        await tls.AuthenticateAsClientAsync(options, TestContext.Current.CancellationToken).Within("the handshake");
        return tls.NegotiatedApplicationProtocol;
    }
}
