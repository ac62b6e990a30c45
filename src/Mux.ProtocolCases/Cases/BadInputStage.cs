namespace Mux.ProtocolCases.Cases;

/// <summary>How far a connection is when bad input comes.</summary>
internal enum BadInputStage
{
    /// <summary>The link is up, and nothing was received.</summary>
    Connected,

    /// <summary>Both HELLOs are there, and the accepting side wants to know who the other one is.</summary>
    Authenticating,

    /// <summary>
    /// The handshake is done and calls are open both ways. Of the peer's, slot 1 is open (its handler runs and has a token) and slot 2 is answered; of this
    /// side's own, slot 1 is open, slot 2 was cancelled and not answered yet, slot 3 is answered, or open again with streams both ways if the case says so.
    /// Ordinal 0 is an echo, ordinal 1 the method that waits; those that stream are not defined yet.
    /// </summary>
    Open,
}
