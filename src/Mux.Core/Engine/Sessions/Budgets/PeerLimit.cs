namespace Mux.Engine;

/// <summary>Limits that a peer can exceed or find used up. They are tags of metrics and logs: few and fixed.</summary>
internal enum PeerLimit
{
    /// <summary>Connection rejected: the server has no room for another one.</summary>
    Connections,

    /// <summary>Connection rejected: too many have not finished their handshake, and it was new, or the oldest.</summary>
    PendingHandshakes,

    /// <summary>Connection rejected: too many of one address have not finished their handshake, and it was new, or the oldest.</summary>
    PendingHandshakesOfAddress,

    /// <summary>Call rejected: the server runs as many handlers as it may.</summary>
    RunningHandlers,

    /// <summary>Call rejected: peers make the server hold as much memory as it may.</summary>
    HeldBytes,

    /// <summary>Call rejected: the peers of one address make the server hold as much memory as they may.</summary>
    HeldBytesOfAddress,

    /// <summary>Call rejected: work waits too long for the threads of the server.</summary>
    QueueTime,

    /// <summary>Call rejected: the client of a gateway has its share of what the gateway has open at a service.</summary>
    ForwardedCalls,

    /// <summary>Connection closed: fragments and pieces too small for what they cost.</summary>
    TinyFrames,

    /// <summary>Connection closed: too many frames that carry no message.</summary>
    ControlFrames,

    /// <summary>Connection closed: too many requests refused for misuse.</summary>
    Misuse,

    /// <summary>Connection closed: calls opened only to be cancelled.</summary>
    PrematureCancels,

    /// <summary>Connection closed: too many PINGs.</summary>
    Pings,

    /// <summary>Connection closed: the peer reads too slowly.</summary>
    SlowReading,

    /// <summary>Connection closed: the peer sends its frames too slowly.</summary>
    SlowSending,

    /// <summary>Connection closed: the server held too much unsent, of which this connection had most for the time that its peer was behind.</summary>
    UnsentOfServer,
}
