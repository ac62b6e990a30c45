using System.Security.Cryptography.X509Certificates;
using Mux.Engine;
using Mux.Identity;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports.Tls;
using Mux.Tests.Contracts;

namespace Mux.Tests.EndToEnd;

/// <summary>Clients that are known by their certificates.</summary>
public sealed class CertificateIdentityTests : EndToEndTests
{
    [Fact(Timeout = TestLimit)]
    public async Task The_URI_in_the_certificate_of_a_client_is_the_caller_and_needs_no_credential()
    {
        var scene = Begin(TransportKind.Tls);
        Assert.Equal("spiffe://example/worker", await Connect(scene, CertificateWish.Client with { Uris = ["spiffe://example/worker"] }).WhoAmI());
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_policy_sees_the_names_in_the_certificate()
    {
        var scene = Begin(TransportKind.Tls);
        Assert.Equal([1, 2], await Connect(scene, CertificateWish.Client with { Uris = ["spiffe://example/boss"] }).Count(2, TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken));
        var other = Connect(scene, CertificateWish.Client with { Uris = ["spiffe://example/worker"] });
        Assert.Equal(MuxStatus.PermissionDenied, (await Assert.ThrowsAsync<MuxException>(async () => await other.Count(2, TestContext.Current.CancellationToken).ToListAsync(TestContext.Current.CancellationToken))).Status);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_certificate_with_a_common_name_alone_is_nobody()
    {
        var scene = Begin(TransportKind.Tls);
        scene.ExpectedEnds.Add(CloseReason.AuthFailed);
        var sut = Connect(scene, CertificateWish.Client with { Host = "spiffe-boss", HasAlternativeNames = false });
        Assert.Equal(MuxStatus.Unauthenticated, (await Assert.ThrowsAsync<MuxException>(() => sut.WhoAmI().AsTask())).Status);
    }

    private static IGuarded Connect(Scene scene, CertificateWish wish)
    {
        var serverTls = TlsTransports.Server();
        serverTls.TrustedRoots = TestAuthority.Shared.Roots;
        serverTls.Revocation = X509RevocationMode.NoCheck;
        var clientTls = TlsTransports.Client();
        clientTls.Certificate = TestAuthority.Shared.Issue(wish);
        var transport = TlsTransports.Create(serverTls, clientTls);
        var server = scene.StartServer(server => server.AddService<IGuarded>(new Guarded()), options =>
        {
            options.Transport = new CountedTransport(transport);
            options.Identity = new MuxIdentityOptions { TrustTransport = true, Policies = { ["adult"] = static user => user.Identity?.Name == "spiffe://example/boss" } };
        });
        scene.AcceptsElsewhere++;
        scene.DialsElsewhere++;
        return scene.CreateChannel(server, options => options.Transport = transport).CreateProxy<IGuarded>();
    }
}
