namespace Mux.Client;

/// <summary>Why the connections of an endpoint are too few.</summary>
internal enum GrowthReason
{
    /// <summary>They are enough.</summary>
    None,

    /// <summary>Calls wait because as many are open as the peer allows, or streams because no windows are left for them.</summary>
    CallLimit,

    /// <summary>Calls wait longer than a round trip to be sent.</summary>
    WaitingCalls,

    /// <summary>The links take no bytes most of the time.</summary>
    BlockedSending,

    /// <summary>Threads often meet each other at the lock of a connection.</summary>
    Contention,
}
