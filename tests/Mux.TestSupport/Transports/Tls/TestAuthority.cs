using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Mux.TestSupport.Transports.Tls;

/// <summary>A root of its own, and certificates that lead to it.</summary>
public sealed class TestAuthority
{
    private readonly X509Certificate2 _root;

    public TestAuthority()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN=Mux test root {Guid.NewGuid():N}", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(certificateAuthority: true, hasPathLengthConstraint: false, 0, critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign | X509KeyUsageFlags.CrlSign, critical: true));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, critical: false));
        _root = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddYears(-1), DateTimeOffset.UtcNow.AddYears(1));
    }

    /// <summary>One for all tests that need any.</summary>
    public static TestAuthority Shared { get; } = new();

    /// <summary>What to trust.</summary>
    public X509Certificate2Collection Roots => [X509CertificateLoader.LoadCertificate(_root.RawData)];

    public string RootPem => _root.ExportCertificatePem();

    /// <summary>A new certificate with its key.</summary>
    public X509Certificate2 Issue(CertificateWish wish)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={wish.Host}", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(false, false, 0, critical: true));
        if (wish.Usage is { } usage) request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(usage)], critical: false));
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName(wish.Host);
        if (wish.Host == "localhost") names.AddIpAddress(IPAddress.Loopback);
        foreach (var uri in wish.Uris) names.AddUri(new Uri(uri));
        if (wish.HasAlternativeNames) request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(X509AuthorityKeyIdentifierExtension.CreateFromCertificate(_root, includeKeyIdentifier: true, includeIssuerAndSerial: false));
        if (wish.RevocationList is { } list) request.CertificateExtensions.Add(CertificateRevocationListBuilder.BuildCrlDistributionPointExtension([list]));
        var end = DateTimeOffset.UtcNow.AddDays(wish.ValidDays);
        using var certificate = request.Create(_root, end.AddDays(-60), end, RandomNumberGenerator.GetBytes(16));
        using var withKey = certificate.CopyWithPrivateKey(key);
        return X509CertificateLoader.LoadPkcs12(withKey.Export(X509ContentType.Pkcs12), null, X509KeyStorageFlags.Exportable);
    }

    /// <summary>A list of certificates of this authority that are good no more.</summary>
    internal byte[] SignRevocationList(IReadOnlyList<X509Certificate2> revoked)
    {
        var builder = new CertificateRevocationListBuilder();
        foreach (var certificate in revoked) builder.AddEntry(certificate);
        var now = DateTimeOffset.UtcNow;
        return builder.Build(_root, 1, now.AddDays(1), HashAlgorithmName.SHA256, thisUpdate: now.AddHours(-1));
    }
}
