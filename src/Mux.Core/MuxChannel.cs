using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Client;
using Mux.Contracts;
using Mux.Discovery;
using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux;

/// <summary>
/// Connects a client to a service: creates proxies, and carries their calls over one or more connections to one or more servers. The channel connects at the
/// first call. After the connection to a single server is lost, it connects again at the next call; connections to several servers are kept.
/// </summary>
/// <remarks>
/// Create one channel per service, keep it, and dispose it. One that is dropped instead, with its proxies and routes,
/// keeps its connections until the process ends. The event <c>ChannelDropped</c> (2021) tells that when the garbage
/// collector finds it, once a minute with a count. Safe for concurrent use.
/// </remarks>
public sealed class MuxChannel : IAsyncDisposable, IDisposable
{
    // A channel is dropped once, so those with the same log share a limit.
    private static readonly ConditionalWeakTable<ILoggerFactory, RateLimit> s_droppedLogs = [];

    private readonly RateLimit _droppedLog;
    private readonly DialingRoute _route;
    private readonly CallInvoker _invoker;
    private readonly MuxAddress? _address;
    private readonly MissedContext? _missedContext; // null if no handler of this side could miss it
    private int _inheritsDeadlines; // 1 while this channel is a user of AmbientCall

    private MuxChannel(MuxChannelOptions options, ILoggerFactory? loggerFactory)
    {
        Tracing.Watch();
        var loggers = loggerFactory ?? NullLoggerFactory.Instance;
        _droppedLog = s_droppedLogs.GetValue(loggers, static _ => new RateLimit(TimeSpan.FromMinutes(1)));
        Name = options.Name;
        var target = options.Endpoints is null ? EndpointTarget.Parse(options.Address) : null;
        _address = target?.Single;
        _route = _address is not null
            ? RouteTo(EngineSettings.Of(options, loggers, _address), options.Lifetime)
            : new EndpointRouter(EngineSettings.RouterOf(options, loggers, options.Endpoints ?? target!.CreateSource()!));
        _invoker = new RouteInvoker(_route, this);
        if (options.Filters.Count > 0)
        {
            var seen = new FilterSettings(options.Endpoints is null ? options.Address : Name, options.CallTimeout, options.InheritDeadlines);
            _invoker = new FilteringInvoker(_invoker, options.Filters.Bind(_route.Clock), seen);
        }

        if (options.InheritDeadlines)
        {
            _inheritsDeadlines = 1; // last: a channel whose constructor threw is never disposed, and only that would release it
            AmbientCall.Use();
        }

        if (options.Services.Served.Count > 0 && !options.EnableCallContext)
        {
            _missedContext = new MissedContext(new NonThrowingLogger(loggers.CreateLogger("Mux.Client")), "client");
            _missedContext.Watch();
        }

        if (options.KeepConnected) _route.Dial();
    }

    /// <summary>Gets the name of the channel in logs and metrics; <c>default</c> if the options set none.</summary>
    public string Name { get; }

    /// <summary>Gets the address to which the channel connects.</summary>
    /// <exception cref="InvalidOperationException">The channel has several servers: see <see cref="GetEndpoints"/>.</exception>
    public MuxAddress Address => _address
        ?? throw new InvalidOperationException($"The channel '{Name}' has no single address: GetEndpoints() returns the servers that it knows.");

    /// <summary>Gets the servers that the channel knows at this moment, and their state.</summary>
    /// <returns>One server for a channel with a single address. Empty before the source has reported a set, which the first call or
    /// <see cref="ConnectAsync(CancellationToken)"/> asks for.</returns>
    public IReadOnlyList<MuxEndpointStatus> GetEndpoints() => _route.GetEndpoints();

    /// <summary>Reads what happens to the servers of the channel from now on.</summary>
    /// <param name="cancellationToken">Ends the watch.</param>
    /// <returns>The events, in order. The channel keeps 256 of them for each reader; a slower one misses the oldest, and
    /// <see cref="MuxEndpointEvent.Missed"/> says how many. Ends when the channel is disposed.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public IAsyncEnumerable<MuxEndpointEvent> WatchEndpointsAsync(CancellationToken cancellationToken = default) => _route.Events.WatchAsync(cancellationToken);

    /// <summary>Creates a channel. It connects at the first call.</summary>
    /// <param name="address">See <see cref="MuxOptions.Address"/>.</param>
    /// <exception cref="ArgumentException">The address is not valid.</exception>
    public static MuxChannel Create(string address) => Create(new MuxChannelOptions { Address = address });

    /// <summary>Creates a channel. It connects at the first call, or at once with <see cref="MuxChannelOptions.KeepConnected"/>.</summary>
    /// <param name="options">The options; later changes have no effect.</param>
    /// <param name="loggerFactory">The loggers of the channel; null to log nothing.</param>
    /// <exception cref="ArgumentException">At least one option is invalid; the message names all of them.</exception>
    public static MuxChannel Create(MuxChannelOptions options, ILoggerFactory? loggerFactory = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.ThrowIfInvalid();
        return new MuxChannel(options, loggerFactory);
    }

    /// <summary>Creates a channel and opens its connections.</summary>
    /// <inheritdoc cref="ConnectAsync(MuxChannelOptions, ILoggerFactory, CancellationToken)"/>
    public static Task<MuxChannel> ConnectAsync(string address, CancellationToken cancellationToken = default) =>
        ConnectAsync(new MuxChannelOptions { Address = address }, null, cancellationToken);

    /// <summary>Creates a channel and opens its connections.</summary>
    /// <exception cref="ArgumentException">At least one option is invalid; the message names all of them.</exception>
    /// <exception cref="MuxException">A connection could not be opened (<see cref="MuxStatus.Unavailable"/>), or the server rejected the channel's credential
    /// (<see cref="MuxStatus.Unauthenticated"/>). The new channel is disposed.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled. The new channel is disposed.</exception>
    public static async Task<MuxChannel> ConnectAsync(
        MuxChannelOptions options, ILoggerFactory? loggerFactory = null, CancellationToken cancellationToken = default)
    {
        var channel = Create(options, loggerFactory);
        try
        {
            await channel.ConnectAsync(cancellationToken).ConfigureAwait(false);
            return channel;
        }
        catch
        {
            await channel.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>
    /// Opens all connections now, so that the first calls do not wait for them, and waits until <see cref="MuxChannelOptions.OnOpened"/> has ended once.
    /// With <see cref="MuxConnectionLifetime.PerCall"/>, opens one connection and lets
    /// the server end it: that shows that the server takes calls.
    /// </summary>
    /// <exception cref="MuxException">A connection could not be opened or OnOpened failed (<see cref="MuxStatus.Unavailable"/>), or the server rejected the
    /// channel's credential (<see cref="MuxStatus.Unauthenticated"/>). The channel stays usable: the next call tries again.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled. The channel continues to connect.</exception>
    public async Task ConnectAsync(CancellationToken cancellationToken = default)
    {
        if (await _route.OpenWholeAsync(cancellationToken).ConfigureAwait(false) is not { } failure) return;
        var (endpoint, end) = failure;
        var text = end.Text.Contains(endpoint, StringComparison.Ordinal) ? end.Text : $"Cannot connect to {endpoint}: {end.Text}";
        var status = end.Reason == CloseReason.AuthFailed ? MuxStatus.Unauthenticated : MuxStatus.Unavailable;
        throw new MuxException(status, MuxExecution.NotExecuted, MuxCallPhase.Connect, endpoint, text, end.Error);
    }

    /// <summary>
    /// Creates a proxy of a contract. Creating one is cheap. A proxy has no state, is safe for concurrent use, and is valid until the channel is disposed.
    /// </summary>
    /// <typeparam name="TService">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <exception cref="InvalidOperationException">The interface is not a contract.</exception>
    public TService CreateProxy<TService>()
        where TService : class => ServiceContract<TService>.Get().CreateProxy(_invoker);

    /// <summary>
    /// Prepares calls of a method by its name, with messages that are encoded already. Keep the caller: each different method takes memory until the process
    /// ends, and a process has at most 16,384.
    /// </summary>
    /// <param name="service">Wire name of the service.</param>
    /// <param name="method">Wire name of the method.</param>
    /// <param name="shape">The messages in each direction. A server refuses calls with another shape than that of its contract.</param>
    /// <param name="format">Name of the format of the messages, for errors.</param>
    /// <exception cref="ArgumentException">A name is empty, too long or has a slash, or there is no such shape.</exception>
    /// <exception cref="InvalidOperationException">The process calls too many different methods by name.</exception>
    public RawCaller CreateRawCaller(
        string service, string method, MethodShape shape = MethodShape.Unary, string format = MethodDescriptor.DefaultFormat)
    {
        ArgumentException.ThrowIfNullOrEmpty(service);
        ArgumentException.ThrowIfNullOrEmpty(method);
        return new RawCaller(_invoker, RawMethods.Get(service, method, shape, format));
    }

    /// <summary>What carries its calls.</summary>
    internal DialingRoute Route => _route;

    /// <summary>Counters of all connections.</summary>
    internal ConnectionLedger Ledger => _route.Ledger;

    /// <summary>Gets the statistics of the channel since it was created.</summary>
    public MuxStatistics GetStatistics()
    {
        var totals = Ledger.Sum();
        return new MuxStatistics(totals)
        {
            CallsStarted = totals.CallsStarted,
            CallsCompleted = totals.Calls.Total,
            CallsWaiting = totals.WaitingCalls,
            ReverseCallsStarted = totals.RequestsStarted,
            ReverseCallsCompleted = totals.Requests.Total,
        };
    }

    /// <summary>
    /// Rejects further calls, and waits for open calls up to <see cref="MuxOptions.DrainTimeout"/>. Then fails the remaining calls and closes the connections.
    /// </summary>
    public ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        ReleaseAmbient();
        return _route.DisposeAsync();
    }

    /// <summary>
    /// Rejects further calls, fails open calls within a few milliseconds, and closes the connections. Returns without waiting. For code that cannot await, such
    /// as a container that is disposed synchronously. Prefer <see cref="DisposeAsync"/>, which lets open calls finish.
    /// </summary>
    public void Dispose()
    {
        GC.SuppressFinalize(this);
        ReleaseAmbient();
        _route.Dispose();
    }

#pragma warning disable MA0055 // it only tells, and nothing else can see that the last reference is gone
    /// <summary>Warns: nothing can dispose the channel any longer, and no proxy can use it. Connections stay.</summary>
    ~MuxChannel() => _route?.OnDropped(_droppedLog); // null if the constructor has thrown
#pragma warning restore MA0055

    private static DialingRoute RouteTo(ChannelSettings settings, MuxConnectionLifetime lifetime) =>
        lifetime == MuxConnectionLifetime.PerCall ? new PerCallRoute(settings) : new ChannelRoute(settings);

    private void ReleaseAmbient()
    {
        _missedContext?.End();
        if (Interlocked.Exchange(ref _inheritsDeadlines, 0) == 1) AmbientCall.Release();
    }
}
