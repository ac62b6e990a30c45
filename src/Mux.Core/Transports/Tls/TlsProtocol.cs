using System.Net.Security;
using System.Security.Authentication;

namespace Mux.Transports.Tls;

/// <summary>What holds for every handshake.</summary>
internal static class TlsProtocol
{
    public const SslProtocols Versions = SslProtocols.Tls12 | SslProtocols.Tls13;

    /// <summary>The name by which peers know that they speak of the same protocol (ALPN).</summary>
    public static readonly SslApplicationProtocol Application = new("mux/1");
}
