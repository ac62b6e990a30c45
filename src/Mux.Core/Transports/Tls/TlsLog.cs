using Microsoft.Extensions.Logging;
using Mux.Diagnostics;

namespace Mux.Transports.Tls;

/// <summary>What TLS logs. The event names are what people filter by: they do not change.</summary>
internal static partial class TlsLog
{
    [LoggerMessage(EventIds.TlsHandshakeFailed, LogLevel.Warning, "The TLS handshake with {RemoteAddress} at {Address} failed: {Reason}. Since the last " +
        "such message {Others} others did.", EventName = "TlsHandshakeFailed")]
    public static partial void HandshakeFailed(ILogger logger, string remoteAddress, MuxAddress address, string reason, int others);

    [LoggerMessage(EventIds.TlsHandshakeRefused, LogLevel.Warning, "A connection of {RemoteAddress} at {Address} was closed: {Reason}. Since the last such " +
        "message {Others} others were.", EventName = "TlsHandshakeRefused")]
    public static partial void HandshakeRefused(ILogger logger, string remoteAddress, MuxAddress address, string reason, int others);

    [LoggerMessage(EventIds.TlsCertificateReloaded, LogLevel.Information, "The certificate in {Path} has changed; new connections use {Thumbprint}, valid " +
        "until {NotAfter}.", EventName = "TlsCertificateReloaded")]
    public static partial void CertificateReloaded(ILogger logger, string path, string thumbprint, DateTime notAfter);

    [LoggerMessage(EventIds.TlsCertificateKept, LogLevel.Warning, "The certificate has changed, and the old one stays in use: {Reason}",
        EventName = "TlsCertificateKept")]
    public static partial void CertificateKept(ILogger logger, string reason);
}
