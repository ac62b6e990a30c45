using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Runtime;
using Mux.Transports.Sockets;

namespace Mux.Transports.Epoll;

/// <summary>
/// TCP (<c>mux://host:port</c>) and Unix domain sockets (<c>mux+unix:///path</c>) on Linux. A few event loops carry all connections. The thread of a loop waits
/// for bytes of many connections at once, delivers them, and sends the bytes that your code then writes. This is faster than <see cref="SocketTransport"/>: it
/// wakes fewer threads and moves less work between threads.
/// </summary>
/// <remarks>
/// <para>Addresses, socket files and probes of silent peers work as described at <see cref="SocketTransport"/>.</para>
/// <para>If neither <see cref="EpollTransportOptions.LoopCount"/> nor <see cref="EpollTransportOptions.PollTime"/> is set, a transport uses the event loops of
/// the process, like all channels and servers without a transport of their own; these loops never end. Otherwise it has its own loops. They end after
/// <see cref="Dispose"/>, when its last listener and its last link have ended.</para>
/// <para>All members may be called concurrently.</para>
/// </remarks>
public sealed class EpollTransport : ITransport, IDisposable
{
    private readonly SocketSetup _setup;
    private readonly EventLoopGroup? _ownLoops; // null if it uses the shared loops, which are created when the first link needs them
    private readonly ILogger _logger;
    private readonly TimeProvider _timeProvider;
    private int _disposed;

    /// <summary>Creates a transport with default options that logs nothing.</summary>
    /// <exception cref="PlatformNotSupportedException"><see cref="IsSupported"/> is false.</exception>
    public EpollTransport()
        : this(new EpollTransportOptions(), NullLogger.Instance, TimeProvider.System)
    {
    }

    /// <summary>Creates a transport.</summary>
    /// <param name="options">The options; copied.</param>
    /// <param name="logger">Logs failed accepts.</param>
    /// <param name="timeProvider">Clock for the pause after a failed accept, and for the 2 s within which an address must answer a connection attempt.</param>
    /// <exception cref="ArgumentException">An option is out of its range; the message names it and the range.</exception>
    /// <exception cref="PlatformNotSupportedException"><see cref="IsSupported"/> is false.</exception>
    /// <exception cref="IOException">The transport has its own loops, and the process has no file handles left.</exception>
    public EpollTransport(EpollTransportOptions options, ILogger logger, TimeProvider timeProvider)
    {
        options = Checked(options);
        ArgumentNullException.ThrowIfNull(logger);
        ArgumentNullException.ThrowIfNull(timeProvider);
        _setup = new SocketSetup(options);
        _logger = new NonThrowingLogger(logger);
        _timeProvider = timeProvider;
        if (options.WantsOwnLoops) _ownLoops = new EventLoopGroup(options);
    }

    /// <summary>Gets a value indicating whether the operating system is supported: Linux.</summary>
    public static bool IsSupported => OperatingSystem.IsLinux();

    internal SocketSetup Setup => _setup;

    internal EventLoopGroup Loops => _ownLoops ?? EventLoopGroup.OfProcess;

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException"><see cref="Dispose"/> was called.</exception>
    /// <exception cref="IOException">The loops of the process are needed for the first time, and the process has no file handles left.</exception>
    public Link CreateLink(MuxAddress address)
    {
        CheckUse(address);
        var loops = Loops;
        var loop = loops.Next();
        return new EpollLink(loops, loop, () => Volatile.Read(ref _disposed) != 0, new SocketDialer(
            address, _setup, (socket, endPoint, cancellation) => EpollConnect.ConnectAsync(loop, socket, endPoint, cancellation), _timeProvider), _logger);
    }

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException"><see cref="Dispose"/> was called.</exception>
    /// <exception cref="IOException">The loops of the process are needed for the first time, and the process has no file handles left.</exception>
    public ITransportListener Listen(MuxAddress address, Action<Link> accepted)
    {
        CheckUse(address);
        ArgumentNullException.ThrowIfNull(accepted);
        var loops = Loops;
        ObjectDisposedException.ThrowIf(!loops.TryEnter(), this);
        try
        {
            return new EpollListener(address, _setup, loops, accepted, _logger, _timeProvider);
        }
        catch
        {
            loops.Leave();
            throw;
        }
    }

    /// <summary>Rejects further links and listeners. Existing ones remain open.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _disposed, 1) == 0) _ownLoops?.Leave();
    }

    private static EpollTransportOptions Checked(EpollTransportOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return IsSupported ? options.Validated()
            : throw new PlatformNotSupportedException($"{nameof(EpollTransport)} needs Linux; {nameof(SocketTransport)} runs everywhere.");
    }

    private void CheckUse(MuxAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        ObjectDisposedException.ThrowIf(Volatile.Read(ref _disposed) != 0, this);
        if (address.Scheme is not (MuxAddress.TcpScheme or MuxAddress.UnixScheme))
            throw new NotSupportedException($"{address}: {nameof(EpollTransport)} speaks {MuxAddress.TcpScheme} and {MuxAddress.UnixScheme} only.");
    }
}
