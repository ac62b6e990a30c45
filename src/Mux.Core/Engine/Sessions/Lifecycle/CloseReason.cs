namespace Mux.Engine;

/// <summary>Reasons why a connection ends. Each has exactly one, which is logged and tags the metrics.</summary>
internal enum CloseReason
{
    /// <summary>The link was never established.</summary>
    ConnectFailed,

    /// <summary>The peer did not complete the handshake in time.</summary>
    HandshakeTimeout,

    /// <summary>The peer does not speak this protocol.</summary>
    NotMux,

    /// <summary>The peer broke a rule of the protocol.</summary>
    ProtocolError,

    /// <summary>The peer ended the connection with an error code.</summary>
    PeerError,

    /// <summary>The connection broke, or the peer closed it without GOAWAY.</summary>
    ConnectionLost,

    /// <summary>The peer stayed silent beyond the keep-alive timeout.</summary>
    KeepAliveTimeout,

    /// <summary>The peer read nothing for too long, or did not finish a frame that it began.</summary>
    SlowPeer,

    /// <summary>
    /// The peer used up a budget for frames that are cheap to send, or sent more settings, definitions, fragments or unread refusals than are accepted.
    /// </summary>
    ExcessiveLoad,

    /// <summary>The peer sent PINGs too often.</summary>
    TooManyPings,

    /// <summary>No call was open for the idle time.</summary>
    Idle,

    /// <summary>It had reached the age at which this side drains its connections.</summary>
    MaxAge,

    /// <summary>This side drained.</summary>
    Drained,

    /// <summary>The peer drained.</summary>
    PeerDrained,

    /// <summary>This side closed the connection without draining.</summary>
    Disposed,

    /// <summary>The peer or this side failed to authenticate.</summary>
    AuthFailed,

    /// <summary>The credential of the peer expired.</summary>
    CredentialExpired,

    /// <summary>A bug in this side.</summary>
    Internal,

    /// <summary>Code of this side that learns of connections has failed for this one, which is of no use without it.</summary>
    Refused,
}
