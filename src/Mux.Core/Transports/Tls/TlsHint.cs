using Mux.Transports.Streams;
using Mux.Wire;

namespace Mux.Transports.Tls;

/// <summary>
/// Says of a handshake that failed what most likely is wrong, by the first bytes that came in the place of TLS. No byte of the peer is repeated.
/// </summary>
internal static class TlsHint
{
    /// <summary>What is told where the server ends a connection that it asked for a certificate, and there is none.</summary>
    public const string NoClientCertificate =
        "TLS: the server demands a certificate of the client, and this channel has none: set Tls.CertificatePath, Tls.CertificateStore or Tls.Certificate";

    /// <summary>For a client.</summary>
    /// <param name="head">The first bytes of the server.</param>
    /// <param name="error">Of the handshake.</param>
    public static string OfServer(ReadOnlySpan<byte> head, Exception error) => ForeignBytes.Of(head) switch
    {
        ForeignProtocol.Tls => StreamFailure.Describe(error),
        ForeignProtocol.Http => $"the server answers with HTTP, and not with TLS ({StreamFailure.Describe(error)})",
        _ => $"the server did not answer with TLS: it likely listens without, at a {MuxAddress.TcpScheme} address ({StreamFailure.Describe(error)})",
    };

    /// <summary>For a server.</summary>
    /// <param name="head">The first bytes of the client.</param>
    /// <param name="error">Of the handshake.</param>
    public static string OfClient(ReadOnlySpan<byte> head, Exception error) => ForeignBytes.Of(head) switch
    {
        ForeignProtocol.Mux => $"the client speaks Mux without TLS: it connects to a {MuxAddress.TcpScheme} address, and this listener needs " +
            $"{MuxAddress.TlsScheme} ({StreamFailure.Describe(error)})",
        ForeignProtocol.Http => $"the client speaks HTTP, without TLS ({StreamFailure.Describe(error)})",
        _ => StreamFailure.Describe(error),
    };
}
