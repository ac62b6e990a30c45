namespace Mux.Transports.InMemory;

/// <summary>One of the two directions of an <see cref="InMemoryConnection"/>.</summary>
public enum InMemoryDirection
{
    /// <summary>Bytes that the dialing side sends.</summary>
    ToListener = 0,

    /// <summary>Bytes that the accepting side sends.</summary>
    ToDialer = 1,
}
