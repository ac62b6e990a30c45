using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Tls;

/// <summary>A root in memory and PEM files with certificates of it: what a company's own authority, or Let's Encrypt, does otherwise.</summary>
public sealed class Authority : IDisposable
{
    public const string ServerUsage = "1.3.6.1.5.5.7.3.1";
    public const string ClientUsage = "1.3.6.1.5.5.7.3.2";

    private readonly ECDsa _key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
    private readonly X509Certificate2 _root;

    public Authority()
    {
        var request = new CertificateRequest("CN=Root of the sample", _key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(certificateAuthority: true, hasPathLengthConstraint: false, 0, critical: true));
        _root = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(2));
    }

    public void WriteRoot(string path) => File.WriteAllText(path, _root.ExportCertificatePem());

    /// <summary>A new certificate for 127.0.0.1 and its key, in one file.</summary>
    public void WriteCertificate(string path, string usage)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(usage)], critical: false));
        var names = new SubjectAlternativeNameBuilder();
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        using var certificate = request.Create(_root, DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1), RandomNumberGenerator.GetBytes(16));
        var next = path + ".new"; // a rename puts certificate and key in place at once
        File.WriteAllText(next, certificate.ExportCertificatePem() + "\n" + key.ExportPkcs8PrivateKeyPem());
        File.Move(next, path, overwrite: true);
    }

    public void Dispose()
    {
        _root.Dispose();
        _key.Dispose();
    }
}
