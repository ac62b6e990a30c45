using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Logging;
using Mux.Transports.Sockets;

namespace Mux.Transports.Epoll;

/// <summary>
/// TCP (<c>mux://host:port</c>) and Unix domain sockets (<c>mux+unix:///path</c>) on Linux: a few event loops carry all connections, each by one thread that
/// waits for bytes of many connections at once, delivers them, and sends what they caused. Faster than <see cref="SocketTransport"/>, with less to wake and to
/// hand over.
/// </summary>
/// <remarks>
/// <para>Addresses, socket files and probing of silent peers are as described for <see cref="SocketTransport"/>.</para>
/// <para>All members may be called concurrently. A transport has loops of its own; they end after <see cref="Dispose"/>, once its last listener and its last
/// link are gone.</para>
/// </remarks>
public sealed class EpollTransport : ITransport, IDisposable
{
    private readonly SocketSetup _setup;
    private readonly EventLoopGroup? _ownLoops; // null for one on the shared loops, which are made when the first link needs them
    private readonly ILogger _logger;
    private readonly TimeProvider _timeProvider;
    private int _disposed;

    /// <summary>A transport with default settings that logs nothing.</summary>
    /// <exception cref="PlatformNotSupportedException"><see cref="IsSupported"/> is false.</exception>
    /// <exception cref="IOException">There are no handles left.</exception>
    public EpollTransport()
        : this(new EpollTransportOptions(), NullLogger.Instance, TimeProvider.System)
    {
    }

    /// <summary>A transport.</summary>
    /// <param name="options">Copied.</param>
    /// <param name="logger">Told about failing accepts.</param>
    /// <param name="timeProvider">Times the pause after a failed accept, and how long an address may leave a dial without an answer.</param>
    /// <exception cref="ArgumentException">An option is out of its range; the message names it and the range.</exception>
    /// <exception cref="PlatformNotSupportedException"><see cref="IsSupported"/> is false.</exception>
    /// <exception cref="IOException">There are no handles left.</exception>
    public EpollTransport(EpollTransportOptions options, ILogger logger, TimeProvider timeProvider)
        : this(Checked(options), logger, timeProvider, ownsLoops: true)
    {
    }

    private EpollTransport(EpollTransportOptions options, ILogger logger, TimeProvider timeProvider, bool ownsLoops)
    {
        ArgumentNullException.ThrowIfNull(logger);
        ArgumentNullException.ThrowIfNull(timeProvider);
        _setup = new SocketSetup(options);
        _logger = new NonThrowingLogger(logger);
        _timeProvider = timeProvider;
        if (ownsLoops) _ownLoops = new EventLoopGroup(options);
    }

    /// <summary>Whether the operating system has what it takes: Linux.</summary>
    public static bool IsSupported => OperatingSystem.IsLinux();

    internal EventLoopGroup Loops => _ownLoops ?? EventLoopGroup.OfProcess;

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException"><see cref="Dispose"/> was called.</exception>
    public Link CreateLink(MuxAddress address)
    {
        CheckUse(address);
        var loops = Loops;
        var loop = loops.Next();
        return new EpollLink(loops, loop, new SocketDialer(
            address, _setup, (socket, endPoint, cancellation) => EpollConnect.ConnectAsync(loop, socket, endPoint, cancellation), _timeProvider), _logger);
    }

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException"><see cref="Dispose"/> was called.</exception>
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

    /// <summary>Takes no more links and listeners. Those that are there live on.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _disposed, 1) == 0) _ownLoops?.Leave();
    }

    /// <summary>A transport on the loops that all channels and servers share which were given none.</summary>
    internal static EpollTransport OnSharedLoops(ILogger logger, TimeProvider timeProvider) =>
        new(new EpollTransportOptions(), logger, timeProvider, ownsLoops: false);

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
