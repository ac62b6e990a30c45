namespace Mux.Engine;

/// <summary>Counts what one connection has sent. Written only by its sender.</summary>
internal sealed class SendCounters
{
    public long Bytes;

    /// <summary>Number of sends to the link: with sockets, system calls.</summary>
    public long Sends;

    /// <summary>Cost of all items of streams that were handed over (PROTOCOL.md section 6.2). Written under the connection's lock.</summary>
    public long ItemCost;
}
