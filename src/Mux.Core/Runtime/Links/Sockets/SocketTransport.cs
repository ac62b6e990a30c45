using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Runtime;

namespace Mux.Transports.Sockets;

/// <summary>
/// TCP (<c>mux://host:port</c>) and Unix domain sockets (<c>mux+unix:///path</c>) on any operating system. Each link has its own receive loop on the thread
/// pool, so a handler that blocks delays only its own link.
/// </summary>
/// <remarks>
/// <para>Connecting: the transport tries all addresses of a host name, each 250 ms after the previous one, or as soon as the previous one fails.
/// <c>localhost</c> always means both loopback addresses. Listening: a host name means its first address, <c>[::]</c> means all addresses of IPv4 and
/// IPv6.</para>
/// <para>The transport replaces a Unix domain socket file that a dead server left. If the server of the file is alive, listening fails because the address is
/// in use. The file is removed when the listener is disposed. The umask of the process determines the permissions of the file.</para>
/// <para>The system probes a TCP connection after 120 s without bytes. The connection ends when four probes within a minute remain unanswered, so a peer that
/// vanished does not hold its connection forever. On Linux, the system buffers at most 128 KiB that cannot be sent yet because the peer has no room for
/// them.</para>
/// <para>All members may be called concurrently. The transport itself holds nothing and needs no disposal.</para>
/// </remarks>
public sealed class SocketTransport : ITransport
{
    private readonly SocketSetup _setup;
    private readonly ILogger _logger;
    private readonly TimeProvider _timeProvider;

    /// <summary>Creates a transport with default options that logs nothing.</summary>
    public SocketTransport()
        : this(new SocketTransportOptions(), NullLogger.Instance, TimeProvider.System)
    {
    }

    /// <summary>Creates a transport.</summary>
    /// <param name="options">The options; copied.</param>
    /// <param name="logger">Logs failed accepts.</param>
    /// <param name="timeProvider">Clock for the pause after a failed accept, and for the 2 s within which an address must answer a connection attempt.</param>
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
        return new SocketLink(new SocketDialer(address, _setup, ConnectAsync, _timeProvider));
    }

    /// <inheritdoc/>
    public ITransportListener Listen(MuxAddress address, Action<Link> accepted)
    {
        CheckScheme(address);
        ArgumentNullException.ThrowIfNull(accepted);
        return new SocketTransportListener(address, _setup, accepted, _logger, _timeProvider);
    }

    internal static async ValueTask<SocketError> ConnectAsync(Socket socket, EndPoint endPoint, CancellationToken cancellationToken)
    {
        try
        {
            await socket.ConnectAsync(endPoint, cancellationToken).ConfigureAwait(false);
            return SocketError.Success;
        }
        catch (SocketException error)
        {
            return error.SocketErrorCode;
        }
        catch (OperationCanceledException)
        {
            return SocketError.OperationAborted;
        }
    }

    private static void CheckScheme(MuxAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        if (address.Scheme is not (MuxAddress.TcpScheme or MuxAddress.UnixScheme))
            throw new NotSupportedException($"{address}: {nameof(SocketTransport)} speaks {MuxAddress.TcpScheme} and {MuxAddress.UnixScheme} only.");
    }
}
