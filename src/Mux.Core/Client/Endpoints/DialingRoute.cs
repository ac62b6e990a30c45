using System.Threading.Channels;
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

/// <summary>
/// Calls that were not sent because the server was lost a moment ago: one that restarts is back within a second or two. They wait until a server is reached, or
/// until <see cref="MuxResilience.HoldTime"/> has passed since the first of them found none; then they fail as they would have, and so do later ones at once. A
/// channel that has never reached a server holds no call: an address that is wrong shows at once. Safe for concurrent use.
/// </summary>
/// <param name="route">The route of the calls.</param>
/// <param name="byteLimit">Most bytes that wait.</param>
/// <param name="holdTime">Microseconds for which they wait; 0 for not at all.</param>
internal sealed class UnreachedCalls(DialingRoute route, long byteLimit, long holdTime) : WaitingCalls(route, byteLimit)
{
    private static readonly CallFailure s_expired = new(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, MuxCallPhase.Connect,
        "The deadline passed while no server could be reached. The channel holds such calls for a while (HoldTime).")
    {
        IsOwnDeadline = true,
    };

    private readonly DialingRoute _route = route;
    private volatile CallFailure? _last; // what they fail with when the time is over
    private volatile bool _wasReached;
    private long _since = Clock.Never; // when the first call found no server

    protected override MuxCallPhase Phase => MuxCallPhase.Connect;

    protected override CallFailure Expired =>
        _last is { } last ? RequestFailures.AfterAttempt(s_expired, last.Text, last.Phase != MuxCallPhase.Connect) : s_expired;

    protected override long OverAt => Volatile.Read(ref _since) is not Clock.Never and var since ? since + holdTime : Clock.Never;

    /// <summary>Lets a call wait that a connection has given back because it could not send it.</summary>
    /// <param name="call">The call, with its body.</param>
    /// <param name="failure">What it fails with if no server is reached in time.</param>
    /// <returns>False if it must fail now.</returns>
    public bool TryHold(OutgoingCall call, CallFailure failure)
    {
        if (holdTime == 0 || !_wasReached) return false;
        long now = _route.Clock.Now, since = Interlocked.CompareExchange(ref _since, now, Clock.Never);
        if (since != Clock.Never && now - since >= holdTime) return false;
        _last = failure;
        if (!TryAddGivenBack(call)) return false;
        // A server that was reached since is perhaps away again, and this call was not seen here: it must not wait without a limit.
        if (Interlocked.CompareExchange(ref _since, now, Clock.Never) == Clock.Never) RequestTick();
        if (_route.IsReached) OnReached(); // a moment ago, and this call was not seen here
        else _route.Dial();
        return true;
    }

    /// <summary>A server is reached: the calls start again.</summary>
    public void OnReached()
    {
        _wasReached = true;
        Volatile.Write(ref _since, Clock.Never);
        if (Count > 0) _route.RestartAll(TakeAll());
    }

    protected override void OnTimeOver() => FailAll(_last!);

    protected override string DescribeFull(int calls, long bytes, long byteLimit) =>
        $"{calls} calls wait with {bytes} bytes for a server that cannot be reached (HoldTime); MaxQueuedBytes allows {byteLimit}. Make fewer calls " +
        "concurrently, or raise MaxQueuedBytes of the channel.";
}

/// <summary>Passes events of endpoints to their watchers. Costs nothing while there are none. Safe for concurrent use.</summary>
internal sealed class EndpointEvents(TimeProvider time)
{
    /// <summary>Events that wait for one reader. A slow one misses the oldest, and the next event that it reads says how many.</summary>
    public const int MostWaiting = 256;

    private readonly Lock _gate = new();
    private Watcher[] _watchers = []; // replaced under the lock
    private bool _isCompleted; // under the lock

    /// <summary>Reports a change.</summary>
    public void Add(MuxEndpointChange change, MuxEndpoint endpoint, string reason = "")
    {
        var watchers = Volatile.Read(ref _watchers);
        if (watchers.Length == 0) return;
        var told = new MuxEndpointEvent(change, endpoint) { At = time.GetUtcNow(), Reason = reason };
        foreach (var watcher in watchers) watcher.Add(told);
    }

    /// <summary>Ends all watches: the channel is disposed.</summary>
    public void Complete()
    {
        lock (_gate)
        {
            _isCompleted = true;
            foreach (var watcher in _watchers) watcher.Complete();
            _watchers = [];
        }
    }

    /// <summary>Reads events from now on, until the channel is disposed or the token is cancelled.</summary>
    public async IAsyncEnumerable<MuxEndpointEvent> WatchAsync([System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken)
    {
        var watcher = new Watcher();
        lock (_gate)
        {
            if (_isCompleted) yield break;
            Volatile.Write(ref _watchers, [.. _watchers, watcher]);
        }

        try
        {
            await foreach (var told in watcher.Reader.ReadAllAsync(cancellationToken).ConfigureAwait(false))
            {
                yield return told with { Missed = watcher.TakeMissed() };
            }
        }
        finally
        {
            lock (_gate) Volatile.Write(ref _watchers, [.. _watchers.Where(other => other != watcher)]);
        }
    }

    private sealed class Watcher
    {
        private readonly Channel<MuxEndpointEvent> _events;
        private int _missed;

        public Watcher() => _events = Channel.CreateBounded<MuxEndpointEvent>(
            new BoundedChannelOptions(MostWaiting) { FullMode = BoundedChannelFullMode.DropOldest, SingleReader = true },
            _ => Interlocked.Increment(ref _missed));

        public ChannelReader<MuxEndpointEvent> Reader => _events.Reader;

        public void Add(MuxEndpointEvent told) => _events.Writer.TryWrite(told);

        public void Complete() => _events.Writer.TryComplete();

        public int TakeMissed() => Interlocked.Exchange(ref _missed, 0);
    }
}

/// <summary>Why a channel could not be opened.</summary>
/// <param name="Endpoint">The endpoint that failed, or the source that has reported none.</param>
/// <param name="End">The end of the connection.</param>
internal sealed record OpeningFailure(string Endpoint, ConnectionEnd End);
