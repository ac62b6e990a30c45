using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Logging;

namespace Mux.Transports.Streams;

/// <summary>
/// Links over connections that a subclass makes: any <see cref="Stream"/> or pair of them, any <see cref="System.IO.Pipelines.IDuplexPipe"/>. Every link has a
/// receive loop of its own on the thread pool, so a handler that blocks delays its own link only.
/// </summary>
/// <remarks>All members may be called concurrently. The transport itself holds nothing and needs no disposal.</remarks>
public abstract class StreamTransport : ITransport
{
    private readonly ILogger _logger;
    private readonly TimeProvider _timeProvider;

    /// <summary>A transport that logs nothing.</summary>
    protected StreamTransport()
        : this(NullLogger.Instance, TimeProvider.System)
    {
    }

    /// <summary>A transport.</summary>
    /// <param name="logger">Told about failing accepts.</param>
    /// <param name="timeProvider">Times the pause after a failed accept.</param>
    protected StreamTransport(ILogger logger, TimeProvider timeProvider)
    {
        ArgumentNullException.ThrowIfNull(logger);
        ArgumentNullException.ThrowIfNull(timeProvider);
        _logger = new NonThrowingLogger(logger);
        _timeProvider = timeProvider;
    }

    /// <summary>A transport for a channel whose connections a delegate makes. It does not listen.</summary>
    /// <param name="connect">
    /// Makes a new connection to the channel's address, which may be a mere name that the delegate knows. Called for each connection, again after a loss, and
    /// concurrently; on the thread pool. The token is cancelled when the time for connecting is over or the channel is disposed. It must end soon then: the
    /// connection is not over before it has. What it throws fails the attempt, whose error names the address and the exception's message.
    /// </param>
    /// <example>
    /// Connections through a proxy of the company's:
    /// <code>
    /// options.Transport = StreamTransport.Connecting(async (address, cancellationToken) =>
    ///     StreamConnection.Over(await proxy.ConnectAsync(address.Host, address.Port, cancellationToken), address.Host));
    /// </code>
    /// </example>
    public static StreamTransport Connecting(Func<MuxAddress, CancellationToken, ValueTask<StreamConnection>> connect)
    {
        ArgumentNullException.ThrowIfNull(connect);
        return new FactoryTransport(connect);
    }

    /// <inheritdoc/>
    public Link CreateLink(MuxAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        CheckAddress(address);
        return new StreamLink(new StreamDialer(DialAsync, address));
    }

    /// <inheritdoc/>
    public ITransportListener Listen(MuxAddress address, Action<Link> accepted)
    {
        ArgumentNullException.ThrowIfNull(address);
        ArgumentNullException.ThrowIfNull(accepted);
        CheckAddress(address);
        return new StreamTransportListener(Bind(address), accepted, _logger, _timeProvider);
    }

    /// <summary>Connects a link. Runs on the thread pool, in nobody's ExecutionContext.</summary>
    /// <param name="address">Passed by <see cref="CheckAddress"/>.</param>
    /// <param name="cancellationToken">Cancelled when the link is closed meanwhile, also because the time for connecting is over.</param>
    /// <returns>A new connection, which is the link's.</returns>
    /// <exception cref="Exception">There is no connection. The link's end names the address and this exception's message.</exception>
    protected abstract ValueTask<StreamConnection> ConnectAsync(MuxAddress address, CancellationToken cancellationToken);

    /// <summary>Refuses addresses that the transport does not speak. Must not block.</summary>
    /// <exception cref="NotSupportedException">The transport does not speak the address's scheme.</exception>
    protected abstract void CheckAddress(MuxAddress address);

    /// <summary>Begins to listen.</summary>
    /// <param name="address">Passed by <see cref="CheckAddress"/>.</param>
    /// <exception cref="NotSupportedException">The transport only connects, which is so unless this is overridden.</exception>
    /// <exception cref="IOException">The address cannot be listened at; the message names the address and the reason.</exception>
    protected virtual IStreamListener Bind(MuxAddress address) =>
        throw new NotSupportedException($"{address}: this transport only connects, it does not listen.");

    internal ValueTask<StreamConnection> DialAsync(MuxAddress address, CancellationToken cancellationToken) => ConnectAsync(address, cancellationToken);
}
