using Microsoft.Extensions.Logging;
using Mux.Calls;
using Mux.Contracts;
using Mux.Diagnostics;
using Mux.Endpoints;
using Mux.Identity;
using Mux.Sessions.Budgets;
using Mux.Sessions.Setup;
using Mux.Timing;
using Mux.Transports;
using Mux.Transports.Epoll;
using Mux.Transports.Sockets;
using Mux.Transports.Streams;
using Mux.Transports.Tls;
using Mux.Transports.WebSockets;
using Mux.Wire;

namespace Mux;

/// <summary>Turns checked public options into what the engine is told.</summary>
internal static class EngineSettings
{
    /// <summary>How many of the largest messages may wait to be sent before calls wait and requests are parked.</summary>
    private const long LargestWaiting = 4;

    /// <summary>Bytes of large messages on their way before anything is known of the path: 10 Gbit/s at 0.8 ms.</summary>
    private const int FirstBulkCredit = 1024 * 1024;

    /// <summary>New at every start of the process: a peer can tell a restart from a reconnect.</summary>
    private static readonly Guid s_instanceId = Guid.NewGuid();

    public static ChannelSettings Of(MuxChannelOptions options, ILoggerFactory loggers)
    {
        var name = options.Name.Length > 0 ? options.Name : "default";
        var tag = new KeyValuePair<string, object?>(MetricNames.ClientNameTag, name);
        var metrics = MuxMetrics.For(options.MeterFactory);
        var clock = ClockOf(options);
        return new ChannelSettings
        {
            Name = name,
            Address = MuxAddress.Parse(options.Address),
            Transport = TransportOf(options, loggers),
            Connection = Connection(options, Local(options)) with
            {
                WaitingLimit = options.MaxQueuedBytes,
                Credentials = options.Credentials is { } credentials
                    ? new CredentialProvider(credentials, RulesOf(options), options.HandshakeTimeout, options.TimeProvider) : null,
            },
            Connections = options.MinConnections,
            DrainTimeout = Clock.Microseconds(options.DrainTimeout),
            MaxReconnectDelay = options.MaxReconnectDelay,
            Calls = new RouteSettings
            {
                Clock = clock,
                Deadline = Clock.Microseconds(options.CallTimeout),
                InheritsDeadlines = options.InheritDeadlines,
                Dispatch = options.Dispatch,
                Durations = new CallDurations(metrics.ClientCallDuration, clock, tag),
            },
            Tag = tag,
            Logger = new NonThrowingLogger(loggers.CreateLogger("Mux.Client")),
            Metrics = metrics,
        };
    }

    public static ConnectionOptions Of(MuxServerOptions options)
    {
        var local = Local(options) with { MaxCalls = options.MaxCallsPerConnection, MaxOrdinals = options.MaxMethodsPerConnection };
        return Connection(options, local) with
        {
            ExpiryGrace = Clock.Microseconds(options.DrainTimeout),
            ParkedLimit = options.MaxParkedBytes,
            RunningLimit = options.MaxRunningBytes,
            MaxDeadline = Clock.Microseconds(options.MaxCallTimeout)
        };
    }

    /// <summary>Who may connect to a server and what they may call; null if it asks nobody.</summary>
    /// <exception cref="InvalidOperationException">A contract asks for what the options do not have; the message names it.</exception>
    public static AdmissionControl? AdmissionOf(MuxServerOptions options, IReadOnlyCollection<MethodDescriptor> methods, Clock clock, ILogger logger)
    {
        if (options.Identity is not null) return new AdmissionControl(options.Identity, methods, clock, logger);
        AccessRules.ThrowIfAsked(methods);
        return null;
    }

    /// <summary>
    /// The transport of the options, or what the address asks for: TLS, named pipes, WebSockets, or the fastest sockets that the operating system has.
    /// </summary>
    public static ITransport TransportOf(MuxOptions options, ILoggerFactory loggers)
    {
        if (options.Transport is { } chosen) return chosen;
        var logger = loggers.CreateLogger("Mux.Transport");
        var scheme = MuxAddress.TryParse(options.Address, out var address, out _) ? address.Scheme : null;
        if (scheme == MuxAddress.PipeScheme) return new NamedPipeTransport(logger, options.TimeProvider);
        if (scheme is MuxAddress.WebSocketScheme or MuxAddress.SecureWebSocketScheme) return new WebSocketTransport();
        if (scheme == MuxAddress.TlsScheme)
        {
            return new TlsTransport((options as MuxServerOptions)?.Tls, (options as MuxChannelOptions)?.Tls, logger, options.TimeProvider);
        }

        return EpollTransport.IsSupported ? EpollTransport.OnSharedLoops(logger, options.TimeProvider)
            : new SocketTransport(new SocketTransportOptions(), logger, options.TimeProvider);
    }

    /// <summary>
    /// The connections of a server, as many of them as the process may open sockets. A server that has none left cannot even say so: the runtime ends the
    /// process when it needs a file and gets none.
    /// </summary>
    /// <param name="options">Of the server.</param>
    /// <param name="transport">What it accepts by.</param>
    /// <param name="openFiles">See <see cref="OpenFileLimit.Read"/>.</param>
    /// <param name="logger">Told if there are fewer than the options ask for.</param>
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

    private static CredentialRules RulesOf(MuxChannelOptions options) => new()
    {
        Address = MuxAddress.Parse(options.Address),
        IsNetwork = options.Transport is null or SocketTransport or EpollTransport or WebSocketTransport,
        AllowPlaintext = options.AllowPlaintext,
        RequireChallenge = options.RequireChallenge,
    };

    private static PeerSettings Local(MuxOptions options) => Announced(EffectiveLimits.Of(options).Budgets) with
    {
        ReadsFingerprints = true,
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

    /// <summary>The budgets that end a connection, so that a peer can keep within them. Those without a limit are not announced.</summary>
    public static PeerSettings Announced(BudgetLimits budgets) => new()
    {
        ControlFrames = Announced(budgets.ControlFrames),
        TinyFrames = Announced(budgets.TinyFrames),
        PingIntervalMilliseconds = budgets.PingStrikes == BudgetLimits.Unbounded ? 0 : (int)(budgets.PingInterval / Clock.MicrosecondsPerMillisecond),
        PrematureCancels = Announced(budgets.PrematureCancels),
    };

    private static int Announced(long budget) => budget == BudgetLimits.Unbounded ? 0 : (int)budget; // options allow 1,000,000,000

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
        Budgets = EffectiveLimits.Of(options).Budgets,
    };

    private static int Milliseconds(TimeSpan duration) => duration == Timeout.InfiniteTimeSpan ? 0 : (int)duration.TotalMilliseconds;
}
