using System.Net.Security;
using Microsoft.AspNetCore.Server.Kestrel.Https;

namespace Mux.AspNetCore.Kestrel;

/// <summary>Copies options of TLS that belong to the user, who may use them for other endpoints too.</summary>
internal static class TlsOptionsCopy
{
    /// <summary>Gets a copy that offers one application protocol.</summary>
    public static SslServerAuthenticationOptions Of(SslServerAuthenticationOptions options, SslApplicationProtocol protocol)
    {
        var copy = new SslServerAuthenticationOptions
        {
            AllowRenegotiation = options.AllowRenegotiation,
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
        if (OperatingSystem.IsLinux() || OperatingSystem.IsWindows()) // others have no such choice, and throw
        {
            copy.AllowRsaPkcs1Padding = options.AllowRsaPkcs1Padding;
            copy.AllowRsaPssPadding = options.AllowRsaPssPadding;
        }

        return copy;
    }

    /// <summary>Gets a copy that can be changed.</summary>
    public static HttpsConnectionAdapterOptions Of(HttpsConnectionAdapterOptions options) => new()
    {
        CheckCertificateRevocation = options.CheckCertificateRevocation,
        ClientCertificateMode = options.ClientCertificateMode,
        ClientCertificateValidation = options.ClientCertificateValidation,
        HandshakeTimeout = options.HandshakeTimeout,
        OnAuthenticate = options.OnAuthenticate,
        ServerCertificate = options.ServerCertificate,
        ServerCertificateChain = options.ServerCertificateChain,
        ServerCertificateSelector = options.ServerCertificateSelector,
        SslProtocols = options.SslProtocols,
        TlsClientHelloBytesCallback = options.TlsClientHelloBytesCallback,
    };
}
