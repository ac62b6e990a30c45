namespace Mux.Sessions.Lifecycle;

/// <summary>
/// Connecting -> Handshaking -> Open -> Closing -> Closed, with Authenticating before Open where the accepting side wants to know who is there; any state may
/// go straight to Closed, and Handshaking and Authenticating to Closing.
/// </summary>
internal enum ConnectionState : byte
{
    /// <summary>The link is not up yet. Calls wait.</summary>
    Connecting,

    /// <summary>The link is up, the peer's HELLO has not come. Calls wait.</summary>
    Handshaking,

    /// <summary>Both HELLOs are there; the accepting side has not let the other one in. Calls wait.</summary>
    Authenticating,

    /// <summary>Calls run in both directions, except where one side drains.</summary>
    Open,

    /// <summary>Every call is decided. What is queued is sent, then the sending direction ended; what arrives is discarded.</summary>
    Closing,

    /// <summary>The link is given up.</summary>
    Closed,
}
