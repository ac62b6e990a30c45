using System.Collections.Concurrent;
using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Mux.Calls;
using Mux.Client;
using Mux.Contracts;
using Mux.Discovery;
using Mux.Engine;
using Mux.Protocol;
using Mux.Push;
using Mux.Runtime;
using Mux.Server;
using Mux.Telemetry;
using Mux.Transports;
using Mux.Transports.Epoll;
using Mux.Transports.InMemory;
using Mux.Transports.Sockets;
using Mux.Transports.Streams;
using Mux.Transports.Tls;
using Mux.Transports.WebSockets;

namespace Mux;

/// <summary>Converts validated public options to settings of the engine.</summary>
internal static class EngineSettings
{
    /// <summary>Number of the largest messages that may wait to be sent before calls wait and requests are parked.</summary>
    private const long LargestWaiting = 4;

    /// <summary>Bytes of large messages in flight before anything is known of the path: 10 Gbit/s at 0.8 ms.</summary>
    private const int FirstBulkCredit = 1024 * 1024;

    /// <summary>Most connections of a channel that sets no number, with as many processors: both sides then use that many threads for them.</summary>
    private const int ConnectionsByDefault = 4;

    /// <summary>
    /// Most connections of a channel that makes one for each call, and sets no number: the 10,000 connections that a server accepts by default are then enough
    /// for 156 clients that are all at their limit.
    /// </summary>
    private const int ConnectionsPerCallByDefault = 64;

    /// <summary>New at every start of the process, so that a peer can distinguish a restart from a reconnect.</summary>
    private static readonly Guid s_instanceId = Guid.NewGuid();
    private static long s_routers; // numbers them

    /// <summary>Gets the settings of a channel.</summary>
    /// <param name="options">Its options.</param>
    /// <param name="loggers">Its loggers.</param>
    /// <param name="address">Its address; null if it has several, which <see cref="RouterOf"/> adds.</param>
    public static ChannelSettings Of(MuxChannelOptions options, ILoggerFactory loggers, MuxAddress? address)
    {
        var name = options.Name.Length > 0 ? options.Name : "default";
        bool serves = options.Services.Methods.Count > 0;
        var server = AddressTags.Of(address);
        KeyValuePair<string, object?>[] tags = [new(MetricNames.ClientNameTag, name), .. server];
        var callLog = new CallLog(new NonThrowingLogger(loggers.CreateLogger("Mux.Client.Calls")), ActivityKind.Client, name);
        var metrics = MuxMetrics.For(options.MeterFactory);
        var clock = ClockOf(options);
        var logger = new NonThrowingLogger(loggers.CreateLogger("Mux.Client"));
        var calls = new RouteSettings
        {
            Clock = clock,
            Deadline = Clock.Microseconds(options.CallTimeout),
            InheritsDeadlines = options.InheritDeadlines,
            Dispatch = options.Dispatch,
            StreamWindow = options.StreamWindowBytes,
            KeptLimit = options.MaxQueuedBytes,
            Durations = new CallDurations(metrics.ClientCallDuration, ActivityKind.Client, clock, tags, callLog),
            ServerTags = server,
        };
        var callers = new PeerEnvironment(calls with { KeptLimit = 0 }, options.Filters.Bind(clock), holdsDeadlines: false) // they send nothing again
        {
            Logger = logger,
            WatchOf = GroupMember.Of,
        };
        var servedLog = new CallLog(new NonThrowingLogger(loggers.CreateLogger("Mux.Server.Calls")), ActivityKind.Server);
        var handlers = serves ? new CallDurations(metrics.ServerCallDuration, ActivityKind.Server, clock, tags, servedLog) : null;
        var methods = handlers is null ? null : MethodsOf(options, logger, handlers, clock);
        return new ChannelSettings
        {
            Name = name,
            Address = address,
            Transport = address is null ? null : TransportOf(options, address.Scheme, loggers),
            Connection = Connection(options, Local(options) with { ReadsLeases = true, MaxCalls = serves ? options.MaxCallsPerConnection : 0 }) with
            {
                WaitingLimit = options.MaxQueuedBytes,
                Shared = serves ? ClientBudgets.Create(name, callers.Ledger, clock, logger) : null,
                ServerAccess = options.HasPeers ? ServerAccess.Of : null,
                Credentials = address is null ? null : CredentialsOf(options, address),
            },
            Connections = options.MinConnections,
            MaxConnections = options.MaxConnections ?? MaxConnectionsByDefault(options),
            DrainTimeout = Clock.Microseconds(options.DrainTimeout),
            MaxReconnectDelay = options.MaxReconnectDelay,
            Random = options.Seed is { } seed ? new Random(seed) : Random.Shared,
            Policies = options.Resilience.ToPolicies(),
            HoldTime = Clock.Microseconds(options.Resilience.HoldTime),
            Calls = calls,
            Callers = callers,
            Methods = (IMethodResolver?)methods ?? NoMethods.Instance,
            Keys = methods?.Keys,
            Served = options.Services.Methods,
            Handlers = handlers,
            Kept = options.KeepConnected || options.OnOpened is not null
                ? new KeptConnection { IsKept = options.KeepConnected, UserCode = options.OnOpened } : null,
            Tags = tags,
            Logger = logger,
            Metrics = metrics,
        };
    }

    /// <summary>Gets the settings for the calls that a server makes to its clients.</summary>
    public static RouteSettings CallsBack(MuxServerOptions options, Clock clock, MuxMetrics metrics, ILoggerFactory loggers)
    {
        const string Name = "peers"; // the channel of such calls in the log
        var callLog = new CallLog(new NonThrowingLogger(loggers.CreateLogger("Mux.Client.Calls")), ActivityKind.Client, Name);
        return new RouteSettings
        {
            Clock = clock,
            Deadline = Clock.Never,
            InheritsDeadlines = true,
            Dispatch = options.Dispatch,
            StreamWindow = options.StreamWindowBytes,
            Durations = new CallDurations(metrics.ClientCallDuration, ActivityKind.Client, clock, [], callLog),
            ServerTags = [],
        };
    }

    /// <summary>Gets the settings of a channel whose endpoints a source reports.</summary>
    public static RouterSettings RouterOf(MuxChannelOptions options, ILoggerFactory loggers, IEndpointSource source)
    {
        var channel = Of(options, loggers, address: null);
        var transports = new ConcurrentDictionary<string, ITransport>(StringComparer.Ordinal); // one of each kind, which all endpoints share
        return new RouterSettings
        {
            Channel = channel,
            Source = source,
            SettingsOf = address => channel with
            {
                Address = address,
                Transport = transports.GetOrAdd(address.Scheme, scheme => TransportOf(options, scheme, loggers)),
                Connection = channel.Connection with { Credentials = CredentialsOf(options, address) },
            },
            Balancing = options.Balancing.ToSettings(),
            Seed = options.Seed,
            Instance = $"{s_instanceId:N}/{Interlocked.Increment(ref s_routers)}", // channels of one process use different parts of many servers
        };
    }

    /// <param name="options">Options of the server.</param>
    /// <param name="routes">What it forwards; null if it is no gateway.</param>
    public static ConnectionOptions Of(MuxServerOptions options, RouteTable? routes)
    {
        long windows = options.MaxStreamBytes / Math.Max(options.StreamWindowBytes, routes?.StreamWindow ?? 0);
        var local = Local(options) with
        {
            MaxCalls = options.MaxCallsPerConnection,
            MaxOrdinals = options.MaxMethodsPerConnection,
            ReadsKeys = routes is not null, // they decide where calls go
            StreamWindows = (int)Math.Clamp(windows, 1, int.MaxValue),
        };
        return Connection(options, local) with
        {
            ExpiryGrace = Clock.Microseconds(options.DrainTimeout),
            ParkedLimit = options.MaxParkedBytes,
            RunningLimit = options.MaxRunningBytes,
            MaxDeadline = Clock.Microseconds(options.MaxCallTimeout),
            MaxAge = Clock.Microseconds(options.MaxConnectionAge),
        };
    }

    /// <summary>Creates the admission control of a server; null if it authenticates no client.</summary>
    /// <exception cref="InvalidOperationException">A contract requires something that the options do not have; the message names the method.</exception>
    public static AdmissionControl? AdmissionOf(MuxServerOptions options, IReadOnlyCollection<MethodDescriptor> methods, Clock clock, ILogger logger)
    {
        if (options.Identity is not null) return new AdmissionControl(options.Identity, methods, clock, logger);
        AccessRules.ThrowIfAsked(methods);
        return null;
    }

    /// <summary>
    /// Gets the transport of the options, or the one for the address: TLS, named pipes, WebSockets, or the fastest sockets of the operating system.
    /// </summary>
    /// <param name="options">The options.</param>
    /// <param name="scheme">The scheme of the address; null for a server without an address.</param>
    /// <param name="loggers">The loggers of the transport.</param>
    public static ITransport TransportOf(MuxOptions options, string? scheme, ILoggerFactory loggers)
    {
        if (options.Transport is { } chosen) return chosen;
        var logger = loggers.CreateLogger("Mux.Transport");
        if (scheme == MuxAddress.PipeScheme) return new NamedPipeTransport(logger, options.TimeProvider);
        if (scheme is MuxAddress.WebSocketScheme or MuxAddress.SecureWebSocketScheme) return new WebSocketTransport();
        if (scheme == MuxAddress.TlsScheme)
        {
            var (server, client) = ((options as MuxServerOptions)?.Tls, (options as MuxChannelOptions)?.Tls);
            bool identifies = options is MuxChannelOptions { HasPeers: true };
            return new TlsTransport(server, client, SocketsOf(options, logger), logger, options.TimeProvider, identifies);
        }

        return SocketsOf(options, logger);
    }

    /// <summary>
    /// A peer that vanishes while calls are being sent acknowledges nothing: the kernel sees that before PINGs do, which need a silence. It would also cut off
    /// a peer that lives and does not read, for which <see cref="MuxOptions.StallTimeout"/> is the limit (Linux since 5.11 counts closed windows), so the time
    /// is the longer of both.
    /// </summary>
    private static ITransport SocketsOf(MuxOptions options, ILogger logger)
    {
        var time = options.KeepAliveTimeout > options.StallTimeout ? options.KeepAliveTimeout : options.StallTimeout;
        return EpollTransport.IsSupported
            ? new EpollTransport(new EpollTransportOptions { UnacknowledgedTime = time }, logger, options.TimeProvider)
            : new SocketTransport(new SocketTransportOptions { UnacknowledgedTime = time }, logger, options.TimeProvider);
    }

    /// <summary>
    /// Limits the connections of a server to the sockets that the process may open. Without a free file the server could not even report it: the runtime ends a
    /// process that needs a file and gets none.
    /// </summary>
    /// <param name="options">Options of the server.</param>
    /// <param name="transport">Transport that accepts the connections.</param>
    /// <param name="openFiles">Result of <see cref="OpenFileLimit.Read"/>.</param>
    /// <param name="logger">Logs if the number is lower than in the options.</param>
    public static int MaxConnectionsOf(MuxServerOptions options, ITransport transport, long? openFiles, ILogger logger)
    {
        bool usesSockets = transport is SocketTransport or EpollTransport or TlsTransport;
        long reserve = OpenFileLimit.Reserve + (transport is TlsTransport tls ? tls.MaxPendingHandshakes : 0);
        if (!usesSockets || openFiles is not { } limit || options.MaxConnections <= limit - reserve) return options.MaxConnections;
        int fitting = (int)Math.Max(1, limit - reserve);
        ServerLog.MaxConnectionsLowered(logger, options.MaxConnections, limit, fitting);
        return fitting;
    }

    public static Clock ClockOf(MuxOptions options) => options.TimeProvider == TimeProvider.System ? Clock.Shared : new Clock(options.TimeProvider);

    private static MethodTable MethodsOf(MuxChannelOptions options, NonThrowingLogger logger, CallDurations durations, Clock clock) =>
        options.Services.Build(new HandlerEnvironment(options.Dispatch, logger, durations, DetailedErrors: false)
        {
            HasCallContexts = options.EnableCallContext,
            Filters = options.Filters.Bind(clock),
            Side = "client",
            OneWayIsSerial = true,
        });

    private static int MaxConnectionsByDefault(MuxChannelOptions options) => options.Lifetime == MuxConnectionLifetime.PerCall
        ? ConnectionsPerCallByDefault
        : options.Services.Methods.Count > 0 ? options.MinConnections // growth would drain connections that servers hold on to
        : Math.Max(options.MinConnections, Math.Min(ConnectionsByDefault, Environment.ProcessorCount));

    private static CredentialProvider? CredentialsOf(MuxChannelOptions options, MuxAddress address) => options.Credentials is { } credentials
        ? new CredentialProvider(credentials, RulesOf(options, address), options.HandshakeTimeout, options.TimeProvider)
        : null;

    private static CredentialRules RulesOf(MuxChannelOptions options, MuxAddress address) => new()
    {
        Address = address,
        IsOwnTransport = options.Transport is null or SocketTransport or EpollTransport or WebSocketTransport or TlsTransport or NamedPipeTransport,
        IsInProcess = options.Transport is InMemoryTransport,
        AllowPlaintext = options.AllowPlaintext,
        RequireChallenge = options.RequireChallenge,
    };

    private static PeerSettings Local(MuxOptions options) => Announced(EffectiveLimits.Of(options).Budgets) with
    {
        ReadsFingerprints = true,
        ReadsStreamMetadata = true,
        ReadsItemWindows = true,
        MaxFramePayload = options.MaxFramePayload,
        MaxMessage = options.MaxMessageBytes,
        MaxMetadata = options.MaxMetadataBytes,
        StreamCredit = options.StreamWindowBytes,
        BulkCredit = Math.Min(FirstBulkCredit, options.MaxBulkBytesInFlight),
        KeepAliveMilliseconds = Milliseconds(options.KeepAliveTime),
        IdleMilliseconds = Milliseconds(options.IdleTimeout),
        PeerName = options.PeerName,
        InstanceId = s_instanceId,
    };

    /// <summary>Announces the budgets whose violation ends a connection, so that a peer can respect them. Unbounded ones are not announced.</summary>
    public static PeerSettings Announced(BudgetLimits budgets) => new()
    {
        ControlFrames = Announced(budgets.ControlFrames),
        TinyFrames = Announced(budgets.TinyFrames),
        PingIntervalMilliseconds = budgets.PingStrikes == BudgetLimits.Unbounded ? 0 : (int)(budgets.PingInterval / Clock.MicrosecondsPerMillisecond),
        PrematureCancels = Announced(budgets.PrematureCancels),
    };

    private static int Announced(long budget) => budget == BudgetLimits.Unbounded ? 0 : (int)budget; // options allow at most 1,000,000,000

    private static ConnectionOptions Connection(MuxOptions options, PeerSettings local) => new()
    {
        Local = local,
        UnsentLimit = options.MaxUnsentBytes,
        BulkUnsentLimit = Math.Max(options.MaxUnsentBytes, LargestWaiting * options.MaxMessageBytes),
        StreamLimit = options.MaxStreamBytes,
        ReassemblyLimit = options.MaxReassemblyBytes,
        BulkLimit = options.MaxBulkBytesInFlight,
        HandshakeTimeout = Clock.Microseconds(options.HandshakeTimeout),
        KeepAliveTime = Clock.Microseconds(options.KeepAliveTime),
        KeepAliveTimeout = Clock.Microseconds(options.KeepAliveTimeout),
        IdleTimeout = Clock.Microseconds(options.IdleTimeout),
        StallTimeout = Clock.Microseconds(options.StallTimeout),
        Pool = PoolOf(options.Transport),
        Budgets = EffectiveLimits.Of(options).Budgets,
    };

    /// <summary>
    /// A send to a socket is a system call, which threads of the pool share. Elsewhere it may cost nothing, and a test that pumps expects it at once.
    /// </summary>
    private static ProcessPoolQueue? PoolOf(ITransport? transport) =>
        transport is null or SocketTransport or EpollTransport or TlsTransport or WebSocketTransport ? ProcessPoolQueue.Instance : null;

    private static int Milliseconds(TimeSpan duration) => duration == Timeout.InfiniteTimeSpan ? 0 : (int)duration.TotalMilliseconds;
}
