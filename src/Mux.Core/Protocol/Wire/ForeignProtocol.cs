namespace Mux.Protocol;

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
