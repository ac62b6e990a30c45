namespace Mux.Telemetry;

/// <summary>Reasons of failed TLS handshakes at a server. They are the tags of a metric, so they are few and fixed.</summary>
internal enum TlsFailure
{
    /// <summary>The maximum number of handshakes was pending, and this one was new, or the oldest.</summary>
    PendingHandshakes,

    /// <summary>The maximum number of handshakes from its address was pending, and this one was new, or the oldest.</summary>
    PendingHandshakesOfAddress,

    /// <summary>The handshake did not finish in time.</summary>
    Timeout,

    /// <summary>The client's certificate is missing or was rejected.</summary>
    Certificate,

    /// <summary>The client ended the connection, or it broke.</summary>
    ConnectionLost,

    /// <summary>
    /// Any other failure of TLS: no TLS at all, no common version or application protocol, or a client that rejects the server's certificate.
    /// </summary>
    Protocol,
}
