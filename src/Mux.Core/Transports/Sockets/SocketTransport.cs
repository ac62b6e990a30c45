using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Logging;

namespace Mux.Transports.Sockets;

/// <summary>
/// TCP (<c>mux://host:port</c>) and Unix domain sockets (<c>mux+unix:///path</c>) on any operating system: the portable engine. Every link has a receive
/// loop of its own on the thread pool, so a handler that blocks delays its own link only.
/// </summary>
/// <remarks>
/// <para>Dialing: a host name stands for all its addresses, tried in turn; <c>localhost</c> is both loopback addresses, whatever a name server says.
/// Listening: a host name stands for its first address, <c>[::]</c> for all addresses of both families.</para>
/// <para>A Unix domain socket file that a dead server left behind is replaced, a live server's is in use. The file is removed when the listener is
/// disposed; its permissions are those of the process's umask.</para>
/// <para>TCP connections are probed by the system once nothing came for 120 s, and end when four probes in a minute stay unanswered, so that a peer that
/// vanished does not hold its place for ever. On Linux the system is given at most 128 KiB more than the peer has room for.</para>
/// <para>All members may be called concurrently. The transport itself holds nothing and needs no disposal.</para>
/// </remarks>
public sealed class SocketTransport : ITransport
{
    private readonly SocketSetup _setup;
    private readonly ILogger _logger;
    private readonly TimeProvider _timeProvider;

    /// <summary>A transport with default settings that logs nothing.</summary>
    public SocketTransport()
        : this(new SocketTransportOptions(), NullLogger.Instance, TimeProvider.System)
    {
    }

    /// <summary>A transport.</summary>
    /// <param name="options">Copied.</param>
    /// <param name="logger">Told about failing accepts.</param>
    /// <param name="timeProvider">Times the pause after a failed accept, and how long an address may leave a dial without an answer.</param>
    /// <exception cref="ArgumentException">An option is out of its range; the message names it and the range.</exception>
    public SocketTransport(SocketTransportOptions options, ILogger logger, TimeProvider timeProvider)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(logger);
        ArgumentNullException.ThrowIfNull(timeProvider);
        _setup = new SocketSetup(options.Validated());
        _logger = new NonThrowingLogger(logger);
        _timeProvider = timeProvider;
    }

    /// <inheritdoc/>
    public Link CreateLink(MuxAddress address)
    {
        CheckScheme(address);
        return new SocketLink(new SocketDialer(address, _setup, static (socket, endPoint, cancellation) =>
            socket.ConnectAsync(endPoint, cancellation), _timeProvider));
    }

    /// <inheritdoc/>
    public ITransportListener Listen(MuxAddress address, Action<Link> accepted)
    {
        CheckScheme(address);
        ArgumentNullException.ThrowIfNull(accepted);
        return new SocketTransportListener(address, _setup, accepted, _logger, _timeProvider);
    }

    private static void CheckScheme(MuxAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        if (address.Scheme is not (MuxAddress.TcpScheme or MuxAddress.UnixScheme))
            throw new NotSupportedException($"{address}: {nameof(SocketTransport)} speaks {MuxAddress.TcpScheme} and {MuxAddress.UnixScheme} only.");
    }
}
