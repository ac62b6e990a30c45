namespace Mux.ProtocolCases.Cases;

/// <summary>States of a connection when bad input arrives.</summary>
internal enum BadInputStage
{
    /// <summary>The link is up, and nothing was received.</summary>
    Connected,

    /// <summary>Both HELLOs were received, and the accepting side requires authentication.</summary>
    Authenticating,

    /// <summary>
    /// The handshake is done, and calls are open in both directions. Of the peer's calls, slot 1 is open (its handler runs and has a token) and slot 2 is
    /// answered. Of this side's calls, slot 1 is open, slot 2 was cancelled and is not answered yet, and slot 3 is answered, or open again with streams in both
    /// directions if the case says so. Ordinal 0 is an echo, ordinal 1 the method that waits; streaming methods are not defined yet.
    /// </summary>
    Open,
}
