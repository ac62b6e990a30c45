namespace Mux.Sessions.Budgets;

/// <summary>The limits that a peer can break, or find used up: the tags of metrics and logs, so few and fixed.</summary>
internal enum PeerLimit
{
    /// <summary>Refused at the door: the server has no place for another connection.</summary>
    Connections,

    /// <summary>Refused at the door: too many have not said who they are yet.</summary>
    PendingHandshakes,

    /// <summary>Refused at the door: too many of those are of one address.</summary>
    PendingHandshakesOfAddress,

    /// <summary>Calls refused: the server runs as many handlers as it may.</summary>
    RunningHandlers,

    /// <summary>Calls refused: peers make the server hold as much as it may.</summary>
    HeldBytes,

    /// <summary>Calls refused: the peers of one address do.</summary>
    HeldBytesOfAddress,

    /// <summary>Ended: fragments and pieces too small for what they cost.</summary>
    TinyFrames,

    /// <summary>Ended: frames that are about calls and connection and carry nothing.</summary>
    ControlFrames,

    /// <summary>Ended: requests that are refused for what the peer did.</summary>
    Misuse,

    /// <summary>Ended: calls that are opened to be cancelled.</summary>
    PrematureCancels,

    /// <summary>Ended: PINGs one after the other.</summary>
    Pings,

    /// <summary>Ended: it takes its bytes too slowly.</summary>
    SlowReading,

    /// <summary>Ended: it sends its frames too slowly.</summary>
    SlowSending,

    /// <summary>Ended: the connections of the server held too much unsent, and this one had taken nothing for the longest time.</summary>
    UnsentOfServer,
}
