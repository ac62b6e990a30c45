using System.Net.Security;
using System.Security.Cryptography;

namespace Mux.Transports.Streams;

/// <summary>
/// Identifies a TLS connection by the certificate that the server has presented. Both ends compute the same value, unless a peer in the middle presents a
/// certificate of its own.
/// </summary>
/// <remarks>
/// The binding is the SHA-256 of the certificate, whatever its signature algorithm. For certificates that are signed with SHA-256, SHA-1 or MD5, that is
/// tls-server-end-point of RFC 5929. For some other algorithms the RFC defines no value, but both ends must compute the same one.
/// <see cref="System.Net.TransportContext.GetChannelBinding(System.Security.Authentication.ExtendedProtection.ChannelBindingKind)"/> is not used: on some
/// systems it hashes the certificate of the other side, which at a server is the client's.
/// </remarks>
public static class TlsChannelBinding
{
    /// <summary>Gets the binding of a connection.</summary>
    /// <param name="stream">The stream of either side.</param>
    /// <returns>32 bytes, for <see cref="StreamConnection.ChannelBinding"/>. Empty if the handshake is not complete.</returns>
    public static ReadOnlyMemory<byte> Of(SslStream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        if (!stream.IsAuthenticated) return default;
        return (stream.IsServer ? stream.LocalCertificate : stream.RemoteCertificate) is { } certificate ? SHA256.HashData(certificate.GetRawCertData())
            : default(ReadOnlyMemory<byte>);
    }
}
