using System.Net.Security;

namespace Mux.AspNetCore.Kestrel;

/// <summary>Copies options of TLS that belong to the user, who may use them for other endpoints too.</summary>
internal static class TlsOptionsCopy
{
    /// <summary>Gets a copy that offers one application protocol.</summary>
    public static SslServerAuthenticationOptions Of(SslServerAuthenticationOptions options, SslApplicationProtocol protocol) => new()
    {
        AllowRenegotiation = options.AllowRenegotiation,
        AllowRsaPkcs1Padding = options.AllowRsaPkcs1Padding,
        AllowRsaPssPadding = options.AllowRsaPssPadding,
        AllowTlsResume = options.AllowTlsResume,
        ApplicationProtocols = [protocol],
        CertificateChainPolicy = options.CertificateChainPolicy,
        CertificateRevocationCheckMode = options.CertificateRevocationCheckMode,
        CipherSuitesPolicy = options.CipherSuitesPolicy,
        ClientCertificateRequired = options.ClientCertificateRequired,
        EnabledSslProtocols = options.EnabledSslProtocols,
        EncryptionPolicy = options.EncryptionPolicy,
        RemoteCertificateValidationCallback = options.RemoteCertificateValidationCallback,
        ServerCertificate = options.ServerCertificate,
        ServerCertificateContext = options.ServerCertificateContext,
        ServerCertificateSelectionCallback = options.ServerCertificateSelectionCallback,
    };
}
