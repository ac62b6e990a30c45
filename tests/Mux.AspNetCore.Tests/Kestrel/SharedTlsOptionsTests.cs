using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using Mux.AspNetCore.Kestrel;
using Mux.TestSupport.Transports.Tls;

namespace Mux.AspNetCore.Tests.Kestrel;

/// <summary>Options of TLS stay those of the user, who may share them with an endpoint that speaks HTTP.</summary>
public sealed class SharedTlsOptionsTests
{
    private const int TestLimit = 90_000;

    private static readonly SslApplicationProtocol s_mux = new("mux/1");

    [Fact(Timeout = TestLimit)]
    public async Task What_a_callback_returns_for_each_handshake_is_not_written_to()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        var shared = new SslServerAuthenticationOptions { ServerCertificate = certificate };
        await using var application = await Application.StartAsync(
            (endpoint, _) => endpoint.UseMuxHttps(new TlsHandshakeCallbackOptions { OnConnection = _ => new(shared) }));
        var client = application.CreateClient(options => (options.Address, options.Tls) = ($"muxs://127.0.0.1:{application.Port}", TlsTransports.Client()));
        Assert.Equal(7, (await client.Ask(new() { Id = 7 }, cancellationToken: TestContext.Current.CancellationToken)).Id);
        Assert.Null(shared.ApplicationProtocols);
    }

    /// <summary>Also those that a later .NET adds.</summary>
    [Fact]
    public void A_copy_has_all_that_the_options_of_a_handshake_have()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        var original = new SslServerAuthenticationOptions
        {
            AllowRenegotiation = true,
            AllowTlsResume = false,
            CertificateChainPolicy = new X509ChainPolicy(),
            CertificateRevocationCheckMode = X509RevocationMode.Online,
            CipherSuitesPolicy = OperatingSystem.IsWindows() ? null : new CipherSuitesPolicy([TlsCipherSuite.TLS_AES_128_GCM_SHA256]),
            ClientCertificateRequired = true,
            EnabledSslProtocols = SslProtocols.Tls13,
            RemoteCertificateValidationCallback = (_, _, _, errors) => errors == SslPolicyErrors.None,
            ServerCertificate = certificate,
            ServerCertificateContext = SslStreamCertificateContext.Create(certificate, null),
            ServerCertificateSelectionCallback = (_, _) => certificate,
        };
        if (OperatingSystem.IsLinux() || OperatingSystem.IsWindows()) (original.AllowRsaPkcs1Padding, original.AllowRsaPssPadding) = (false, false);
        AssertEqual(original, TlsOptionsCopy.Of(original, s_mux), new SslServerAuthenticationOptions(), [nameof(original.ApplicationProtocols), nameof(original.EncryptionPolicy)]);
    }

    [Fact]
    public void A_copy_has_all_that_the_options_of_UseHttps_have()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        var original = new HttpsConnectionAdapterOptions
        {
            CheckCertificateRevocation = true,
            ClientCertificateMode = ClientCertificateMode.RequireCertificate,
            ClientCertificateValidation = (_, _, _) => true,
            HandshakeTimeout = TimeSpan.FromSeconds(3),
            OnAuthenticate = (_, _) => { },
            ServerCertificate = certificate,
            ServerCertificateChain = [certificate],
            ServerCertificateSelector = (_, _) => certificate,
            SslProtocols = SslProtocols.Tls13,
            TlsClientHelloBytesCallback = (_, _) => { },
        };
        AssertEqual(original, TlsOptionsCopy.Of(original), new HttpsConnectionAdapterOptions(), []);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Options_that_are_passed_are_used_and_not_written_to()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        var shared = new HttpsConnectionAdapterOptions { ServerCertificate = certificate };
        await using var application = await Application.StartAsync((endpoint, _) => endpoint.UseMuxHttps(shared));
        var client = application.CreateClient(options => (options.Address, options.Tls) = ($"muxs://127.0.0.1:{application.Port}", TlsTransports.Client()));
        Assert.Equal(7, (await client.Ask(new() { Id = 7 }, cancellationToken: TestContext.Current.CancellationToken)).Id);
        Assert.Null(shared.OnAuthenticate);
    }

    /// <summary>Each property but the named ones is set, and is equal in the copy.</summary>
    private static void AssertEqual<T>(T original, T copy, T unset, string[] except)
    {
        foreach (var property in typeof(T).GetProperties().Where(property => !except.Contains(property.Name) && property.CanWrite))
        {
            var value = property.GetValue(original);
            if (property.Name is not (nameof(SslServerAuthenticationOptions.CipherSuitesPolicy)
                or nameof(SslServerAuthenticationOptions.AllowRsaPkcs1Padding) or nameof(SslServerAuthenticationOptions.AllowRsaPssPadding)) || OperatingSystem.IsLinux())
                Assert.False(Equals(value, property.GetValue(unset)), $"{property.Name} is not set by this test");
            Assert.True(Equals(value, property.GetValue(copy)), $"{property.Name} is not copied");
        }
    }
}
