using Microsoft.Extensions.Logging;
using Mux.Telemetry;

namespace Mux.Runtime;

/// <summary>Log messages of TLS. Users filter by event name, so the names do not change.</summary>
internal static partial class TlsLog
{
    [LoggerMessage(EventIds.TlsHandshakeFailed, LogLevel.Warning, "The TLS handshake with {RemoteAddress} at {Address} failed: {Reason}.{Others}",
        EventName = "TlsHandshakeFailed")]
    public static partial void HandshakeFailed(ILogger logger, string remoteAddress, MuxAddress address, string reason, SuppressedCount others);

    [LoggerMessage(EventIds.TlsHandshakeRefused, LogLevel.Warning, "A connection from {RemoteAddress} at {Address} was closed: {Reason}.{Others}",
        EventName = "TlsHandshakeRefused")]
    public static partial void HandshakeRefused(ILogger logger, string remoteAddress, MuxAddress address, string reason, SuppressedCount others);

    [LoggerMessage(EventIds.TlsCertificateReloaded, LogLevel.Information, "The certificate in {Path} has changed; new connections use {Thumbprint}, valid " +
        "until {NotAfter}.", EventName = "TlsCertificateReloaded")]
    public static partial void CertificateReloaded(ILogger logger, string path, string thumbprint, DateTime notAfter);

    [LoggerMessage(EventIds.TlsCertificateKept, LogLevel.Warning, "The certificate could not be reloaded; the old one stays in use: {Reason}",
        EventName = "TlsCertificateKept")]
    public static partial void CertificateKept(ILogger logger, string reason);
}
