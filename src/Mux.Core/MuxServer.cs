using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Push;
using Mux.Runtime;
using Mux.Server;
using Mux.Services;
using Mux.Telemetry;
using Mux.Transports.Streams;

namespace Mux;

/// <summary>
/// Serves contracts at one address. Add services, call <see cref="Start"/>, then stop or dispose the server. A stopped server cannot start again.
/// </summary>
/// <remarks>In a generic host, <c>AddMuxServer</c> does all of this. Add services and start on one thread; all other members are safe for concurrent
/// use.</remarks>
public sealed class MuxServer : IAsyncDisposable, IDisposable
{
    private readonly MuxServerOptions _options;
    private readonly ILoggerFactory _loggers;
    private readonly NonThrowingLogger _logger;
    private readonly ServiceSet _services = new();
    private readonly List<IMuxPeerEvents> _events = [];
    private RouteTable? _routes;
    private HealthService? _health; // null without EnableHealth, and before the server was started
    private ConnectionAcceptor? _acceptor;
    private StopDelay? _stopDelay; // set with the acceptor
    private int _isStarting; // 0 or 1
    private int _isLeaving; // 0 or 1

    /// <summary>Creates a server that does not listen yet.</summary>
    /// <param name="options">The options; <see cref="Start"/> reads them.</param>
    /// <param name="loggerFactory">The loggers of the server; null to log nothing. Without them, exceptions that handlers throw are not reported
    /// anywhere.</param>
    public MuxServer(MuxServerOptions options, ILoggerFactory? loggerFactory = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
        _loggers = loggerFactory ?? NullLoggerFactory.Instance;
        _logger = new NonThrowingLogger(_loggers.CreateLogger("Mux.Server"));
    }

    /// <summary>Creates a server that does not listen yet.</summary>
    /// <param name="address">See <see cref="MuxOptions.Address"/>.</param>
    public MuxServer(string address)
        : this(new MuxServerOptions { Address = address })
    {
    }

    /// <summary>Gets the clients that are connected at this moment. May be used before <see cref="Start"/>, and keeps being valid.</summary>
    public MuxPeers Peers { get; init; } = new();

    /// <summary>Gets the address at which the server listens, with the actual port if the configured port is 0.</summary>
    /// <exception cref="InvalidOperationException">The server was not started, or its <see cref="MuxOptions.Address"/> is empty.</exception>
    public MuxAddress Address => Started.Address ?? throw new InvalidOperationException("The server does not listen: the Address in its options is empty.");

    /// <summary>Gets the contracts that were added so far, and after <see cref="Start"/> also what Mux adds by itself.</summary>
    public IReadOnlyList<ServedContract> Contracts => [.. _services.Served];

    /// <summary>Checks whether a client may call a method at this moment: its call would reach the handler.</summary>
    /// <param name="peer">A client of this server.</param>
    /// <param name="method">A method of this server, as <see cref="Contracts"/> has it.</param>
    /// <returns>True for all methods if the server does not authenticate its clients.</returns>
    public bool MayCall(MuxPeer peer, MethodDescriptor method)
    {
        ArgumentNullException.ThrowIfNull(peer);
        ArgumentNullException.ThrowIfNull(method);
        return _options.Identity is null || (peer is ConnectionPeer known && known.MayCall(method));
    }

    /// <summary>
    /// Asks whether the authorization of this server lets the caller of a received call make a call of another method, at this moment. Behind a gateway of
    /// <see cref="Identity.MuxIdentityOptions.Gateways"/> that is the caller of the gateway, for whom policies are evaluated here. Safe for concurrent use.
    /// </summary>
    /// <param name="received">The options that a handler of this server sees.</param>
    /// <param name="method">A method of this server, as <see cref="Contracts"/> has it.</param>
    /// <returns>True for all methods if the server does not authenticate its clients.</returns>
    public bool MayCall(MuxCallOptions received, MethodDescriptor method)
    {
        ArgumentNullException.ThrowIfNull(received);
        ArgumentNullException.ThrowIfNull(method);
        if (_options.Identity is null) return true;
        return received.Caller is ConnectionPeer known && (received.IsForwarded ? known.MayForward(method, received.User) : known.MayCall(method));
    }

    /// <summary>
    /// Tells whether a received call came through a gateway whose word for its caller this server takes: see
    /// <see cref="Identity.MuxIdentityOptions.Gateways"/>. Safe for concurrent use.
    /// </summary>
    /// <param name="received">The options that a handler of this server sees.</param>
    /// <returns>False if the call was not forwarded, or by another gateway.</returns>
    public bool BelievesCallerOf(MuxCallOptions received)
    {
        ArgumentNullException.ThrowIfNull(received);
        return _options.Identity is not null && received is { IsForwarded: true, Caller: ConnectionPeer { IsGateway: true } };
    }

    private ConnectionAcceptor Started => _acceptor ?? throw new InvalidOperationException("The server was not started: call Start first.");

    /// <summary>Serves a contract with one instance, which is called concurrently.</summary>
    /// <returns>This server.</returns>
    /// <inheritdoc cref="AddServiceFrom"/>
    public MuxServer AddService<TService>(TService implementation)
        where TService : class
    {
        ArgumentNullException.ThrowIfNull(implementation);
        return AddServiceFrom(new SingletonSource<TService>(implementation));
    }

    /// <summary>Serves a contract with one instance, and with a rule of this server in place of the authorization that the contract declares.</summary>
    /// <param name="implementation">The instance.</param>
    /// <param name="authorization">The callers that may call the methods, all of them.</param>
    /// <returns>This server.</returns>
    /// <inheritdoc cref="AddServiceFrom"/>
    public MuxServer AddService<TService>(TService implementation, MethodAuthorization authorization)
        where TService : class
    {
        ArgumentNullException.ThrowIfNull(implementation);
        ArgumentNullException.ThrowIfNull(authorization);
        ThrowIfStarted();
        _services.Add(new SingletonSource<TService>(implementation), authorization);
        return this;
    }

    /// <summary>Serves a contract with instances from a source.</summary>
    /// <typeparam name="TService">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <returns>This server.</returns>
    /// <exception cref="InvalidOperationException">The interface is not a contract; a service with this wire name was added before; the implementation has
    /// authorization attributes, which belong on the contract; attributes of the interface or of the implementation cannot be read; or the server was
    /// started.</exception>
    public MuxServer AddServiceFrom<TService>(ServiceSource<TService> source)
        where TService : class
    {
        ArgumentNullException.ThrowIfNull(source);
        ThrowIfStarted();
        _services.Add(source);
        return this;
    }

    /// <summary>Has an object learn of connections: of each that opens, in the order of these calls, and of its end, in the opposite order.</summary>
    /// <param name="events">The object.</param>
    /// <returns>This server.</returns>
    /// <exception cref="InvalidOperationException">The server was started.</exception>
    public MuxServer AddPeerEvents(IMuxPeerEvents events)
    {
        ArgumentNullException.ThrowIfNull(events);
        ThrowIfStarted();
        _events.Add(events);
        return this;
    }

    /// <summary>
    /// Makes this server a gateway: forwards the calls of services that it does not serve itself. Calls are not decoded, so no contract is needed, and their
    /// messages may have any format. Deadlines, priorities, metadata, traces, cancellation, failures and the credit of streams pass in both directions.
    /// </summary>
    /// <remarks>
    /// Services without a route are refused with <see cref="MuxStatus.Unimplemented"/>, as are methods after the first 1,024 different ones of a route and
    /// 4,096 of the process, and after 256 that a connection was the first to call: clients choose the names. A call may pass 8 gateways.
    /// </remarks>
    /// <param name="route">The route.</param>
    /// <returns>This server.</returns>
    /// <exception cref="ArgumentException">The route allows anonymous clients and requires a policy or roles, or a limit of it is out of range.</exception>
    /// <exception cref="InvalidOperationException">The pattern was added before, or the server was started.</exception>
    public MuxServer AddRoute(MuxRoute route)
    {
        ArgumentNullException.ThrowIfNull(route);
        if (_acceptor is not null) throw new InvalidOperationException("The server was started: add routes before Start.");
        (_routes ??= new RouteTable(ForwardedNames.OfProcess)).Add(route.Build());
        return this;
    }

    /// <summary>Starts to listen, unless the address is empty, and to serve the connections passed to <see cref="ServeAsync"/>.</summary>
    /// <exception cref="ArgumentException">At least one option is invalid; the message names all of them.</exception>
    /// <exception cref="InvalidOperationException">The server was started before, another thread is starting it, <see cref="Peers"/> are those of another
    /// server, or a contract requires a policy or authentication that <see cref="MuxServerOptions.Identity"/> does not have.</exception>
    /// <exception cref="IOException">The server cannot listen at the address; the message names the address and the reason. Start may be called again, such as
    /// when another program has left the address.</exception>
    public void Start()
    {
        if (Interlocked.Exchange(ref _isStarting, 1) != 0)
        {
            throw new InvalidOperationException(
                "Another thread is starting this server: call Start on one thread alone, and use the server when it has returned.");
        }

        try
        {
            Begin();
        }
        finally
        {
            Volatile.Write(ref _isStarting, 0);
        }
    }

    /// <summary>
    /// Serves a connection that your code has accepted, for example from another server in the process, or over the standard streams that connect the process
    /// with its parent. Limits, statistics and the drain apply to it in the same way as to connections accepted at <see cref="Address"/>. A connection above
    /// <see cref="MuxServerOptions.MaxConnections"/> is closed at once.
    /// </summary>
    /// <param name="connection">The connection. The server owns it from now on and closes its streams.</param>
    /// <param name="cancellationToken">When cancelled, drains the connection: the server announces the drain to the client, and open calls have
    /// <see cref="MuxOptions.DrainTimeout"/> to finish.</param>
    /// <returns>A task that completes when the connection has ended, for any reason; the log contains the reason.</returns>
    /// <exception cref="InvalidOperationException">The server was not started.</exception>
    public Task ServeAsync(StreamConnection connection, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(connection);
        return Started.ServeAsync(new StreamLink(connection), cancellationToken);
    }

    /// <summary>
    /// Announces that this server will stop: <see cref="State"/> becomes <see cref="MuxServerState.Draining"/>, so that health checks fail, and clients are
    /// told at once. Clients that know other servers send their calls there from then on, including those that wait to be sent; clients that know no other
    /// continue here. The server listens and serves as before. Call it before a registration is withdrawn, then <see cref="StopAsync"/>. Does nothing before
    /// <see cref="Start"/>, and nothing the second time.
    /// </summary>
    /// <remarks>In a generic host, the host does this.</remarks>
    public void AnnounceStop()
    {
        if (_acceptor is not { } acceptor || Interlocked.Exchange(ref _isLeaving, 1) != 0) return;
        _health?.Leave();
        acceptor.OfferNothing(_stopDelay!.Length);
    }

    /// <summary>
    /// Announces the stop as <see cref="AnnounceStop"/> does, and serves for <see cref="MuxServerOptions.StopDelay"/>. That time passes once: a call of this
    /// method or of <see cref="StopAsync"/> after it does not wait again.
    /// </summary>
    /// <remarks>
    /// <see cref="StopAsync"/> waits by itself. A host calls this method while other parts of the process still serve, such as the endpoints of ASP.NET Core.
    /// </remarks>
    /// <param name="cancellationToken">When cancelled, ends the wait at once, without an exception.</param>
    public Task AwaitStopDelayAsync(CancellationToken cancellationToken = default)
    {
        AnnounceStop();
        return _stopDelay?.WaitAsync(cancellationToken) ?? Task.CompletedTask;
    }

    /// <summary>
    /// Serves for <see cref="MuxServerOptions.StopDelay"/>. Then stops accepting connections, announces the drain to the clients, and lets open calls finish
    /// within <see cref="MuxOptions.DrainTimeout"/>. Then fails the remaining calls and closes the connections.
    /// </summary>
    /// <remarks>With more than ten connections, the clients learn of the drain one after another, within 1 s: they do not all connect elsewhere at the same
    /// instant. The drain timeout counts from the first of them.</remarks>
    /// <param name="cancellationToken">When cancelled, ends the wait for open calls at once. The server still stops.</param>
    public async Task StopAsync(CancellationToken cancellationToken = default)
    {
        if (_acceptor is not { } acceptor) return;
        await AwaitStopDelayAsync(cancellationToken).ConfigureAwait(false);
        _health?.Stop();
        await acceptor.StopAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Counters of all connections; null before the server was started.</summary>
    internal ConnectionLedger? Ledger => _acceptor?.Ledger;

    /// <summary>Gets the state of the server. Safe to call on any thread.</summary>
    public MuxServerState State => _acceptor is not { } acceptor ? MuxServerState.Created
        : Volatile.Read(ref _isLeaving) == 1 || acceptor.IsStopping ? MuxServerState.Draining
        : MuxServerState.Serving;

    /// <summary>Gets the statistics of the server since it was created.</summary>
    public MuxStatistics GetStatistics()
    {
        var totals = Ledger?.Sum() ?? new LedgerTotals();
        return new MuxStatistics(totals)
        {
            CallsStarted = totals.RequestsStarted,
            CallsCompleted = totals.Requests.Total,
            ReverseCallsStarted = totals.CallsStarted,
            ReverseCallsCompleted = totals.Calls.Total,
        };
    }

    /// <summary>Stops the server, see <see cref="StopAsync"/>.</summary>
    public async ValueTask DisposeAsync() => await StopAsync().ConfigureAwait(false);

    /// <summary>
    /// Stops accepting connections, notifies the clients, fails open calls within a few milliseconds, and closes the connections. Returns without waiting. For
    /// code that cannot await, such as a container that is disposed synchronously. Prefer <see cref="StopAsync"/>, which lets open calls finish.
    /// </summary>
    public void Dispose()
    {
        _stopDelay?.End();
        _health?.Stop();
        _acceptor?.Stop();
    }

    private void Begin()
    {
        if (_acceptor is not null) throw new InvalidOperationException("The server was already started: create a new MuxServer to start again.");
        _options.ThrowIfInvalid();
        var address = _options.ListensNowhere ? null : MuxAddress.Parse(_options.Address);
        var clock = EngineSettings.ClockOf(_options);
        var metrics = MuxMetrics.For(_options.MeterFactory);
        var callLog = new CallLog(new NonThrowingLogger(_loggers.CreateLogger("Mux.Server.Calls")), ActivityKind.Server);
        var durations = new CallDurations(metrics.ServerCallDuration, ActivityKind.Server, clock, [], callLog);
        var environment = new HandlerEnvironment(_options.Dispatch, _logger, durations, _options.DetailedErrors)
        {
            HasCallContexts = _options.EnableCallContext,
            Filters = _options.Filters.Bind(clock),
        };
        bool hasHandlers = _services.Served.Count > 0;
        _routes?.Begin(environment);
        if (_options.EnableHealth) AddHealth();
        var methods = _services.Build(environment, _routes);
        var scheme = MuxAddress.TryParse(_options.Address, out var parsed, out _) ? parsed.Scheme : null;
        var transport = EngineSettings.TransportOf(_options, scheme, _loggers);
        int maxConnections = EngineSettings.MaxConnectionsOf(_options, transport, OpenFileLimit.Read(), _logger);
        var limits = EffectiveLimits.Of(_options, maxConnections);
        var admission = EngineSettings.AdmissionOf(_options, [.. methods.Descriptors], clock, _logger);
        var acceptor = new ConnectionAcceptor(
            new ServerSettings
            {
                Address = address,
                Transport = transport,
                Connection = EngineSettings.Of(_options, _routes) with { Admission = admission },
                MaxConnections = maxConnections,
                MaxHandlers = limits.MaxHandlers,
                MaxHandlersPerAddress = limits.MaxHandlersPerAddress,
                MaxQueueTime = Clock.Microseconds(_options.MaxQueueTime),
                MaxUnsentBytes = limits.MaxUnsentBytes,
                MaxHeldBytes = limits.MaxHeldBytes,
                MaxHeldBytesPerAddress = limits.MaxHeldBytesPerAddress,
                Pending = new AddressPlaces<PendingConnection>(limits.MaxPendingHandshakes, limits.MaxPendingHandshakesPerAddress),
                DrainTimeout = Clock.Microseconds(_options.DrainTimeout),
                Clock = clock,
                Logger = _logger,
                Metrics = metrics,
                Durations = durations,
                Callers = new PeerEnvironment(EngineSettings.CallsBack(_options, clock, metrics, _loggers), _options.Filters.Bind(clock), holdsDeadlines: true)
                {
                    Logger = _logger,
                    Hooks = [.. _events.Select(static events => new PeerHook(events))],
                    DetailedErrors = _options.DetailedErrors,
                    WatchOf = GroupMember.Of,
                },
                Peers = Peers.Set,
                MissedContext = hasHandlers && !_options.EnableCallContext ? new MissedContext(_logger, environment.Side) : null,
            },
            methods);
        acceptor.Start();
        _stopDelay = new StopDelay(_options.StopDelay, _options.TimeProvider);
        _acceptor = acceptor;
        if (_logger.IsEnabled(LogLevel.Debug))
        {
            ServerLog.Limits(_logger, acceptor.Address?.ToString() ?? ServerLog.NoAddress, _options.Profile, limits.DescribeDifferences(_options.Profile));
        }

        if (_options.IsPlaintextOnNetwork) ServerLog.ListensInPlaintext(_logger, Address.ToString());
    }

    private void ThrowIfStarted()
    {
        if (_acceptor is not null) throw new InvalidOperationException("The server was started: add services before Start.");
    }

    private void AddHealth()
    {
        var health = new HealthService(_services.Served.Select(static contract => contract.Name).Append(HealthContract.Service));
        if (_services.TryAddOwn(HealthContract.Instance, health, HealthContract.List)) _health = health;
    }
}
