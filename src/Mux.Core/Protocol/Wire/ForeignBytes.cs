namespace Mux.Protocol;

/// <summary>
/// Recognizes the protocol of a peer by its first bytes, so that both sides can report what is wrong. Only a hint for people: no decision depends on it, and no
/// byte of the peer is copied into a message.
/// </summary>
internal static class ForeignBytes
{
    /// <summary>Number of bytes examined.</summary>
    public const int Length = 8;

    private const byte TlsHandshake = 0x16, TlsAlert = 0x15, TlsMajorVersion = 0x03;

    /// <summary>Gets the protocol that starts with the bytes.</summary>
    public static ForeignProtocol Of(ReadOnlySpan<byte> first) => first switch
    {
        [TlsHandshake or TlsAlert, TlsMajorVersion, ..] => ForeignProtocol.Tls,
        [(byte)'M', (byte)'U', (byte)'X', (byte)'1', ..] => ForeignProtocol.Mux,
        _ => IsHttp(first) ? ForeignProtocol.Http : ForeignProtocol.Unknown,
    };

    /// <summary>Recognizes a server's reply, the methods of HTTP/1.x, and the preface of HTTP/2.</summary>
    private static bool IsHttp(ReadOnlySpan<byte> first) =>
        first.StartsWith("HTTP/"u8) || first.StartsWith("GET "u8) || first.StartsWith("POST "u8) || first.StartsWith("HEAD "u8) || first.StartsWith("PUT "u8)
        || first.StartsWith("OPTIONS "u8) || first.StartsWith("DELETE "u8) || first.StartsWith("PATCH "u8) || first.StartsWith("CONNECT "u8)
            || first.StartsWith("PRI * "u8);
}

/// <summary>Protocols recognized from unexpected first bytes.</summary>
internal enum ForeignProtocol
{
    /// <summary>Not recognized, or too few bytes.</summary>
    Unknown,

    /// <summary>A TLS record: the start of a handshake, or an alert.</summary>
    Tls,

    /// <summary>HTTP/1.x, or the preface of HTTP/2.</summary>
    Http,

    /// <summary>This protocol, in place of TLS.</summary>
    Mux,
}
