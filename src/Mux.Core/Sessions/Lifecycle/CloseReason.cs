namespace Mux.Sessions.Lifecycle;

/// <summary>Why a connection ended: each has exactly one, which is logged and tags the metrics.</summary>
internal enum CloseReason
{
    /// <summary>The link never came up.</summary>
    ConnectFailed,

    /// <summary>The peer did not complete its handshake in time.</summary>
    HandshakeTimeout,

    /// <summary>What connected does not speak this protocol.</summary>
    NotMux,

    /// <summary>The peer broke a rule of the protocol.</summary>
    ProtocolError,

    /// <summary>The peer ended the connection and blamed this side, or itself.</summary>
    PeerError,

    /// <summary>The peer's stream ended without a word.</summary>
    ConnectionLost,

    /// <summary>The peer stayed silent beyond the keep-alive timeout.</summary>
    KeepAliveTimeout,

    /// <summary>The peer took no bytes for too long, or did not finish a frame it had begun.</summary>
    SlowPeer,

    /// <summary>
    /// The peer sent too much of what is cheap to send: it used up a budget, or sent more settings, definitions, fragments or unread refusals than are
    /// accepted.
    /// </summary>
    ExcessiveLoad,

    /// <summary>The peer asked too often whether this side lives.</summary>
    TooManyPings,

    /// <summary>No call was open for the idle time.</summary>
    Idle,

    /// <summary>This side drained.</summary>
    Drained,

    /// <summary>The peer drained.</summary>
    PeerDrained,

    /// <summary>This side gave the connection up without draining.</summary>
    Disposed,

    /// <summary>The peer, or this side, did not show that it is who it has to be.</summary>
    AuthFailed,

    /// <summary>What the peer had shown of itself expired.</summary>
    CredentialExpired,

    /// <summary>A defect of this side.</summary>
    Internal,
}
