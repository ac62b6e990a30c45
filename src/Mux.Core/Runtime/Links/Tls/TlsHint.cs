using Mux.Protocol;

namespace Mux.Runtime;

/// <summary>Describes the likely cause of a failed handshake, judged by the first bytes received instead of TLS. Repeats no byte of the peer.</summary>
internal static class TlsHint
{
    /// <summary>Message if the server demands a client certificate and there is none.</summary>
    public const string NoClientCertificate =
        "TLS: the server requires a client certificate, and this channel has none: set Tls.CertificatePath, Tls.CertificateStore or Tls.Certificate";

    /// <summary>Message if the server has got the client certificate that it demands, and closes the connection.</summary>
    /// <param name="subject">Subject of the certificate.</param>
    public static string ClientCertificateRefused(string subject) =>
        $"TLS: the server asked for a client certificate, and closed the connection after it got that of this channel ({subject}): it probably refused the " +
        $"certificate (its log then has TlsHandshakeFailed with the reason). Otherwise it stops, or has reached a limit that its log names";

    /// <summary>Describes the failure on a client.</summary>
    /// <param name="head">The first bytes received from the server.</param>
    /// <param name="error">Failure of the handshake.</param>
    public static string OfServer(ReadOnlySpan<byte> head, Exception error) => ForeignBytes.Of(head) switch
    {
        _ when head.IsEmpty => "the server closed the connection without an answer: it listens without TLS, at a " +
            $"{MuxAddress.TcpScheme} address, or it has as many unfinished handshakes as it allows, in total or from this address (its log then has " +
            $"TlsHandshakeRefused) ({StreamFailure.Describe(error)})",
        ForeignProtocol.Tls => StreamFailure.Describe(error),
        ForeignProtocol.Http => $"the server answers with HTTP instead of TLS ({StreamFailure.Describe(error)})",
        _ => $"the server did not answer with TLS: it probably listens without TLS, at a {MuxAddress.TcpScheme} address ({StreamFailure.Describe(error)})",
    };

    /// <summary>Describes the failure on a server.</summary>
    /// <param name="head">The first bytes received from the client.</param>
    /// <param name="error">Failure of the handshake.</param>
    public static string OfClient(ReadOnlySpan<byte> head, Exception error) => ForeignBytes.Of(head) switch
    {
        ForeignProtocol.Mux => $"the client speaks Mux without TLS: it connects to a {MuxAddress.TcpScheme} address, and this listener needs " +
            $"{MuxAddress.TlsScheme} ({StreamFailure.Describe(error)})",
        ForeignProtocol.Http => $"the client speaks HTTP, without TLS ({StreamFailure.Describe(error)})",
        _ => StreamFailure.Describe(error),
    };
}
