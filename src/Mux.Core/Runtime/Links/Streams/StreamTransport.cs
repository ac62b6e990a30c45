using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Runtime;

namespace Mux.Transports.Streams;

/// <summary>
/// Creates links over connections. A subclass makes the connections from any <see cref="Stream"/>, pair of streams or
/// <see cref="System.IO.Pipelines.IDuplexPipe"/>. Each link has its own receive loop on the thread pool, so a handler that blocks delays only its own link.
/// </summary>
/// <remarks>All members may be called concurrently. The transport itself holds nothing and needs no disposal.</remarks>
public abstract class StreamTransport : ITransport
{
    private readonly ILogger _logger;
    private readonly TimeProvider _timeProvider;

    /// <summary>Creates a transport that logs nothing.</summary>
    protected StreamTransport()
        : this(NullLogger.Instance, TimeProvider.System)
    {
    }

    /// <summary>Creates a transport.</summary>
    /// <param name="logger">Logs failed accepts.</param>
    /// <param name="timeProvider">Clock for the pause after a failed accept.</param>
    protected StreamTransport(ILogger logger, TimeProvider timeProvider)
    {
        ArgumentNullException.ThrowIfNull(logger);
        ArgumentNullException.ThrowIfNull(timeProvider);
        _logger = new NonThrowingLogger(logger);
        _timeProvider = timeProvider;
    }

    /// <summary>Creates a transport for a channel whose connections a delegate makes. It does not listen.</summary>
    /// <param name="connect">Makes a new connection to the channel's address, which may be any name that the delegate knows. Called on the thread pool,
    /// possibly concurrently, for each connection and again after a connection is lost. The token is cancelled after <see cref="MuxOptions.HandshakeTimeout"/>,
    /// or when the channel is disposed; the delegate must then return soon. If it throws, the attempt fails with an error that contains the address and the
    /// exception's message.
    /// </param>
    /// <example>
    /// Connections through a company's proxy:
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

    /// <summary>Connects a link. Runs on the thread pool, without the ExecutionContext of a caller.</summary>
    /// <param name="address">An address that <see cref="CheckAddress"/> accepted.</param>
    /// <param name="cancellationToken">Cancelled when the link is closed, for example after <see cref="MuxOptions.HandshakeTimeout"/>.</param>
    /// <returns>A new connection, which the link owns.</returns>
    /// <exception cref="Exception">There is no connection. The link ends with an error that names the address and this exception's message.</exception>
    protected abstract ValueTask<StreamConnection> ConnectAsync(MuxAddress address, CancellationToken cancellationToken);

    /// <summary>Rejects addresses that the transport does not support. Must not block.</summary>
    /// <exception cref="NotSupportedException">The transport does not support the address's scheme.</exception>
    protected abstract void CheckAddress(MuxAddress address);

    /// <summary>Starts to listen.</summary>
    /// <param name="address">An address that <see cref="CheckAddress"/> accepted.</param>
    /// <exception cref="NotSupportedException">The transport only connects. This is the default: override the method to listen.</exception>
    /// <exception cref="IOException">The transport cannot listen at the address; the message names the address and the reason.</exception>
    protected virtual IStreamListener Bind(MuxAddress address) =>
        throw new NotSupportedException($"{address}: this transport only connects, it does not listen.");

    internal ValueTask<StreamConnection> DialAsync(MuxAddress address, CancellationToken cancellationToken) => ConnectAsync(address, cancellationToken);

    /// <summary>Connects with a delegate that the user supplies.</summary>
    private sealed class FactoryTransport(Func<MuxAddress, CancellationToken, ValueTask<StreamConnection>> connect) : StreamTransport
    {
        protected override ValueTask<StreamConnection> ConnectAsync(MuxAddress address, CancellationToken cancellationToken) =>
            connect(address, cancellationToken);

        protected override void CheckAddress(MuxAddress address)
        {
            // The delegate knows its addresses, and fails for all others.
        }
    }
}
