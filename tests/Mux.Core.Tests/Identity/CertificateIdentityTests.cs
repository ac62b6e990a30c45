using System.Security.Claims;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Mux.TestSupport.Transports.Tls;
using Mux.Transports;
using Mux.Transports.Tls;

namespace Mux.Core.Tests.Identity;

/// <summary>Whom a certificate shows.</summary>
public sealed class CertificateIdentityTests
{
    [Fact]
    public void The_first_URI_is_the_name_and_all_names_are_claims()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Client with { Host = "worker.example", Uris = ["spiffe://example/worker", "urn:other:name"] });
        var identity = CertificateIdentity.Of(certificate)!;
        Assert.Equal("spiffe://example/worker", identity.User.Identity!.Name);
        Assert.Equal(["spiffe://example/worker", "urn:other:name"], identity.User.FindAll(ClaimTypes.Uri).Select(claim => claim.Value));
        Assert.Equal(["worker.example"], identity.User.FindAll(ClaimTypes.Dns).Select(claim => claim.Value));
        Assert.Equal(certificate.NotAfter.ToUniversalTime(), identity.ExpiresAt!.Value.UtcDateTime);
        Assert.Equal("certificate", identity.User.Identity.AuthenticationType);
    }

    [Fact]
    public void Without_a_URI_the_first_DNS_name_is_the_name()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Client with { Host = "worker.example" });
        Assert.Equal("worker.example", CertificateIdentity.Of(certificate)?.User.Identity?.Name);
    }

    [Fact]
    public void The_common_name_is_nobody()
    {
        using var certificate = TestAuthority.Shared.Issue(CertificateWish.Client with { Host = "admin", HasAlternativeNames = false });
        Assert.Null(CertificateIdentity.Of(certificate));
    }

    [Theory]
    [InlineData(new byte[] { 0x30, 0x05, 0x86, 0x09, 0x61, 0x3A, 0x62 })] // a URI that is longer than all names
    [InlineData(new byte[] { 0x30, 0x03, 0x86, 0x01, 0xFF })] // a URI that is not ASCII
    [InlineData(new byte[] { 0x04, 0x00 })] // no sequence
    public void Malformed_names_are_nobody(byte[] names)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=admin", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509Extension("2.5.29.17", names, critical: false));
        using var certificate = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        PeerIdentity? identity = null;
        try
        {
            identity = CertificateIdentity.Of(certificate);
        }
        catch (CryptographicException)
        {
            Assert.Fail("What a peer presents must not throw.");
        }

        Assert.Null(identity);
    }
}
