using Microsoft.AspNetCore.Server.Kestrel.Https;
using Mux.TestSupport.Transports.Tls;

namespace Mux.Discovery.Etcd.Tests.Scripted;

/// <summary>Members with TLS.</summary>
public sealed class TlsTests
{
    private const int TestLimit = 90_000;

    [Fact(Timeout = TestLimit)]
    public async Task Members_are_known_by_the_roots_of_the_options()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        await using var etcd = await ScriptedEtcd.StartAsync(tls => tls.ServerCertificate = certificate);
        etcd.List(7, ("1", """{"address":"mux://a:1"}"""));
        await using var sets = ObservedSets.Watch(new EtcdEndpointSource(etcd.Target, new EtcdOptions { TrustedRoots = TestAuthority.Shared.Roots }));
        await sets.ReachAsync("mux://a:1");
        await etcd.WatchedAsync();
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_member_with_a_foreign_certificate_is_not_asked()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        await using var etcd = await ScriptedEtcd.StartAsync(tls => tls.ServerCertificate = certificate);
        await using var sets = ObservedSets.Watch(new EtcdEndpointSource(etcd.Target));
        Assert.Contains($"{etcd.Member}: The remote certificate is invalid", (await sets.FailAsync()).Message, StringComparison.Ordinal);
        Assert.Empty(etcd.Paths);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_certificate_of_the_options_is_presented()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Server);
        using var own = TestAuthority.Shared.Issue(CertificateWish.Client);
        string? presented = null;
        await using var etcd = await ScriptedEtcd.StartAsync(tls =>
        {
            tls.ServerCertificate = certificate;
            tls.ClientCertificateMode = ClientCertificateMode.RequireCertificate;
            tls.ClientCertificateValidation = (seen, _, _) => (presented = seen.Thumbprint) is not null;
        });
        await using var sets = ObservedSets.Watch(new EtcdEndpointSource(etcd.Target, new EtcdOptions { Certificate = own, TrustedRoots = TestAuthority.Shared.Roots }));
        await sets.ReachAsync();
        Assert.Equal(own.Thumbprint, presented);
    }
}
