using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Logging;
using Mux.Transports.Epoll;
using Mux.Transports.Sockets;
using Mux.Transports.Streams;

namespace Mux.Transports.Tls;

/// <summary>
/// TLS over TCP (<c>muxs://host:port</c>): <see cref="System.Net.Security.SslStream"/> on both sides, upon the links of the fastest sockets that the operating
/// system has. The default for such addresses, with <see cref="MuxServerOptions.Tls"/> and <see cref="MuxChannelOptions.Tls"/>.
/// </summary>
/// <remarks>
/// <para>TLS 1.2 and 1.3, no renegotiation, names always checked. Both sides must agree on the application protocol <c>mux/1</c> (ALPN): a peer that does not
/// offer it is closed before any frame. Host names are looked up as by <see cref="SocketTransport"/>.</para>
/// <para>A handshake at a server runs beside the accepting, within <see cref="TlsServerOptions.HandshakeTimeout"/> and
/// <see cref="TlsServerOptions.MaxPendingHandshakes"/>. One that fails is logged with its reason, one per second; the client is told nothing but what TLS
/// says.</para>
/// <para>A connection that ends without GOAWAY is lost, however TLS ended it: a cut cannot pass for an end. When the peer's stream ends, what was accepted and
/// is not out yet is dropped: a peer of Mux that has ended its stream reads only to discard.</para>
/// <para>All members may be called concurrently. The transport itself holds nothing and needs no disposal.</para>
/// </remarks>
public sealed class TlsTransport : StreamTransport
{
    private readonly ITransport _links;
    private readonly TlsServerOptions? _options;
    private readonly ServerHandshake? _server;
    private readonly ClientHandshake _client;
    private readonly ILogger _logger;
    private readonly TimeProvider _timeProvider;

    /// <summary>A transport that logs nothing.</summary>
    /// <inheritdoc cref="TlsTransport(TlsServerOptions?, TlsClientOptions?, ILogger, TimeProvider)"/>
    public TlsTransport(TlsServerOptions? server, TlsClientOptions? client)
        : this(server, client, NullLogger.Instance, TimeProvider.System)
    {
    }

    /// <summary>A transport upon the fastest sockets.</summary>
    /// <inheritdoc cref="TlsTransport(TlsServerOptions?, TlsClientOptions?, ITransport, ILogger, TimeProvider)"/>
    public TlsTransport(TlsServerOptions? server, TlsClientOptions? client, ILogger logger, TimeProvider timeProvider)
        : this(server, client, EpollTransport.IsSupported ? EpollTransport.OnSharedLoops(logger, timeProvider)
            : new SocketTransport(new SocketTransportOptions(), logger, timeProvider), logger, timeProvider)
    {
    }

    /// <summary>A transport.</summary>
    /// <param name="server">Null for a transport that only connects. Not changed any more.</param>
    /// <param name="client">Null for the defaults. Not changed any more.</param>
    /// <param name="links">Moves the bytes: its addresses are <c>mux://host:port</c>. The caller's; in use as long as this is.</param>
    /// <param name="logger">Told about handshakes that fail, certificates that change, and failing accepts.</param>
    /// <param name="timeProvider">Times handshakes at a server, looks at files, and the pause after a failed accept.</param>
    /// <exception cref="ArgumentException">An option is wrong; the message names all that are.</exception>
    public TlsTransport(TlsServerOptions? server, TlsClientOptions? client, ITransport links, ILogger logger, TimeProvider timeProvider)
        : base(logger, timeProvider)
    {
        ArgumentNullException.ThrowIfNull(links);
        _links = links;
        client ??= new TlsClientOptions();
        client.ThrowIfInvalid();
        _logger = new NonThrowingLogger(logger);
        _timeProvider = timeProvider;
        var servers = new PeerPolicy(client.Roots(), client.Revocation ?? X509RevocationMode.NoCheck, PeerPolicy.ServerAuthentication);
        _client = new ClientHandshake(new CertificateSource(client, _logger, timeProvider), servers, client.TargetHost);
        if (server is null) return;
        server.ThrowIfInvalid();
        _options = server;
        var clients = server.Roots() is { } roots ? new PeerPolicy(roots, server.Revocation!.Value, PeerPolicy.ClientAuthentication) : null;
        _server = new ServerHandshake(new CertificateSource(server, _logger, timeProvider), clients);
    }

    /// <summary>Sockets that a server may hold beside its connections.</summary>
    internal int MaxPendingHandshakes => _options?.MaxPendingHandshakes ?? 0;

    /// <inheritdoc/>
    protected override void CheckAddress(MuxAddress address)
    {
        if (address.Scheme != MuxAddress.TlsScheme) throw new NotSupportedException($"{address}: {nameof(TlsTransport)} speaks {MuxAddress.TlsScheme} only.");
    }

    /// <inheritdoc/>
    protected override async ValueTask<StreamConnection> ConnectAsync(MuxAddress address, CancellationToken cancellationToken)
    {
        var link = new LinkStream(_links.CreateLink(TlsAddress.WithoutTls(address)));
        await using var registration = cancellationToken.UnsafeRegister(static state => ((LinkStream)state!).Dispose(), link).ConfigureAwait(false);
        try
        {
            await link.OpenAsync().ConfigureAwait(false);
        }
        catch (Exception e)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (e is IOException error) throw TlsAddress.Translate(error, address);
            throw;
        }

        return await _client.RunAsync(link, address.Host, cancellationToken).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    protected override IStreamListener Bind(MuxAddress address)
    {
        if (_server is null) throw new NotSupportedException($"{address}: this transport only connects, it has no {nameof(TlsServerOptions)}.");
        try
        {
            return new TlsListener(accepted => _links.Listen(TlsAddress.WithoutTls(address), accepted), _server, _options!, _logger, _timeProvider);
        }
        catch (IOException error)
        {
            throw TlsAddress.Translate(error, address);
        }
    }
}
