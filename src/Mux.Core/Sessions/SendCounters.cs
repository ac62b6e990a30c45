namespace Mux.Sessions;

/// <summary>What one connection has sent. Written by its sender only.</summary>
internal sealed class SendCounters
{
    public long Bytes;

    /// <summary>Times bytes were handed to the link: with sockets, system calls.</summary>
    public long Sends;

    /// <summary>What the items of all streams cost that were handed over (PROTOCOL.md section 6.2). Written under the connection's lock.</summary>
    public long ItemCost;
}
