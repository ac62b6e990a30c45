using System.Security.Authentication;
using System.Threading.Channels;
using Microsoft.Extensions.Logging;
using Mux.Protocol;
using Mux.Telemetry;
using Mux.Transports;
using Mux.Transports.Streams;
using Mux.Transports.Tls;

namespace Mux.Runtime;

/// <summary>
/// Runs the handshakes of links that another listener accepts, and hands out those that succeed. Handshakes run on the thread pool, so a slow or silent peer
/// delays no other. Handshakes in progress and finished connections that were not accepted yet each hold one of the <see cref="AddressPlaces{T}"/>.
/// </summary>
internal sealed class TlsListener : IStreamListener
{
    private readonly ServerHandshake _handshake;
    private readonly TimeSpan _timeout;
    private readonly AddressPlaces<LinkStream> _places;
    private readonly ILogger _logger;
    private readonly TimeProvider _timeProvider;
    private readonly RateLimit _refusals = new(); // one event per second and kind: a flood must not fill the logs
    private readonly RateLimit _failures = new();
    private readonly HandshakeFailures _counts = new();
    private readonly Channel<(StreamConnection Connection, AddressPlaces<LinkStream>.Place Place)> _finished; // as long as there are places
    private readonly ITransportListener _links;
#pragma warning disable CA2213 // The source has no timer and no wait handle: there is nothing to dispose.
    private readonly CancellationTokenSource _stopping = new();
#pragma warning restore CA2213

    /// <param name="links">Starts the listener of the links at the address it was given.</param>
    /// <param name="handshake">Handshake for each accepted link.</param>
    /// <param name="options">Limits of the handshakes.</param>
    /// <param name="logger">Logs failed handshakes.</param>
    /// <param name="timeProvider">Times the handshakes.</param>
    public TlsListener(Func<Action<Link>, ITransportListener> links, ServerHandshake handshake, TlsServerOptions options, ILogger logger,
        TimeProvider timeProvider)
    {
        _handshake = handshake;
        _timeout = options.HandshakeTimeout;
        _places = new AddressPlaces<LinkStream>(options.MaxPendingHandshakes, options.MaxPendingHandshakesPerAddress);
        _logger = logger;
        _timeProvider = timeProvider;
        _finished = Channel.CreateBounded<(StreamConnection, AddressPlaces<LinkStream>.Place)>(options.MaxPendingHandshakes);
        _links = links(Begin); // last: links may arrive before it returns
        Address = TlsAddress.WithTls(_links.Address);
        _counts.Publish(Address);
    }

    public MuxAddress Address { get; }

    private long Now => _timeProvider.GetTimestamp() / (_timeProvider.TimestampFrequency / 1_000_000); // microseconds

    public async ValueTask<StreamConnection> AcceptAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            var (connection, place) = await _finished.Reader.ReadAsync(cancellationToken).ConfigureAwait(false);
            if (_places.Leave(place)) return connection;
            connection.DisposeStreams(); // it has lost its place meanwhile
        }
    }

    public void Dispose()
    {
        _ = _stopping.CancelAsync(); // ends the handshakes
        _links.Dispose();
        _counts.Withdraw();
        _finished.Writer.TryComplete();
        while (_finished.Reader.TryRead(out var finished)) finished.Connection.DisposeStreams();
    }

    private void Begin(Link link)
    {
        var stream = new LinkStream(link);
        var place = _places.TryEnter(PeerHost.Of(link.RemoteAddress), stream, Now, out var reached, out var displaced);
        if (reached is { } limit) OnFull(limit, link.RemoteAddress, displaced);
        if (place is null) link.Close();
        else EnginePool.Queue(static state => _ = state.Listener.RunAsync(state.Place), (Listener: this, Place: place));
    }

    /// <summary>Counts and logs the connection that has no place: the newcomer, or the one that loses its place to it.</summary>
    private void OnFull(PlaceLimit limit, string newcomer, LinkStream? displaced)
    {
        _counts.Count(limit == PlaceLimit.Total ? TlsFailure.PendingHandshakes : TlsFailure.PendingHandshakesOfAddress);
        if (_refusals.TryPass(Now, out int others))
        {
            var why = (displaced is null ? string.Empty : "its handshake was not finished when a newer connection needed its place; ") + Describe(limit);
            TlsLog.HandshakeRefused(_logger, displaced?.RemoteAddress ?? newcomer, Address, why, others);
        }

        displaced?.Dispose(); // its handshake fails
    }

    private string Describe(PlaceLimit limit) => limit == PlaceLimit.Total
        ? $"{_places.Limit} handshakes are pending, the limit set by MaxPendingHandshakes"
        : $"{_places.PerAddress} handshakes from its address are pending, the limit set by MaxPendingHandshakesPerAddress";

    private async Task RunAsync(AddressPlaces<LinkStream>.Place place)
    {
        var stream = place.Holder;
        var remoteAddress = stream.RemoteAddress;
        var validation = _handshake.CreateValidation();
        using var limit = new CancellationTokenSource(_timeout, _timeProvider);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, _stopping.Token);
        using var registration = either.Token.UnsafeRegister(static state => ((LinkStream)state!).Dispose(), stream);
        try
        {
            var connection = await _handshake.RunAsync(stream, validation).ConfigureAwait(false);
            await registration.DisposeAsync().ConfigureAwait(false); // from here on, only the owner of the connection ends it
            if (!either.IsCancellationRequested && _finished.Writer.TryWrite((connection, place))) return;
            connection.DisposeStreams();
            _places.Leave(place);
        }
        catch (Exception e)
        {
            bool hadPlace = _places.Leave(place); // otherwise it is counted already
            if (hadPlace && !_stopping.IsCancellationRequested)
            {
                OnFailed(remoteAddress, ReasonOf(e, limit.IsCancellationRequested, validation), e, stream.Head);
            }
        }
    }

    private static TlsFailure ReasonOf(Exception error, bool isOutOfTime, PeerValidation? validation)
    {
        if (isOutOfTime) return TlsFailure.Timeout;
        if (validation?.Refusal is not null) return TlsFailure.Certificate;
        return error is AuthenticationException ? TlsFailure.Protocol : TlsFailure.ConnectionLost;
    }

    private void OnFailed(string remoteAddress, TlsFailure reason, Exception error, byte[] head)
    {
        _counts.Count(reason);
        if (_failures.TryPass(Now, out int others))
        {
            TlsLog.HandshakeFailed(
                _logger, remoteAddress, Address, reason is TlsFailure.Timeout ? $"it took longer than {_timeout}" : TlsHint.OfClient(head, error), others);
        }
    }
}

/// <summary>Converts between the address of a TLS transport and the address of its links.</summary>
internal static class TlsAddress
{
    /// <summary><c>mux://host:port</c> for <c>muxs://host:port</c>.</summary>
    public static MuxAddress WithoutTls(MuxAddress address) => WithScheme(address, MuxAddress.TcpScheme);

    /// <summary><c>muxs://host:port</c> for <c>mux://host:port</c>.</summary>
    public static MuxAddress WithTls(MuxAddress address) => WithScheme(address, MuxAddress.TlsScheme);

    /// <summary>Replaces the address of the links in an error message by the address that the user gave.</summary>
    public static IOException Translate(IOException error, MuxAddress address) =>
        new(error.Message.Replace(WithoutTls(address).ToString(), address.ToString(), StringComparison.Ordinal), error.InnerException ?? error);

    private static MuxAddress WithScheme(MuxAddress address, string scheme) =>
        MuxAddress.Parse($"{scheme}{address.WithServerName(null).ToString()[address.Scheme.Length..]}");
}

/// <summary>Log messages of TLS. Users filter by event name, so the names do not change.</summary>
internal static partial class TlsLog
{
    [LoggerMessage(EventIds.TlsHandshakeFailed, LogLevel.Warning, "The TLS handshake with {RemoteAddress} at {Address} failed: {Reason}.{Others}",
        EventName = "TlsHandshakeFailed")]
    public static partial void HandshakeFailed(ILogger logger, string remoteAddress, MuxAddress address, string reason, SuppressedCount others);

    [LoggerMessage(EventIds.TlsHandshakeRefused, LogLevel.Warning, "A connection from {RemoteAddress} at {Address} was closed: {Reason}.{Others}",
        EventName = "TlsHandshakeRefused")]
    public static partial void HandshakeRefused(ILogger logger, string remoteAddress, MuxAddress address, string reason, SuppressedCount others);

    [LoggerMessage(EventIds.TlsCertificateReloaded, LogLevel.Information, "The certificate in {Path} has changed; new connections use {Thumbprint}, valid " +
        "until {NotAfter}.", EventName = "TlsCertificateReloaded")]
    public static partial void CertificateReloaded(ILogger logger, string path, string thumbprint, DateTime notAfter);

    [LoggerMessage(EventIds.TlsCertificateKept, LogLevel.Warning, "The certificate could not be reloaded; the old one stays in use: {Reason}",
        EventName = "TlsCertificateKept")]
    public static partial void CertificateKept(ILogger logger, string reason);
}

/// <summary>Describes the likely cause of a failed handshake, judged by the first bytes received instead of TLS. Repeats no byte of the peer.</summary>
internal static class TlsHint
{
    /// <summary>Message if the server demands a client certificate and there is none.</summary>
    public const string NoClientCertificate =
        "TLS: the server requires a client certificate, and this channel has none: set Tls.CertificatePath, Tls.CertificateStore or Tls.Certificate";

    /// <summary>Message if the server has got the client certificate that it demands, and closes the connection.</summary>
    /// <param name="subject">Subject of the certificate.</param>
    public static string ClientCertificateRefused(string subject) =>
        $"TLS: the server asked for a client certificate, and closed the connection after it got that of this channel ({subject}): it probably refused the " +
        $"certificate (its log then has TlsHandshakeFailed with the reason). Otherwise it stops, or has reached a limit that its log names";

    /// <summary>Describes the failure on a client.</summary>
    /// <param name="head">The first bytes received from the server.</param>
    /// <param name="error">Failure of the handshake.</param>
    public static string OfServer(ReadOnlySpan<byte> head, Exception error) => ForeignBytes.Of(head) switch
    {
        _ when head.IsEmpty => "the server closed the connection without an answer: it listens without TLS, at a " +
            $"{MuxAddress.TcpScheme} address, or it has as many unfinished handshakes as it allows, in total or from this address (its log then has " +
            $"TlsHandshakeRefused) ({StreamFailure.Describe(error)})",
        ForeignProtocol.Tls => StreamFailure.Describe(error),
        ForeignProtocol.Http => $"the server answers with HTTP instead of TLS ({StreamFailure.Describe(error)})",
        _ => $"the server did not answer with TLS: it probably listens without TLS, at a {MuxAddress.TcpScheme} address ({StreamFailure.Describe(error)})",
    };

    /// <summary>Describes the failure on a server.</summary>
    /// <param name="head">The first bytes received from the client.</param>
    /// <param name="error">Failure of the handshake.</param>
    public static string OfClient(ReadOnlySpan<byte> head, Exception error) => ForeignBytes.Of(head) switch
    {
        ForeignProtocol.Mux => $"the client speaks Mux without TLS: it connects to a {MuxAddress.TcpScheme} address, and this listener needs " +
            $"{MuxAddress.TlsScheme} ({StreamFailure.Describe(error)})",
        ForeignProtocol.Http => $"the client speaks HTTP, without TLS ({StreamFailure.Describe(error)})",
        _ => StreamFailure.Describe(error),
    };
}
