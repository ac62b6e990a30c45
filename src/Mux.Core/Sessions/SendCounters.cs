namespace Mux.Connections;

/// <summary>What one connection has sent. Written by its sender only.</summary>
internal sealed class SendCounters
{
    public long Bytes;

    /// <summary>Times bytes were handed to the link: with sockets, system calls.</summary>
    public long Sends;
}
