namespace Mux.Wire;

/// <summary>What a peer speaks whose first bytes are not those that were expected.</summary>
internal enum ForeignProtocol
{
    /// <summary>Nothing that is known here, or too few bytes to tell.</summary>
    Unknown,

    /// <summary>A record of TLS: the beginning of a handshake, or an alert.</summary>
    Tls,

    /// <summary>HTTP/1.x, or the preface of HTTP/2.</summary>
    Http,

    /// <summary>This protocol, where TLS was expected before it.</summary>
    Mux,
}
