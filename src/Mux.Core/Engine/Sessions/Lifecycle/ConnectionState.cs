namespace Mux.Engine;

/// <summary>
/// Connecting -> Handshaking -> Open -> Closing -> Closed. Authenticating comes before Open if the accepting side demands it. Every state may change to Closed
/// directly, and Handshaking and Authenticating to Closing.
/// </summary>
internal enum ConnectionState : byte
{
    /// <summary>The link is not up yet. Calls wait.</summary>
    Connecting,

    /// <summary>The link is up, and the peer's HELLO has not arrived. Calls wait.</summary>
    Handshaking,

    /// <summary>Both HELLOs have arrived, and the accepting side has not admitted the peer yet. Calls wait.</summary>
    Authenticating,

    /// <summary>Calls run in both directions, except where one side drains.</summary>
    Open,

    /// <summary>Every call is decided. Queued bytes are sent, then the sending direction ends; arriving bytes are discarded.</summary>
    Closing,

    /// <summary>The link is closed.</summary>
    Closed,
}
