namespace Mux.Wire;

/// <summary>
/// Tells by its first bytes what a peer speaks, so that both sides can say what is wrong. Only a hint for people: nothing is decided by it, and no byte of the
/// peer goes into a text.
/// </summary>
internal static class ForeignBytes
{
    /// <summary>So many bytes are looked at.</summary>
    public const int Length = 8;

    private const byte TlsHandshake = 0x16, TlsAlert = 0x15, TlsMajorVersion = 0x03;

    /// <summary>What begins with the bytes.</summary>
    public static ForeignProtocol Of(ReadOnlySpan<byte> first) => first switch
    {
        [TlsHandshake or TlsAlert, TlsMajorVersion, ..] => ForeignProtocol.Tls,
        [(byte)'M', (byte)'U', (byte)'X', (byte)'1', ..] => ForeignProtocol.Mux,
        _ => IsHttp(first) ? ForeignProtocol.Http : ForeignProtocol.Unknown,
    };

    /// <summary>The reply of a server, the methods of HTTP/1.x, and the preface of HTTP/2.</summary>
    private static bool IsHttp(ReadOnlySpan<byte> first) =>
        first.StartsWith("HTTP/"u8) || first.StartsWith("GET "u8) || first.StartsWith("POST "u8) || first.StartsWith("HEAD "u8) || first.StartsWith("PUT "u8)
        || first.StartsWith("OPTIONS "u8) || first.StartsWith("DELETE "u8) || first.StartsWith("PATCH "u8) || first.StartsWith("CONNECT "u8)
            || first.StartsWith("PRI * "u8);
}
