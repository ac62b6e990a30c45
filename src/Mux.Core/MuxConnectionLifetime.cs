namespace Mux;

/// <summary>How long a channel keeps a connection.</summary>
public enum MuxConnectionLifetime
{
    /// <summary>All calls share few connections, which the channel keeps open. The default.</summary>
    Shared,

    /// <summary>
    /// Each call, stream or one-way call has a connection of its own, which the server ends after it. A call then also takes the time of a TCP connection and a
    /// handshake, and of TLS if there is one. For programs that make a call now and then, behind balancers that know only connections, and to compare.
    /// </summary>
    PerCall,
}
