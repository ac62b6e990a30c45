namespace Mux.Diagnostics;

/// <summary>Why a TLS handshake failed at a server: the tags of its metric, so few and fixed.</summary>
internal enum TlsFailure
{
    /// <summary>Closed when it was accepted: as many are pending as may be.</summary>
    PendingHandshakes,

    /// <summary>Closed when it was accepted: as many of its address are pending as may be.</summary>
    PendingHandshakesOfAddress,

    /// <summary>It was not over in time.</summary>
    Timeout,

    /// <summary>The client's certificate is missing or was not taken.</summary>
    Certificate,

    /// <summary>The client ended the connection, or it broke.</summary>
    ConnectionLost,

    /// <summary>
    /// Whatever else TLS says: no TLS at all, no version or application protocol in common, or a client that does not take the server's certificate.
    /// </summary>
    Protocol,
}
