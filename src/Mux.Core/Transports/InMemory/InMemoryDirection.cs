namespace Mux.Transports.InMemory;

/// <summary>One of the two directions of an <see cref="InMemoryConnection"/>.</summary>
public enum InMemoryDirection
{
    /// <summary>What the dialing side sends.</summary>
    ToListener = 0,

    /// <summary>What the accepting side sends.</summary>
    ToDialer = 1,
}
