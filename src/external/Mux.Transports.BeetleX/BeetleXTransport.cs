using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Diagnostics;
using Mux.Logging;

namespace Mux.Transports.BeetleX;

/// <summary>
/// TCP (<c>mux://host:port</c>) over BeetleX, which moves the bytes and nothing else: framing, merging and back-pressure are Mux's. For trusted networks only:
/// there is no encryption, and BeetleX is no longer maintained.
/// </summary>
/// <remarks>
/// <para>Handlers run on the thread of the receive, so one that blocks delays its own link only. Each link holds a receive buffer of 64 KiB, also while it is
/// idle, and sends from up to four of the same size; what is more has to wait for the peer.</para>
/// <para>BeetleX cannot close half a connection: it ends a link with the peer's stream, and what is not out by then is lost, also after
/// <see cref="Link.ShutdownSend"/>. Before an accepted link is started one receive of it may be taken from the system, and a pool thread waits with that. Its
/// client makes garbage with every send.</para>
/// <para>A listener of BeetleX gives up after ten failed accepts in a row. It is then opened again, with growing pauses; connections that waited to be accepted
/// are reset.</para>
/// <para>All members may be called concurrently. The transport itself holds nothing and needs no disposal.</para>
/// </remarks>
public sealed class BeetleXTransport : ITransport
{
    private readonly ILogger _logger;
    private readonly TimeProvider _timeProvider;

    /// <summary>A transport that logs nothing.</summary>
    public BeetleXTransport()
        : this(NullLogger.Instance, TimeProvider.System)
    {
    }

    /// <summary>A transport.</summary>
    /// <param name="logger">Told about failing accepts.</param>
    /// <param name="timeProvider">Times the pause after failed accepts.</param>
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
