namespace Mux.Transports;

/// <summary>
/// Moves bytes: creates links to an address and accepts links at an address. Mux implements everything above it (frames, calls, timeouts), the transport
/// everything below (sockets, loops, threads).
/// </summary>
/// <remarks>
/// <para>The interface is synchronous and pushes: the transport calls <see cref="ILinkHandler"/> when something happened, Mux calls <see cref="Link"/> when it
/// has bytes. It has no tasks, streams or pipes. So a thread can own one link, or thousands of links.</para>
/// <para>All members may be called concurrently.</para>
/// <para>A dial must not block: neither <see cref="CreateLink"/> nor <see cref="Link.Start"/>. All channels of a process
/// share the thread that begins dials after a pause. Each dial that blocks it delays those behind it by 100 ms, also
/// those of other transports: then another thread begins them.</para>
/// </remarks>
public interface ITransport
{
    /// <summary>
    /// Creates a link to a listener. Nothing is resolved or connected before <see cref="Link.Start"/>. Called under a lock of the channel: it must not block or
    /// call back. An exception counts as a connection that could not be established.
    /// </summary>
    /// <exception cref="NotSupportedException">The transport does not support the address's scheme.</exception>
    Link CreateLink(MuxAddress address);

    /// <summary>Listens at an address until the listener is disposed.</summary>
    /// <param name="address">The address; port 0 means a free port.</param>
    /// <param name="accepted">Called once per accepted link, possibly concurrently. It must not block. Start or close each link, in the callback or later;
    /// until then nothing is read from it. An exception closes only this link.</param>
    /// <exception cref="NotSupportedException">The transport does not support the address's scheme.</exception>
    /// <exception cref="IOException">The transport cannot listen at the address; the message names the address and the reason.</exception>
    ITransportListener Listen(MuxAddress address, Action<Link> accepted);
}
