using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Mux.Tool.Serving;

/// <summary>
/// A certificate for 127.0.0.1 that vouches for itself, with its key in a file that only this user reads: for a server process of a bench over TLS, and gone
/// with it.
/// </summary>
internal sealed class ThrowawayCertificate : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("mux-bench-").FullName; // which the system gives to this user alone

    public ThrowawayCertificate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=mux bench", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        var now = TimeProvider.System.GetUtcNow();
        using var certificate = request.CreateSelfSigned(now.AddHours(-1), now.AddDays(2)); // a run takes a day at most
        File.WriteAllText(Path, $"{certificate.ExportCertificatePem()}\n{key.ExportPkcs8PrivateKeyPem()}\n");
    }

    /// <summary>PEM: the certificate, which is its own root, and the key.</summary>
    public string Path => System.IO.Path.Combine(_folder, "server.pem");

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
