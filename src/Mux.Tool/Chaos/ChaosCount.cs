namespace Mux.Tool.Chaos;

/// <summary>What a <see cref="ChaosTally"/> counts.</summary>
internal enum ChaosCount
{
    /// <summary>Bytes that reached the server.</summary>
    BytesUpstream,

    /// <summary>Bytes that reached a client.</summary>
    BytesDownstream,

    /// <summary>Times that a direction of a connection began to stall.</summary>
    Stalls,

    /// <summary>Bytes of half-open connections that were dropped.</summary>
    DroppedBytes,

    /// <summary>Bytes with a wrong bit.</summary>
    CorruptedBytes,

    /// <summary>Connections that a fault has reset.</summary>
    Resets,
}
