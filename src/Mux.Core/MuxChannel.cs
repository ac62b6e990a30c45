using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Mux.Calls;
using Mux.Connections;
using Mux.Contracts;
using Mux.Diagnostics;
using Mux.Endpoints;
using Mux.Sessions.Lifecycle;
using Mux.Timing;

namespace Mux;

/// <summary>
/// A client's way to one endpoint: makes proxies, and carries their calls over a few connections that it opens on the first call and again after a loss. Create
/// one per endpoint and keep it; it is safe for concurrent use.
/// </summary>
public sealed class MuxChannel : IAsyncDisposable, IDisposable
{
    private readonly ChannelRoute _route;
    private readonly RouteInvoker _invoker;
    private int _inheritsDeadlines; // 1 until it is disposed, if its calls do

    private MuxChannel(MuxChannelOptions options, ILoggerFactory? loggerFactory)
    {
        Tracing.Watch();
        var loggers = loggerFactory ?? NullLoggerFactory.Instance;
        Name = options.Name;
        var settings = EngineSettings.Of(options, loggers);
        Address = settings.Address;
        _route = new ChannelRoute(settings);
        _invoker = new RouteInvoker(_route);
        if (!options.InheritDeadlines) return;
        _inheritsDeadlines = 1; // last: nobody would take it back for a channel that could not be made
        AmbientDeadline.Use();
    }

    /// <summary>The name given in the options.</summary>
    public string Name { get; }

    /// <summary>The address the channel connects to.</summary>
    public MuxAddress Address { get; }

    /// <summary>Creates a channel. Nothing is connected before the first call.</summary>
    /// <param name="address">See <see cref="MuxOptions.Address"/>.</param>
    /// <exception cref="ArgumentException">The address is none.</exception>
    public static MuxChannel Create(string address) => Create(new MuxChannelOptions { Address = address });

    /// <summary>Creates a channel. Nothing is connected before the first call.</summary>
    /// <param name="options">Read now; later changes have no effect.</param>
    /// <param name="loggerFactory">Null for no logs.</param>
    /// <exception cref="ArgumentException">An option is wrong; the message names all that are.</exception>
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
    /// <exception cref="ArgumentException">An option is wrong; the message names all that are.</exception>
    /// <exception cref="MuxException">A connection could not be opened (<see cref="MuxStatus.Unavailable"/>), or the server does not take the channel's
    /// credential (<see cref="MuxStatus.Unauthenticated"/>); nothing is left behind.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing is left behind.</exception>
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

    /// <summary>Opens all connections now, so that the first calls need not wait for them.</summary>
    /// <exception cref="MuxException">One could not be opened (<see cref="MuxStatus.Unavailable"/>), or the server does not take the channel's credential
    /// (<see cref="MuxStatus.Unauthenticated"/>). The channel stays usable: the next call tries again.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled. Connecting goes on.</exception>
    public async Task ConnectAsync(CancellationToken cancellationToken = default)
    {
        if (await _route.Pool.OpenAllAsync(cancellationToken).ConfigureAwait(false) is not { } end) return;
        var text = end.Text.Contains(_route.Pool.Endpoint, StringComparison.Ordinal) ? end.Text : $"Cannot connect to {_route.Pool.Endpoint}: {end.Text}";
        var status = end.Reason == CloseReason.AuthFailed ? MuxStatus.Unauthenticated : MuxStatus.Unavailable;
        throw new MuxException(status, MuxExecution.NotExecuted, MuxCallPhase.Connect, _route.Pool.Endpoint, text, end.Error);
    }

    /// <summary>Makes a proxy of a contract. Cheap, stateless, safe for concurrent use; valid as long as the channel.</summary>
    /// <typeparam name="TService">An interface with <see cref="MuxServiceAttribute"/>.</typeparam>
    /// <exception cref="InvalidOperationException">The interface is not a contract.</exception>
    public TService CreateProxy<TService>()
        where TService : class => ServiceContract<TService>.Get().CreateProxy(_invoker);

    /// <summary>The books of its connections.</summary>
    internal ConnectionLedger Ledger => _route.Ledger;

    /// <summary>What the channel has done so far.</summary>
    public MuxStatistics GetStatistics()
    {
        var totals = Ledger.Sum();
        return new MuxStatistics(totals) { CallsStarted = totals.CallsStarted, CallsCompleted = totals.Calls.Total, CallsWaiting = totals.WaitingCalls };
    }

    /// <summary>
    /// Takes no further calls, waits for open calls up to <see cref="MuxOptions.DrainTimeout"/>, fails those that are left, and closes the connections.
    /// </summary>
    public ValueTask DisposeAsync()
    {
        ReleaseDeadlines();
        return _route.DisposeAsync();
    }

    /// <summary>
    /// Takes no further calls, fails those that are open within some milliseconds, and closes the connections; waits for nothing. For owners that cannot await,
    /// such as a container that is disposed synchronously: prefer <see cref="DisposeAsync"/>, which lets open calls finish.
    /// </summary>
    public void Dispose()
    {
        ReleaseDeadlines();
        _route.Dispose();
    }

    private void ReleaseDeadlines()
    {
        if (Interlocked.Exchange(ref _inheritsDeadlines, 0) == 1) AmbientDeadline.Release();
    }
}
