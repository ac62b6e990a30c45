using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Runtime;

namespace Mux.Transports.BeetleX;

/// <summary>
/// TCP (<c>mux://host:port</c>) over BeetleX, which only moves bytes: Mux does the framing, the batching and the back-pressure. For trusted networks only:
/// there is no encryption, and BeetleX is no longer maintained.
/// </summary>
/// <remarks>
/// <para>Handlers run on the thread of the receive, so one that blocks delays only its own link. Each link holds a receive buffer of 64 KiB, even while it is
/// idle, and sends from up to four buffers of the same size; further bytes wait for the peer.</para>
/// <para>BeetleX cannot close half a connection: it ends a link with the peer's stream, and bytes that are not sent by then are lost, even after
/// <see cref="Link.ShutdownSend"/>. Before an accepted link is started, one receive may be taken from the system, and a pool thread waits with it. The client
/// of BeetleX allocates with every send.</para>
/// <para>BeetleX stops listening after ten failed accepts in a row. The listener is then reopened, with growing pauses; connections that waited to be accepted
/// are reset.</para>
/// <para>All members may be called concurrently. The transport itself holds nothing and needs no disposal.</para>
/// </remarks>
public sealed class BeetleXTransport : ITransport
{
    private readonly ILogger _logger;
    private readonly TimeProvider _timeProvider;

    /// <summary>Creates a transport that logs nothing.</summary>
    public BeetleXTransport()
        : this(NullLogger.Instance, TimeProvider.System)
    {
    }

    /// <summary>Creates a transport.</summary>
    /// <param name="logger">Logs failed accepts.</param>
    /// <param name="timeProvider">Clock for the pause after failed accepts.</param>
    public BeetleXTransport(ILogger logger, TimeProvider timeProvider)
    {
        ArgumentNullException.ThrowIfNull(logger);
        ArgumentNullException.ThrowIfNull(timeProvider);
        _logger = new NonThrowingLogger(logger);
        _timeProvider = timeProvider;
    }

    /// <inheritdoc/>
    public Link CreateLink(MuxAddress address)
    {
        CheckScheme(address);
        return new BeetleXLink(new Dialer(address));
    }

    /// <inheritdoc/>
    public ITransportListener Listen(MuxAddress address, Action<Link> accepted)
    {
        CheckScheme(address);
        ArgumentNullException.ThrowIfNull(accepted);
        return new BeetleXListener(address, accepted, _logger, _timeProvider);
    }

    private static void CheckScheme(MuxAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        if (address.Scheme is not MuxAddress.TcpScheme)
        {
            throw new NotSupportedException($"{address}: {nameof(BeetleXTransport)} speaks {MuxAddress.TcpScheme} only.");
        }
    }
}
