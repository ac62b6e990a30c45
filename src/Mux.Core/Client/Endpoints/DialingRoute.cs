using Microsoft.Extensions.Logging;
using Mux.Calls;
using Mux.Contracts;
using Mux.Discovery;
using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Client;

/// <summary>Carries the calls of a channel over connections that it dials: what the routes to one address and to many share. Safe for concurrent use.</summary>
internal abstract class DialingRoute : CallRoute, IAsyncDisposable
{
    private readonly MeteredEndpoint _metered;
    private readonly CallRepeats _repeats;
    private readonly UnreachedCalls _unreached;
    private readonly ContractDifferences _differences;
    private readonly RateLimit _blockedLog = new();
    private readonly RateLimit _oneWayLog = new();
    private readonly RateLimit _continuationLog = new();
    private readonly MethodRateLimits _callbackLogs = new(); // a server can make callbacks throw

    /// <param name="settings">The settings of the channel.</param>
    /// <param name="hasOthers">True if calls can go to several servers.</param>
    protected DialingRoute(ChannelSettings settings, bool hasOthers)
        : base(settings.Calls, settings.Callers.Ledger)
    {
        Settings = settings;
        Events = new EndpointEvents(settings.Calls.Clock.Provider);
        _differences = new ContractDifferences(settings.Calls.Clock);
        _repeats = new CallRepeats(this, settings, hasOthers);
        _unreached = new UnreachedCalls(this, settings.Connection.WaitingLimit, settings.HoldTime);
        Ledger.CallsHeld = () => _repeats.Held + HeldInOrder + _unreached.Count;
        _metered = new MeteredEndpoint(Ledger, settings.Calls.Clock, () => settings.Callers.Methods, settings.Tags)
        {
            ReverseMethods = () => settings.Served,
            RetryBudget = () => _repeats.BudgetLeft,
            KeptBytes = () => KeptBytes.Used,
            Keys = settings.Keys,
            Endpoints = hasOthers ? () => CountEndpoints() : null,
        };
        settings.Metrics.AddClient(_metered);
        Durations.Log.Watch();
        settings.Handlers?.Log.Watch();
    }

    /// <summary>What happens to the endpoints of the channel.</summary>
    public EndpointEvents Events { get; }

    /// <summary>The failure of calls that come after the end of the channel, or wait outside all connections when it ends.</summary>
    protected static CallFailure Disposed { get; } =
        new(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Queue, "The channel is disposed.");

    protected ChannelSettings Settings { get; }

    /// <summary>True if a call would find a connection that is open. Any thread.</summary>
    public virtual bool IsReached => true;

    /// <summary>True if calls wait because a server was lost: it must be dialed although no new call asks for it.</summary>
    protected bool HoldsUnsent => _unreached.Count > 0;

    /// <summary>Number of calls that wait for earlier ones of their keys. Any thread.</summary>
    protected virtual int HeldInOrder => 0;

    /// <summary>Gets the endpoints at present.</summary>
    public abstract IReadOnlyList<MuxEndpointStatus> GetEndpoints();

    /// <summary>Begins to connect without a call. A route whose connections end with their calls does nothing.</summary>
    public virtual void Dial()
    {
    }

    /// <summary>Opens the connections of the channel.</summary>
    /// <returns>Null, or why it cannot be used at present.</returns>
    public abstract Task<OpeningFailure?> OpenAsync(CancellationToken cancellationToken);

    /// <summary>Waits for <see cref="OpenAsync"/>, and until the user's code for a new connection has ended once.</summary>
    /// <inheritdoc cref="OpenAsync"/>
    public async Task<OpeningFailure?> OpenWholeAsync(CancellationToken cancellationToken)
    {
        // Asked before: the code may fail, and its connection be given up, before this learns that one is open. No other would come then.
        var run = Settings.Kept?.FirstRun;
        if (await OpenAsync(cancellationToken).ConfigureAwait(false) is { } failure) return failure;
        if (run is null || await run.WaitAsync(cancellationToken).ConfigureAwait(false) is not { } end) return null;
        return new OpeningFailure(EndpointOf(null), end);
    }

    public override CallPolicy? PolicyOf(MethodDescriptor method) => _repeats.PolicyOf(method);

    public override bool TryRepeat(OutgoingCall call, CallFailure failure) => _repeats.TryRepeat(call, failure);

    public override bool TryHedge(MethodDescriptor method) => _repeats.TryHedge(method);

    public override void Register(MethodDescriptor method) => Settings.Callers.Register(method);

    public override void OnUserCodeFailed(Exception error) =>
        TellFailed("the code after a call, or a callback of a cancellation token", _continuationLog, error);

    public override void OnCallbackFailed(MethodDescriptor method, string callback, Exception error) => TellFailed(
        $"the callback {callback} of a call of {method.FullName}", _callbackLogs.Of(method), error);

    public override void OnOneWayFailed(MethodDescriptor method, CallFailure failure)
    {
        base.OnOneWayFailed(method, failure);
        // Not in a turn, which must not wait for a log.
        if (_oneWayLog.TryPass(Clock.Now, out int others)) ReportThread.TellOnPool(() => TellOneWayFailed(method, failure, others));
    }

    /// <summary>Nothing refers to the channel any longer, and it was not disposed. On the thread of finalizers, which must not wait for a log.</summary>
    /// <param name="limit">Shared with other channels: code that drops one will drop many.</param>
    public void OnDropped(RateLimit limit)
    {
        if (!limit.TryPass(Clock.Now, out int others)) return;
        ReportThread.TellOnPool(() => ClientLog.ChannelDropped(
            Settings.Logger, Settings.Name, EndpointOf(null), Ledger.Sum().OpenConnections, others));
    }

    /// <summary>A method has other messages at an endpoint.</summary>
    public void OnContractDiffers(string endpoint, MethodDescriptor method, string messages) =>
        _differences.Tell(method, others => ClientLog.ContractDiffers(Settings.Logger, Settings.Name, endpoint, messages, method.FullName, others));

    /// <summary>User code blocked a receiving thread: see <see cref="IPoolOwner.OnBlocked"/>.</summary>
    public void OnBlocked(Placement? code, bool refused)
    {
        if (_blockedLog.TryPass(Clock.Now, out int others)) ExecutionLog.Blocked(Settings.Logger, code, refused, others);
    }

    /// <inheritdoc/>
    public override void OnStalled(WorkStall stall) => ExecutionLog.Stalled(Settings.Logger, stall);

    /// <summary>A connection is open: starts the calls that wait for one.</summary>
    public void OnReached()
    {
        _unreached.OnReached();
        _repeats.OnReached();
    }

    /// <summary>Starts calls that no connection has, in order.</summary>
    /// <param name="calls">Linked by <see cref="OutgoingCall.Next"/>.</param>
    public void RestartAll(OutgoingCall? calls)
    {
        while (calls is { } call)
        {
            calls = call.Next;
            call.Next = null;
            StartAgain(call);
        }
    }

    /// <summary>Ends a call that a connection could not send, while no other one is open: it waits for a server that restarts, or fails.</summary>
    protected void HoldOrFail(OutgoingCall call, CallFailure failure)
    {
        if (!_unreached.TryHold(call, failure)) FailOutside(call, failure);
    }

    /// <summary>Fails a call that no connection has.</summary>
    public void FailOutside(OutgoingCall call, CallFailure failure)
    {
        Ledger.CountOutside(call.Method, failure.Status);
        CallHolder.Fail(call, failure);
    }

    /// <inheritdoc cref="ConnectionPool.DisposeAsync"/>
    public async ValueTask DisposeAsync()
    {
        EndHeld();
        await DisposePoolsAsync().ConfigureAwait(false);
        EndTelemetry();
    }

    /// <inheritdoc cref="ConnectionPool.Dispose"/>
    public void Dispose()
    {
        EndHeld();
        DisposePools();
        EndTelemetry();
    }

    /// <summary>Counts the endpoints, for metrics, if there are several. Called from any thread, also before the constructor has ended.</summary>
    protected virtual EndpointCounts CountEndpoints() => default;

    protected override void OnKept() => _repeats.OnKept();

    protected abstract ValueTask DisposePoolsAsync();

    protected abstract void DisposePools();

    private void TellFailed(string code, RateLimit limit, Exception error)
    {
        var level = limit.Temper(LogLevel.Error, Clock.Now, out var others);
        ClientLog.ContinuationFailed(Settings.Logger, level, Settings.Name, code, others, error);
    }

    private void TellOneWayFailed(MethodDescriptor method, CallFailure failure, int others) =>
        ClientLog.OneWayCallFailed(Settings.Logger, Settings.Name, failure.Describe(method, EndpointOf(null)), others);

    private void EndHeld()
    {
        _repeats.Dispose();
        _unreached.Close();
        UnsentCalls.FailAll(this, _unreached.TakeAll(), Disposed);
    }

    private void EndTelemetry()
    {
        Settings.Kept?.Close();
        Events.Complete();
        Settings.Metrics.Remove(_metered);
        Durations.Log.Unwatch();
        Settings.Handlers?.Log.Unwatch();
    }
}
