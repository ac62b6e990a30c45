using System.Net.Security;
using System.Security.Cryptography;

namespace Mux.Transports.Streams;

/// <summary>What both ends of one TLS connection know of it, and a peer in the middle does not have: which certificate the server has shown.</summary>
/// <remarks>
/// SHA-256 of the certificate, whatever it is signed with. That is tls-server-end-point of RFC 5929 for all that are signed by SHA-256 or less; the RFC says
/// nothing of some others, and both ends must find the same.
/// <see cref="System.Net.TransportContext.GetChannelBinding(System.Security.Authentication.ExtendedProtection.ChannelBindingKind)"/> is not asked: on some
/// systems it hashes the certificate of the other side, at a server that of a client.
/// </remarks>
public static class TlsChannelBinding
{
    /// <summary>The binding of a connection.</summary>
    /// <param name="stream">Of either side.</param>
    /// <returns>32 bytes, for <see cref="StreamConnection.ChannelBinding"/>. Empty if the handshake is not done.</returns>
    public static ReadOnlyMemory<byte> Of(SslStream stream)
    {
        ArgumentNullException.ThrowIfNull(stream);
        if (!stream.IsAuthenticated) return default;
        return (stream.IsServer ? stream.LocalCertificate : stream.RemoteCertificate) is { } certificate ? SHA256.HashData(certificate.GetRawCertData())
            : default(ReadOnlyMemory<byte>);
    }
}
