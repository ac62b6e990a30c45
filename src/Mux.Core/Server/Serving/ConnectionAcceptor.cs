using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.Logging;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;
using Mux.Transports;

namespace Mux.Server;

/// <summary>Listens, creates a connection for each accepted link, and ends all of them in order. Safe for concurrent use.</summary>
internal sealed class ConnectionAcceptor : IConnectionOwner
{
    /// <summary>A stop that takes longer says for what it waits.</summary>
    private static readonly TimeSpan s_quietStop = TimeSpan.FromSeconds(1);

    private readonly ServerSettings _settings;
    private readonly MethodTable _methods;
    private readonly ConnectionOptions _options;
    private readonly UnsentWatch _unsent;
    private readonly LimitLog _limits;
    private readonly MemoryBudget _memory;
    private readonly ServerLoad _load;
    private readonly Lock _gate = new(); // guards the fields below
    private readonly Dictionary<Connection, AddressPlaces<PendingConnection>.Place> _pending = []; // connections that are not open yet
    private readonly HashSet<Connection> _connections = [];
    private readonly Dictionary<Connection, TaskCompletionSource> _served = []; // connections whose release is awaited
    private readonly TaskCompletionSource _allReleased = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private ITransportListener? _listener;
    private MeteredEndpoint? _metered;
    private bool _stopping;
    private readonly ContractDifferences _differences;
    private readonly RateLimit _callbackLog = new();
    private readonly MethodRateLimits _callbackLogs = new(); // a client can make callbacks throw
    private readonly RateLimit _blockedLog = new();
    private readonly RateLimit _strangerLog = new();
    private readonly RateLimit _foreignLog = new();
    private int _hasToldWait; // 0 or 1

    public ConnectionAcceptor(ServerSettings settings, MethodTable methods)
    {
        _settings = settings;
        _methods = methods;
        _differences = new ContractDifferences(settings.Clock);
        _limits = new LimitLog(Ledger, settings);
        _memory = new MemoryBudget(_settings.MaxHeldBytes, _settings.MaxHeldBytesPerAddress);
        _unsent = new UnsentWatch(Ledger, _settings.Clock, _settings.MaxUnsentBytes, _memory);
        var handlers = new HandlerLimit(
            _settings.MaxHandlers, _limits.OnHandlerRefused, _settings.MaxHandlersPerAddress);
        var shared = new SharedBudgets(handlers, _unsent, _memory, _limits.OnCallRefused);
        _options = _settings.Connection with { Shared = shared };
        _load = new ServerLoad(shared, settings.MaxQueueTime, settings.Connection.Local.MaxCalls, settings.Logger);
    }

    public ConnectionLedger Ledger => _settings.Callers.Ledger;

    /// <summary>The address it listens on; null before <see cref="Start"/>, and for a server without one.</summary>
    public MuxAddress? Address => _listener?.Address;

    /// <summary>True if it accepts no more links. From any thread.</summary>
    public bool IsStopping
    {
        get
        {
            lock (_gate) return _stopping;
        }
    }

    private string AddressText => Address?.ToString() ?? ServerLog.NoAddress;

    /// <summary>Starts to listen.</summary>
    /// <exception cref="IOException">The address cannot be listened on. Nothing is left of the attempt: another acceptor may take the peers.</exception>
    /// <exception cref="InvalidOperationException">The peers belong to another server.</exception>
    public void Start()
    {
        _settings.Peers.Attach(Connections);
        try
        {
            lock (_gate) // no link is accepted before the real address is known
            {
                if (_settings.Address is { } address) _listener = _settings.Transport.Listen(address, Accept);
            }
        }
        catch
        {
            _settings.Peers.Detach();
            throw;
        }

        _unsent.Start();
        _metered = new MeteredEndpoint(Ledger, _settings.Clock, () => _methods.Descriptors, AddressTags.Of(Address))
        {
            ClientOf = _methods.ClientOf,
            ReverseMethods = () => _settings.Callers.Methods,
            Memory = _memory,
            Keys = _methods.Keys,
            Admission = _options.Shared!.Admission,
        };
        QueueWatch.OfProcess.Add(_load);
        _settings.Metrics.AddServer(_metered);
        _settings.Durations.Log.Watch();
        _settings.Callers.Begin();
        _settings.MissedContext?.Watch();
        TellStart(AddressText);
    }

    /// <summary>
    /// Serves a link that was accepted elsewhere, within the same limits as the links accepted here. If a limit refuses it, it is closed at once.
    /// </summary>
    /// <param name="link">A link that is not started.</param>
    /// <param name="cancellationToken">Starts the ordered end of the connection.</param>
    /// <returns>Completes when the connection is released.</returns>
    public async Task ServeAsync(Link link, CancellationToken cancellationToken)
    {
        var released = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        if (TryAccept(link, released) is not { } connection) return;
        await using var registration = cancellationToken.UnsafeRegister(_ => connection.BeginDrain(_settings.DrainTimeout), null).ConfigureAwait(false);
        await released.Task.ConfigureAwait(false);
    }

    /// <summary>
    /// Tells every caller that reads LEASE at once, and those that connect later, that this server is about to stop. It still listens and serves all that
    /// comes: callers that know other servers go there, with their calls that wait to be sent, and the others stay until it drains.
    /// </summary>
    /// <param name="stopsAfter">Time until it drains.</param>
    public void OfferNothing(TimeSpan stopsAfter)
    {
        _load.OfferNothing(stopsAfter);
        foreach (var connection in Connections()) connection.SendLease();
    }

    /// <summary>Stops accepting, lets open calls finish within the drain timeout, and ends all connections. May be called repeatedly.</summary>
    /// <param name="cancellationToken">Ends the wait for calls, not the stop itself.</param>
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        long began = _settings.Clock.Now;
        var connections = BeginStop();
        await using var registration = cancellationToken.UnsafeRegister(static state => ((ConnectionAcceptor)state!).EndGrace(), this).ConfigureAwait(false);
        var notice = _settings.Clock.Provider.CreateTimer(
            static state => ((ConnectionAcceptor)state!).TellWait(), this, s_quietStop, Timeout.InfiniteTimeSpan);
        await using var noticeEnd = notice.ConfigureAwait(false);
        await DrainInWavesAsync(connections, began, cancellationToken).ConfigureAwait(false);
        try
        {
            // A connection ends on its own within this time, unless user code blocks its turn for longer.
            var limit = TimeSpan.FromMicroseconds(Remaining(began) + 2 * _settings.Connection.DrainAcknowledgeTimeout);
            await _allReleased.Task.WaitAsync(limit, _settings.Clock.Provider, CancellationToken.None).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            int left;
            lock (_gate) left = _connections.Count;
            ServerLog.DrainIncomplete(_settings.Logger, left);
        }

        EndTelemetry();
    }

    /// <summary>
    /// Stops accepting, and ends all connections without waiting for open calls or anything else. May be called repeatedly, also at the same time as
    /// <see cref="StopAsync"/>.
    /// </summary>
    public void Stop()
    {
        foreach (var connection in BeginStop()) connection.BeginDrain(grace: 0);
        EndTelemetry();
    }

    public void OnOpened(Connection connection)
    {
        LeavePending(connection);
        _settings.Peers.OnOpened(connection);
        if (_settings.Callers.Hooks.Count > 0 && connection.Caller is ConnectionPeer peer) peer.OnOpened();
        ServerLog.ConnectionOpened(
            _settings.Logger, connection.PeerPlace, connection.Peer.PeerName, connection.PeerInstance, connection.PeerIdleMilliseconds);
    }

    public void OnStalled(WorkStall stall) => ExecutionLog.Stalled(_settings.Logger, stall);

    public void OnDraining(Connection connection, bool byPeer)
    {
        // The client accepts no calls of this side anymore. Each of them belongs to its connection, and none waits to be sent.
        if (!byPeer) connection.Pushed.End();
    }

    public MuxPeer CreateCaller(Connection connection) => new ConnectionPeer(connection, _settings.Callers);

    public void OnWithdrawn(Connection connection, OutgoingCall call) =>
        call.OnFailed(new(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue, "The client is closing the connection."), inTurn: false);

    public void OnUserCodeFailed(Connection connection, Exception error) =>
        TellFailed("a callback of a cancellation token, or what belongs to a connection,", _callbackLog, error);

    public void OnCallbackFailed(Connection connection, MethodDescriptor method, string callback, Exception error) => TellFailed(
        $"the callback {callback} of a call of {method.FullName}", _callbackLogs.Of(method), error);

    public void OnContractDiffers(Connection connection, MethodDescriptor method, string messages) =>
        _differences.Tell(method, others => ServerLog.ContractDiffers(_settings.Logger, connection.PeerPlace, messages, method.FullName, others));

    public void OnBlocked(Connection connection, Placement? code, bool refused)
    {
        if (_blockedLog.TryPass(_settings.Clock.Now, out int others)) ExecutionLog.Blocked(_settings.Logger, code, refused, others);
    }

    public void OnEnded(Connection connection, ConnectionEnd end)
    {
        LeavePending(connection);
        if (connection.KnownCaller is ConnectionPeer peer)
        {
            _settings.Peers.OnEnded(peer);
            peer.OnEnded(end.Reason.ToString());
        }

        Ledger.CountEnd(end.Reason);
        if (end.Limit is { } limit) _limits.OnCutOff(connection.PeerPlace, limit, end.Text);
        if (end.Reason == CloseReason.AuthFailed && _strangerLog.TryPass(_settings.Clock.Now, out int others))
        {
            ServerLog.AuthenticationFailed(_settings.Logger, connection.PeerPlace, end.Text, others);
        }

        if (end.Reason == CloseReason.NotMux && _foreignLog.TryPass(_settings.Clock.Now, out int foreign))
        {
            ServerLog.PeerForeign(_settings.Logger, end.Text, foreign);
        }

        ServerLog.ConnectionClosed(_settings.Logger, connection.PeerPlace, end.Reason, end.Text, end.Error);
    }

    public void OnReleased(Connection connection)
    {
        Ledger.Retire(connection);
        TaskCompletionSource? released;
        lock (_gate)
        {
            _connections.Remove(connection);
            _served.Remove(connection, out released);
            if (_stopping && _connections.Count == 0) EndAllLocked();
        }

        released?.TrySetResult();
    }

    private void Accept(Link link) => TryAccept(link, released: null);

    /// <returns>A connection that is started, or null if a limit refuses it; then the link is closed.</returns>
    private Connection? TryAccept(Link link, TaskCompletionSource? released)
    {
        var host = PeerHost.Of(link.RemoteAddress);
        var connection = TryMake(link, host, released, out var refusal, out var displaced, out int open);
        displaced?.AbortUnopened(ConnectionEnd.Displaced(refusal!.Value, _limits.Describe(refusal.Value, open)));
        if (connection is null)
        {
            if (refusal is { } limit) _limits.OnRejected(PeerName.Of(link), limit, open);
            link.Close();
            return null;
        }

        connection.Start(PeerHost.IsLocal(link.RemoteAddress) ? string.Empty : host);
        return connection;
    }

    /// <summary>Creates a connection if all limits have room for it.</summary>
    /// <param name="link">Its link.</param>
    /// <param name="host">Host of the peer.</param>
    /// <param name="released">Completed when the connection is released, or null.</param>
    /// <param name="refusal">The limit that refuses it, or was reached; null if none was, or the server stops.</param>
    /// <param name="displaced">The connection that loses its place to this one and must be ended, or null.</param>
    /// <param name="open">Number of connections.</param>
    private Connection? TryMake(
        Link link, string host, TaskCompletionSource? released, out PeerLimit? refusal, out Connection? displaced, out int open)
    {
        (refusal, displaced) = (null, null);
        lock (_gate)
        {
            open = _connections.Count;
            if (_stopping) return null;
            if (!Ledger.HasPlace(_settings.MaxConnections)) // connections are added only under this lock
            {
                refusal = PeerLimit.Connections;
                return null;
            }

            var pending = new PendingConnection();
            var place = _settings.Pending.TryEnter(host, pending, _settings.Clock.Now, out var reached, out var loser);
            refusal = reached switch
            {
                PlaceLimit.Total => PeerLimit.PendingHandshakes,
                PlaceLimit.OfAddress => PeerLimit.PendingHandshakesOfAddress,
                _ => null,
            };
            if (place is null) return null;
            displaced = loser?.Connection;
            var connection = pending.Connection = new Connection(link, _options, this, _methods, _settings.Clock, accepting: true, PeerName.Of(link));
            Ledger.Add(connection);
            _connections.Add(connection);
            _pending.Add(connection, place);
            if (released is not null) _served.Add(connection, released);
            return connection;
        }
    }

    private void LeavePending(Connection connection)
    {
        AddressPlaces<PendingConnection>.Place? place;
        lock (_gate)
        {
            if (!_pending.Remove(connection, out place)) return;
        }

        _settings.Pending.Leave(place);
    }

    private void EndAllLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        _unsent.Stop();
        _allReleased.TrySetResult();
    }

    private void TellFailed(string code, RateLimit limit, Exception error)
    {
        var level = limit.Temper(LogLevel.Error, _settings.Clock.Now, out var others);
        ServerLog.CallbackFailed(_settings.Logger, level, code, others, error);
    }

    private void TellStart(string address)
    {
        var services = string.Join(", ", _methods.Services);
        ServerLog.Listening(_settings.Logger, address, services.Length > 0 ? services : "nothing");
        if (services.Length == 0) ServerLog.ServesNothing(_settings.Logger, address);
    }

    /// <summary>Stops accepting.</summary>
    /// <returns>The connections, which the caller drains.</returns>
    private Connection[] BeginStop()
    {
        Connection[] connections;
        lock (_gate)
        {
            bool first = !_stopping;
            _stopping = true;
            connections = [.. _connections];
            if (connections.Length == 0) EndAllLocked();
            if (first && _metered is not null) ServerLog.Stopped(_settings.Logger, AddressText);
        }

        _listener?.Dispose();
        return connections;
    }

    /// <summary>Drains the connections one after another. The grace of all ends at the same time.</summary>
    /// <param name="connections">The connections.</param>
    /// <param name="began">When the grace began.</param>
    /// <param name="cancellationToken">Ends the wait between two waves; <see cref="EndGrace"/> has then drained the rest.</param>
    private async Task DrainInWavesAsync(Connection[] connections, long began, CancellationToken cancellationToken)
    {
        var waves = new DrainWaves(connections.Length, _settings.DrainTimeout);
        for (int i = 0; i < connections.Length; i++)
        {
            if (i > 0 && i % waves.Size == 0)
            {
                var pause = Task.Delay(TimeSpan.FromMicroseconds(DrainWaves.Interval), _settings.Clock.Provider, cancellationToken);
                await pause.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }

            connections[i].BeginDrain(Remaining(began));
        }
    }

    /// <summary>Microseconds that are left of a grace.</summary>
    private long Remaining(long began) => Math.Max(0, _settings.DrainTimeout - (_settings.Clock.Now - began));

    private void EndTelemetry()
    {
        QueueWatch.OfProcess.Remove(_load);
        if (_metered is not null) _settings.Metrics.Remove(_metered);
        _settings.Durations.Log.Unwatch();
        _settings.Callers.End();
        _settings.MissedContext?.End();
    }

    private void TellWait()
    {
        if (OpenCalls.Describe(Connections(), _methods.Descriptors) is not { } calls || Interlocked.Exchange(ref _hasToldWait, 1) != 0) return;
        ServerLog.StopWaits(_settings.Logger, calls, TimeSpan.FromMicroseconds(_settings.DrainTimeout).TotalSeconds);
    }

    private Connection[] Connections()
    {
        lock (_gate) return [.. _connections];
    }

    private void EndGrace()
    {
        foreach (var connection in Connections()) connection.BeginDrain(0);
    }
}

/// <summary>Names the calls that connections have not answered yet, and counts those that wait for their peers.</summary>
internal static class OpenCalls
{
    /// <summary>Methods that are named: those with most calls.</summary>
    private const int Named = 3;

    /// <returns>Null if there are none.</returns>
    public static string? Describe(Connection[] connections, IEnumerable<MethodDescriptor> methods)
    {
        var open = methods.Select(method => (method.FullName, Count: connections.Sum(connection => connection.RequestCounts.OpenCountOf(method))))
            .Where(static method => method.Count > 0).OrderByDescending(static method => method.Count)
            .ThenBy(static method => method.FullName, StringComparer.Ordinal).ToList();
        long waiting = connections.Sum(static connection => (long)connection.Held.Count);
        if (open.Count == 0 && waiting == 0) return null;
        var parts = open.Take(Named).Select((method, i) => $"{(i > 0 ? Number(method.Count) : Calls(method.Count))} of {method.FullName}").ToList();
        if (open.Count > Named) parts.Add($"{Number(open.Skip(Named).Sum(static method => method.Count))} of other methods");
        if (waiting > 0) parts.Add($"{Calls(waiting)} for which clients have no room yet");
        return parts.Count == 1 ? parts[0] : $"{string.Join(", ", parts[..^1])} and {parts[^1]}";
    }

    private static string Calls(long count) => count == 1 ? "1 call" : $"{Number(count)} calls";

    private static string Number(long count) => count.ToString("N0", CultureInfo.InvariantCulture);
}

/// <summary>
/// Decides which connections of a stopping server drain when. All clients that learn of a drain at the same instant dial at the same instant, and fail over to
/// the same neighbour. Pure.
/// </summary>
/// <param name="connections">Number of connections.</param>
/// <param name="grace">Time for open calls, in microseconds: at most a quarter of it passes before the last connection drains.</param>
internal readonly struct DrainWaves(int connections, long grace)
{
    /// <summary>Microseconds between two waves: the resolution of the ticker, below which timers of some systems do not go.</summary>
    public const long Interval = Ticker.Resolution;

    /// <summary>Microseconds within which all connections begin to drain.</summary>
    public const long LongestSpread = 1000 * Clock.MicrosecondsPerMillisecond;

    /// <summary>Connections that need no spread: as many dials at once do no harm.</summary>
    public const int Few = 10;

    /// <summary>Number of connections that drain at a time.</summary>
    public int Size { get; } = Math.Max(Few, (int)((connections + Waves(grace) - 1) / Waves(grace)));

    /// <summary>The largest number of waves.</summary>
    private static long Waves(long grace) => Math.Max(1, Math.Min(LongestSpread, grace / 4) / Interval);
}

/// <summary>
/// Counts what the limits of one server refuse, and logs it at most once a second for each limit: peers that come again and again must not fill the logs. Safe
/// for concurrent use.
/// </summary>
internal sealed class LimitLog(ConnectionLedger ledger, ServerSettings settings)
{
    private readonly RateLimit[] _passes = [.. Enum.GetValues<PeerLimit>().Select(_ => new RateLimit())];

    /// <summary>A connection was closed when it was accepted.</summary>
    public void OnRejected(string remoteAddress, PeerLimit limit, int open)
    {
        ledger.CountLimit(limit);
        if (TryPass(limit, out int others)) ServerLog.ConnectionRefused(settings.Logger, remoteAddress, Describe(limit, open), others);
    }

    /// <summary>A connection was ended by a limit.</summary>
    public void OnCutOff(string remoteAddress, PeerLimit limit, string text)
    {
        ledger.CountLimit(limit);
        if (TryPass(limit, out int others)) ServerLog.PeerCutOff(settings.Logger, remoteAddress, limit, text, others);
    }

    /// <summary>A call was refused because others hold what it needs.</summary>
    public void OnCallRefused(PeerLimit limit)
    {
        ledger.CountLimit(limit);
        if (limit == PeerLimit.QueueTime) return; // an overload is logged when it begins and when it is over
        if (TryPass(limit, out int others)) ServerLog.CallsRefused(settings.Logger, DescribeRefusal(limit), others);
    }

    /// <summary>A call was refused for lack of a handler.</summary>
    public void OnHandlerRefused(HandlerLack lack)
    {
        ledger.CountLimit(PeerLimit.RunningHandlers);
        if (!TryPass(PeerLimit.RunningHandlers, out int others)) return;
        ServerLog.CallsRefused(settings.Logger, Describe(lack), others);
    }

    private bool TryPass(PeerLimit limit, out int others) => _passes[(int)limit].TryPass(settings.Clock.Now, out others);

    private string DescribeRefusal(PeerLimit limit) => limit switch
    {
        PeerLimit.HeldBytes => $"peers hold as much server memory as Limits.MaxHeldBytes allows ({settings.MaxHeldBytes} bytes), or one connection holds " +
            "its share of it",
        PeerLimit.HeldBytesOfAddress =>
            $"the peers of one address hold as much server memory as Limits.MaxHeldBytesPerAddress allows ({settings.MaxHeldBytesPerAddress} bytes)",
        _ => "the connection of one client has used up its share of what the gateway has open at a service (MaxCalls " +
            "and MaxRequestStreams of the route)",
    };

    private string Describe(HandlerLack lack) => lack switch
    {
        HandlerLack.All => $"the server runs as many handlers as Limits.MaxHandlers allows ({settings.MaxHandlers})",
        HandlerLack.Share => $"one connection has its share of the {settings.MaxHandlers} handlers that the server " +
            "runs at most (Limits.MaxHandlers), and the rest is in use or kept for others",
        HandlerLack.Address => "the connections of one address have as many handlers as Limits.MaxHandlersPerAddress " +
            $"allows ({settings.MaxHandlersPerAddress})",
        _ => $"requests of one connection wait for handlers ({HandlerLimits}), and fill MaxParkedBytes ({settings.Connection.ParkedLimit} bytes)",
    };

    private string HandlerLimits => string.Join(
        ", ",
        new[] { ("Limits.MaxHandlers", settings.MaxHandlers), ("Limits.MaxHandlersPerAddress", settings.MaxHandlersPerAddress) }
            .Where(static limit => limit.Item2 != BudgetLimits.Unbounded)
            .Select(static limit => $"{limit.Item1} is {limit.Item2}"));

    /// <summary>Describes a limit that refuses connections.</summary>
    /// <param name="limit">The limit.</param>
    /// <param name="open">Number of open connections.</param>
    public string Describe(PeerLimit limit, int open) => limit switch
    {
        PeerLimit.PendingHandshakes => $"Limits.MaxPendingHandshakes is {settings.Pending.Limit}, and as many connections have not finished their handshake.",
        PeerLimit.PendingHandshakesOfAddress =>
            $"Limits.MaxPendingHandshakesPerAddress is {settings.Pending.PerAddress}, and as many connections of its address have not finished their " +
            "handshake.",

        // A peer that leaves while its handlers run keeps its place: otherwise it would return and start as many again.
        _ => $"MaxConnections is {settings.MaxConnections}; {open} connections are open, and {settings.MaxConnections - open} have ended whose handlers " +
            "still run.",
    };
}

/// <summary>A connection that has not finished its handshake and holds a place for it.</summary>
internal sealed class PendingConnection
{
    /// <summary>Set once the connection is made, under the lock under which its place was taken.</summary>
    public Connection Connection { get; set; } = null!;
}
