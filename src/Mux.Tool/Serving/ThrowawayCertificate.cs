using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Mux.Tool.Serving;

/// <summary>
/// A self-signed certificate for 127.0.0.1, with its key in a file that only this user can read. For a server process of a bench over TLS, and deleted with it.
/// </summary>
internal sealed class ThrowawayCertificate : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("mux-bench-").FullName; // the system gives access to this user only

    public ThrowawayCertificate()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=mux bench", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        var now = TimeProvider.System.GetUtcNow();
        using var certificate = request.CreateSelfSigned(now.AddHours(-1), now.AddDays(2)); // a run takes at most a day
        File.WriteAllText(Path, $"{certificate.ExportCertificatePem()}\n{key.ExportPkcs8PrivateKeyPem()}\n");
    }

    /// <summary>Path of the PEM file with the certificate, which is its own root, and the key.</summary>
    public string Path => System.IO.Path.Combine(_folder, "server.pem");

    public void Dispose() => Directory.Delete(_folder, recursive: true);
}
