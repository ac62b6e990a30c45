namespace Mux.Transports;

/// <summary>
/// Moves bytes: makes links to an address and accepts links at one. Everything above a transport (frames, calls, timeouts) is Mux's,
/// everything below (sockets, loops, threads) is the transport's.
/// </summary>
/// <remarks>
/// <para>The seam is synchronous and pushes: the transport calls <see cref="ILinkHandler"/> when something happened, Mux calls <see cref="Link"/> when it
/// has bytes. There is no task, stream or pipe in it, so that one thread can own one link, or one loop own thousands.</para>
/// <para>All members may be called concurrently.</para>
/// </remarks>
public interface ITransport
{
    /// <summary>
    /// Prepares a link to a listener. Nothing is resolved or connected before <see cref="Link.Start"/>. Called under a lock of the channel: it must not block
    /// or call back. An exception counts as a connection that could not be established.
    /// </summary>
    /// <exception cref="NotSupportedException">The transport does not speak the address's scheme.</exception>
    Link CreateLink(MuxAddress address);

    /// <summary>Listens at an address until the listener is disposed.</summary>
    /// <param name="address">Port 0 takes a free port.</param>
    /// <param name="accepted">Called once per accepted link, possibly concurrently. It must not block. Each link has to be
    /// started or closed, in the callback or later; until then nothing is read from it. An exception closes the link and nothing else.</param>
    /// <exception cref="NotSupportedException">The transport does not speak the address's scheme.</exception>
    /// <exception cref="IOException">The address cannot be listened at; the message names the address and the reason.</exception>
    ITransportListener Listen(MuxAddress address, Action<Link> accepted);
}
