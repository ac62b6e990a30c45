using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Connections;
using Mux.Diagnostics;
using Mux.Logging;
using Mux.Services;
using Mux.Serving;
using Mux.Sessions.Budgets;
using Mux.Timing;
using Mux.Transports.Sockets;
using Mux.Transports.Streams;

namespace Mux;

/// <summary>
/// Serves contracts at one address. Add services, start, stop or dispose; a stopped server does not start again. In a generic host <c>AddMuxServer</c> does all
/// this. Adding and starting are for one thread; everything else is safe for concurrent use.
/// </summary>
public sealed class MuxServer : IAsyncDisposable, IDisposable
{
    private readonly MuxServerOptions _options;
    private readonly ILoggerFactory _loggers;
    private readonly ILogger _logger;
    private readonly ServiceSet _services = new();
    private ConnectionAcceptor? _acceptor;

    /// <summary>Creates a server that does not listen yet.</summary>
    /// <param name="options">Read at <see cref="Start"/>.</param>
    /// <param name="loggerFactory">Null for no logs.</param>
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

    /// <summary>Where it listens, with the real port where 0 was asked for.</summary>
    /// <exception cref="InvalidOperationException">It was not started, or listens nowhere.</exception>
    public MuxAddress Address => Started.Address ?? throw new InvalidOperationException("The server listens nowhere: its Address is empty.");

    private ConnectionAcceptor Started => _acceptor ?? throw new InvalidOperationException("The server was not started.");

    /// <summary>Serves a contract by one instance, which is called concurrently.</summary>
    /// <returns>This server.</returns>
    /// <inheritdoc cref="AddServiceFrom"/>
    public MuxServer AddService<TService>(TService implementation)
        where TService : class
    {
        ArgumentNullException.ThrowIfNull(implementation);
        return AddServiceFrom(new SingletonSource<TService>(implementation));
    }

    /// <summary>Serves a contract by instances from a source.</summary>
    /// <typeparam name="TService">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <returns>This server.</returns>
    /// <exception cref="InvalidOperationException">The interface is not a contract, a service of this wire name was added before, the implementation says who
    /// may call it, where nobody looks, attributes of either cannot be read, or the server was started.</exception>
    public MuxServer AddServiceFrom<TService>(ServiceSource<TService> source)
        where TService : class
    {
        ArgumentNullException.ThrowIfNull(source);
        if (_acceptor is not null) throw new InvalidOperationException("The server was started; services are added before.");
        _services.Add(source);
        return this;
    }

    /// <summary>Begins to listen, if there is an address, and to serve what <see cref="ServeAsync"/> is given.</summary>
    /// <exception cref="ArgumentException">An option is wrong; the message names all that are.</exception>
    /// <exception cref="InvalidOperationException">It was started before, or a contract asks for a policy or for authentication that
    /// <see cref="MuxServerOptions.Identity"/> does not have.</exception>
    /// <exception cref="IOException">The address cannot be listened at; the message names it and the reason.</exception>
    public void Start()
    {
        if (_acceptor is not null) throw new InvalidOperationException("The server was started before.");
        _options.ThrowIfInvalid();
        var address = _options.ListensNowhere ? null : MuxAddress.Parse(_options.Address);
        var clock = EngineSettings.ClockOf(_options);
        var metrics = MuxMetrics.For(_options.MeterFactory);
        var durations = new CallDurations(metrics.ServerCallDuration, clock, new(MetricNames.ServerAddressTag, address?.ToString()));
        var environment = new HandlerEnvironment(_options.Dispatch, _logger, durations, _options.DetailedErrors);
        var methods = _services.Build(environment);
        var transport = EngineSettings.TransportOf(_options, _loggers);
        int maxConnections = EngineSettings.MaxConnectionsOf(_options, transport, OpenFileLimit.Read(), _logger);
        var limits = EffectiveLimits.Of(_options, maxConnections);
        var admission = EngineSettings.AdmissionOf(_options, [.. methods.Descriptors], clock, _logger);
        var acceptor = new ConnectionAcceptor(
            new ServerSettings
            {
                Address = address,
                Transport = transport,
                Connection = EngineSettings.Of(_options) with { Admission = admission },
                MaxConnections = maxConnections,
                MaxHandlers = limits.MaxHandlers,
                MaxHandlersPerAddress = limits.MaxHandlersPerAddress,
                MaxUnsentBytes = limits.MaxUnsentBytes,
                MaxHeldBytes = limits.MaxHeldBytes,
                MaxHeldBytesPerAddress = limits.MaxHeldBytesPerAddress,
                Pending = new PendingHandshakes(limits.MaxPendingHandshakes, limits.MaxPendingHandshakesPerAddress),
                DrainTimeout = Clock.Microseconds(_options.DrainTimeout),
                Clock = clock,
                Logger = _logger,
                Metrics = metrics,
                Durations = durations,
            },
            methods);
        acceptor.Start();
        _acceptor = acceptor;
        ServerLog.Limits(_logger, acceptor.Address?.ToString() ?? "none", _options.Profile, limits);
        if (_options.IsPlaintextOnNetwork) ServerLog.ListensInPlaintext(_logger, Address.ToString());
    }

    /// <summary>
    /// Serves a connection that somebody else has accepted: another server of the process, or whoever started it and speaks to it over its standard streams. It
    /// counts, is limited, measured and ended like those accepted at <see cref="Address"/>; one too many is closed at once.
    /// </summary>
    /// <param name="connection">The server's from now on: it ends its streams.</param>
    /// <param name="cancellationToken">Cancelling it ends the connection in order: the client is told, open calls have <see cref="MuxOptions.DrainTimeout"/> to
    /// finish.</param>
    /// <returns>Ends when the connection has, whoever ended it and for whatever reason; the log has it.</returns>
    /// <exception cref="InvalidOperationException">The server was not started.</exception>
    public Task ServeAsync(StreamConnection connection, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(connection);
        return Started.ServeAsync(new StreamLink(connection), cancellationToken);
    }

    /// <summary>
    /// Stops accepting, tells the clients, lets open calls finish within <see cref="MuxOptions.DrainTimeout"/>, fails those that are left, and closes the
    /// connections.
    /// </summary>
    /// <param name="cancellationToken">Cancelling it ends the waiting for open calls at once; the server still stops.</param>
    public Task StopAsync(CancellationToken cancellationToken = default) => _acceptor?.StopAsync(cancellationToken) ?? Task.CompletedTask;

    /// <summary>The books of its connections; null before it was started.</summary>
    internal ConnectionLedger? Ledger => _acceptor?.Ledger;

    /// <summary>Whether it takes connections now. From any thread.</summary>
    public MuxServerState State => _acceptor is not { } acceptor ? MuxServerState.Created : acceptor.IsStopping ? MuxServerState.Draining
        : MuxServerState.Serving;

    /// <summary>What the server has done so far.</summary>
    public MuxStatistics GetStatistics()
    {
        var totals = Ledger?.Sum() ?? new LedgerTotals();
        return new MuxStatistics(totals) { CallsStarted = totals.RequestsStarted, CallsCompleted = totals.Requests.Total };
    }

    /// <summary>The same as <see cref="StopAsync"/>.</summary>
    public async ValueTask DisposeAsync() => await StopAsync().ConfigureAwait(false);

    /// <summary>
    /// Stops accepting, tells the clients, fails open calls within some milliseconds, and closes the connections; waits for nothing. For owners that cannot
    /// await, such as a container that is disposed synchronously: prefer <see cref="StopAsync"/>, which lets open calls finish.
    /// </summary>
    public void Dispose() => _acceptor?.Stop();
}
