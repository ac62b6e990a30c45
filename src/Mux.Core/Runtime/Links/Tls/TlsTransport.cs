using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Runtime;
using Mux.Transports.Epoll;
using Mux.Transports.Sockets;
using Mux.Transports.Streams;

namespace Mux.Transports.Tls;

/// <summary>
/// TLS over TCP (<c>muxs://host:port</c>): <see cref="System.Net.Security.SslStream"/> on both sides, over the fastest sockets of the operating system. The
/// default for such addresses, with <see cref="MuxServerOptions.Tls"/> and <see cref="MuxChannelOptions.Tls"/>.
/// </summary>
/// <remarks>
/// <para>It uses TLS 1.2 and 1.3 without renegotiation and always checks names. Both sides must agree on the application protocol <c>mux/1</c> (ALPN): a
/// connection of a peer that does not offer it is closed before any frame is sent. Host names are resolved in the same way as in
/// <see cref="SocketTransport"/>.</para>
/// <para>A server accepts connections while handshakes run, within <see cref="TlsServerOptions.HandshakeTimeout"/> and
/// <see cref="TlsServerOptions.MaxPendingHandshakes"/>. Failed handshakes are logged with their reason, at most one per second. The client learns only the TLS
/// alert.</para>
/// <para>A connection that ends without GOAWAY counts as lost, even after an orderly end of TLS: an attacker that cuts a connection cannot make this look like
/// an orderly end. When the peer ends its stream, unsent bytes are dropped, because a Mux peer that has ended its stream discards all further bytes.</para>
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

    /// <summary>Creates a transport that logs nothing.</summary>
    /// <inheritdoc cref="TlsTransport(TlsServerOptions?, TlsClientOptions?, ILogger, TimeProvider)"/>
    public TlsTransport(TlsServerOptions? server, TlsClientOptions? client)
        : this(server, client, NullLogger.Instance, TimeProvider.System)
    {
    }

    /// <summary>Creates a transport over the fastest sockets.</summary>
    /// <inheritdoc cref="TlsTransport(TlsServerOptions?, TlsClientOptions?, ITransport, ILogger, TimeProvider)"/>
    public TlsTransport(TlsServerOptions? server, TlsClientOptions? client, ILogger logger, TimeProvider timeProvider)
        : this(server, client, EpollTransport.IsSupported ? new EpollTransport(new EpollTransportOptions(), logger, timeProvider)
            : new SocketTransport(new SocketTransportOptions(), logger, timeProvider), logger, timeProvider)
    {
    }

    /// <summary>Creates a transport.</summary>
    /// <param name="server">Options of a server; null for a transport that only connects. Do not change them afterwards.</param>
    /// <param name="client">Options of a client; null for the defaults. Do not change them afterwards.</param>
    /// <param name="links">The transport that moves the encrypted bytes, for <c>mux://host:port</c> addresses. The caller owns it and keeps it as long as this
    /// transport is in use.</param>
    /// <param name="logger">Logs failed handshakes, changes of certificates and failed accepts.</param>
    /// <param name="timeProvider">Clock for the time limit of server handshakes, the checks of files, and the pause after a failed accept.</param>
    /// <exception cref="ArgumentException">At least one option is invalid; the message names all of them.</exception>
    public TlsTransport(TlsServerOptions? server, TlsClientOptions? client, ITransport links, ILogger logger, TimeProvider timeProvider)
        : this(server, client, links, logger, timeProvider, identifiesServers: true)
    {
    }

    /// <summary>Creates a transport that keeps the identities of servers only if they are wanted: each takes some 1 KB.</summary>
    internal TlsTransport(
        TlsServerOptions? server, TlsClientOptions? client, ITransport links, ILogger logger, TimeProvider timeProvider, bool identifiesServers)
        : base(logger, timeProvider)
    {
        ArgumentNullException.ThrowIfNull(links);
        _links = links;
        client ??= new TlsClientOptions();
        client.ThrowIfInvalid();
        _logger = new NonThrowingLogger(logger);
        _timeProvider = timeProvider;
        var servers = new PeerPolicy(client.Roots(), client.Revocation ?? X509RevocationMode.NoCheck, PeerPolicy.ServerAuthentication);
        _client = new ClientHandshake(new CertificateSource(client, _logger, timeProvider), servers, client.TargetHost, identifiesServers);
        if (server is null) return;
        server.ThrowIfInvalid();
        _options = server;
        var clients = server.Roots() is { } roots ? new PeerPolicy(roots, server.Revocation!.Value, PeerPolicy.ClientAuthentication) : null;
        _server = new ServerHandshake(new CertificateSource(server, _logger, timeProvider), clients);
    }

    /// <summary>Number of sockets that a server may hold in addition to its connections.</summary>
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

        return await _client.RunAsync(link, address.ServerName ?? address.Host, cancellationToken).ConfigureAwait(false);
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
