using System.Net.Security;
using System.Security.Authentication;

namespace Mux.Runtime;

/// <summary>Settings common to all handshakes.</summary>
internal static class TlsProtocol
{
    public const SslProtocols Versions = SslProtocols.Tls12 | SslProtocols.Tls13;

    /// <summary>ALPN name of the protocol, which both peers must offer.</summary>
    public static readonly SslApplicationProtocol Application = new("mux/1");
}
