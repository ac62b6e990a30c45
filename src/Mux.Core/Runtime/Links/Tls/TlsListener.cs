using System.Security.Authentication;
using System.Threading.Channels;
using Microsoft.Extensions.Logging;
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
