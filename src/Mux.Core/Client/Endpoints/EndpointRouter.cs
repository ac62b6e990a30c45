using Microsoft.Extensions.Logging;
using Mux.Calls;
using Mux.Discovery;
using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Client;

/// <summary>
/// Carries the calls of a channel to the endpoints that a source reports: gives each call to one of them, keeps connections to all, and gives calls that a
/// connection could not send to another. Safe for concurrent use.
/// </summary>
/// <remarks>Lock order: the table's lock, then a pool's, then a connection's. No call, source or log is touched under any of them.</remarks>
internal sealed class EndpointRouter : DialingRoute, IOrderedRoute
{
    /// <summary>
    /// Microseconds between the first and the last of several endpoints that open on healthy paths. Calls wait this long for the endpoint that they were given
    /// to, which keeps them spread; then they move to open ones. As for the connections of one pool.
    /// </summary>
    private const long OpeningSpread = 50_000;

    private readonly RouterSettings _settings;
    private readonly EndpointTable _table;
    private readonly UnroutedCalls _unrouted;
    private readonly EndpointFeed _feed;
    private readonly TaskCompletionSource _firstReport = new(TaskCreationOptions.RunContinuationsAsynchronously); // a set, or a failure
    private readonly RateLimit _panicLog = new(TimeSpan.FromSeconds(10));
    private int _isWatching; // 1 from the first call on, or from OpenAsync
    private OrderedCalls? _ordered; // created by the first call that keeps an order
    private volatile bool _isDisposed;

    public EndpointRouter(RouterSettings settings)
        : base(settings.Channel, hasOthers: true)
    {
        _settings = settings;
        _table = new EndpointTable(this, settings);
        _unrouted = new UnroutedCalls(this, settings.Channel.Connection.WaitingLimit);
        _feed = new EndpointFeed(settings.Source, Clock.Provider, Settings.Logger, Settings.Name, Apply) { OnFailed = OnSourceFailed };
    }

    /// <summary>What the endpoints are called as a whole.</summary>
    public string SourceName => _settings.Source.Name;

    /// <summary>The endpoints at present.</summary>
    public EndpointTable Table => _table;

    public override bool UsesKeys => true;

    public override bool IsReached => !_table.Set.Pickable.IsEmpty;

    public override int ServerCount => Math.Max(1, _table.States.Length);

    public override string EndpointOf(OutgoingCall? call) => call?.Holder?.PeerPlace ?? SourceName;

    public override IReadOnlyList<MuxEndpointStatus> GetEndpoints() => [.. _table.States.Select(static state => new MuxEndpointStatus(state.Endpoint)
    {
        IsOpen = state.IsOpen,
        IsLeaving = state.IsLeaving,
        IsEjected = state.Ejection.IsEjected,
        Calls = state.Load,
        Connections = state.Pool.Slots.Count(static slot => slot.Current is not null),
        Failure = state.Failure?.Text,
    })];

    public override void Start(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        if (_table.IsResting) Wake();
        if (call.KeepsOrder) StartInOrder(call, body);
        else StartAnywhere(call, body);
    }

    private void StartAnywhere(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        var own = OwnEndpoint();
        var avoided = call.Kept?.Avoided is { } tried ? _table.Find(tried) : null;
        var key = new CallKey(call.Key);
        var pause = default(SpinWait); // while another thread that ended a connection has not yet taken it out of its slot
        while (true)
        {
            if (_table.Pick(call, own, key, avoided) is { } endpoint)
            {
                if (endpoint.TryStart(call, body)) return;
            }
            else if (TryWait(call, body))
            {
                return;
            }

            pause.SpinOnce();
        }
    }

    /// <inheritdoc/>
    public PooledConnection? Choose(OutgoingCall call)
    {
        var set = _table.Set;
        if (_isDisposed || (set.IsCut && set.Of(call.Priority).Pickable.IsEmpty)) return null;
        var avoided = call.Kept?.Avoided is { } tried ? _table.Find(tried) : null;
        var endpoint = _table.Pick(call, own: null, new CallKey(call.Key), avoided) ?? FindToWait(set);
        return endpoint?.Choose(call.Key);
    }

    public override void Dial() => Watch();

    public override async Task<OpeningFailure?> OpenAsync(CancellationToken cancellationToken)
    {
        Watch();
        await _firstReport.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        if (!_table.IsKnown && _feed.LastFailure is { } error) // not the first report: a source that failed first may have recovered
        {
            return new(SourceName, new ConnectionEnd(CloseReason.ConnectFailed, $"The endpoints of {SourceName} are not known: {error.Message}", error));
        }

        var states = _table.States;
        if (states.Length == 0) return new(SourceName, new ConnectionEnd(CloseReason.ConnectFailed, $"{SourceName} has no endpoints at present."));
        var ends = await Task.WhenAll(states.Select(state => state.Pool.OpenAllAsync(cancellationToken))).ConfigureAwait(false);
        return Array.Exists(ends, end => end is null) ? null : new(states[0].Name, ends[0]!); // the others continue to dial
    }

    /// <summary>A connection of an endpoint is open.</summary>
    public void OnOpened(EndpointState opened)
    {
        foreach (var added in _table.OnOpened(opened)) added.Pool.DialFirstEmpty();
        if (opened.TryTell(isOpen: true)) Events.Add(MuxEndpointChange.Opened, opened.Endpoint);
        long due = Clock.Now + OpeningSpread;
        foreach (var other in _table.States)
        {
            if (other != opened && !other.IsOpen) other.Pool.WithdrawUnopened(due);
        }

        OnReached();
    }

    /// <summary>A connection of an endpoint takes no more calls.</summary>
    public void OnLeft(EndpointState state, PooledConnection pooled, ConnectionEnd? failure)
    {
        foreach (var other in _table.OnLeft(state, failure, pooled.WasOfUse(Clock.Now))) other.Pool.DialFirstEmpty();
        if (_isDisposed || !_table.Has(state)) return;
        if (!state.IsOpen && state.TryTell(isOpen: false)) Events.Add(MuxEndpointChange.Closed, state.Endpoint, failure?.Text ?? string.Empty);
        else if (failure is not null && !pooled.IsOpen) Events.Add(MuxEndpointChange.ConnectFailed, state.Endpoint, failure.Text);
        state.Pool.DialFirstEmpty(); // after the pause that the pool keeps: an endpoint that is not open gets no calls, so no call would dial it
        if (failure is not null) _feed.RequestRefresh();
    }

    /// <summary>A server told which calls it refuses. In the turn of the connection.</summary>
    /// <param name="state">The endpoint.</param>
    /// <param name="pooled">The connection.</param>
    /// <param name="takesNothing">True if calls that wait to be sent there must go to others.</param>
    public void OnLease(EndpointState state, PooledConnection pooled, bool takesNothing)
    {
        _table.OnRefusals(state);
        if (takesNothing && _table.HasStaying) pooled.Connection.HandBackWaiting(); // without others they stay: the server still serves
    }

    /// <inheritdoc/>
    public override void OnAttemptFailed(OutgoingCall call, CallFailure failure)
    {
        if (failure.IsCallerCancel || call.Holder?.Owner is not PooledConnection { Pool.Owner: EndpointState state } pooled) return;
        long now = Clock.Now;
        if (EndpointFaults.IsRefusal(failure.Status, failure.Execution) && failure.RetryAfterMilliseconds is not (0 or RetryPause.NeverHint))
        {
            state.Room.OnRefused(state.Load, failure.RetryAfterMilliseconds * Clock.MicrosecondsPerMillisecond, now);
        }

        if (!EndpointFaults.IsFault(failure.Status, failure.Execution, failure.Phase)) return;
        // A call that crosses the start of a drain is refused: the endpoint has said so, and will be back.
        if (failure.Execution == MuxExecution.NotExecuted && !pooled.Connection.TakesCalls) return;
        if (state.OnFault(now)) _table.TryEject(state, failure.Text);
    }

    /// <summary>An endpoint gets no calls for a while, because it failed too many.</summary>
    public void OnEjected(EndpointState state, string reason)
    {
        Events.Add(MuxEndpointChange.Ejected, state.Endpoint, reason);
        long milliseconds = (state.Ejection.Until - Clock.Now) / Clock.MicrosecondsPerMillisecond;
        var cause = state.Ejection.Cause switch
        {
            EjectionCause.FailedConnections => $"{FaultWindow.ConnectionFaults} connections to it or more have failed in a row",
            EjectionCause.FailedProbe => "it has failed again when it was tried",
            _ => "more than half of its calls in the last second have failed",
        };
        var level = LevelOf(state, LogLevel.Warning);
        // No turn waits for a log.
        ReportThread.TellOnPool(() => ClientLog.Ejected(Settings.Logger, level, Settings.Name, state.Name, milliseconds, cause, reason));
    }

    /// <summary>An endpoint that was ejected gets calls again.</summary>
    public void OnReturned(EndpointState state)
    {
        Events.Add(MuxEndpointChange.Returned, state.Endpoint);
        var level = LevelOf(state, LogLevel.Information);
        ReportThread.TellOnPool(() => ClientLog.Returned(Settings.Logger, level, Settings.Name, state.Name)); // nor does the ticker
    }

    /// <summary>
    /// Fewer than half of the endpoints are open, or only ejected ones, which therefore get calls again. Under the lock of the table: what it says is told on
    /// another thread.
    /// </summary>
    public void OnPanic(CandidateSet set)
    {
        if (!_panicLog.TryPass(Clock.Now, out int others)) return;
        int open = 0, count = 0;
        foreach (var candidate in set.All)
        {
            if (candidate.IsLeaving) continue;
            count++;
            if (candidate.IsOpen) open++;
        }

        List<string> ejected = [];
        foreach (var candidate in set.Pickable)
        {
            if (candidate.Ejection.IsOut) ejected.Add(((EndpointState)candidate).Name);
        }

        ReportThread.TellOnPool(() => ClientLog.Panic(Settings.Logger, Settings.Name, SourceName, open, count, string.Join(", ", ejected), others));
    }

    /// <summary>
    /// A connection has ended before it sent a call. The call goes to another endpoint. While none is open it waits for one that was not dialed in vain yet,
    /// and fails when all were, unless it is held for a while: a caller then learns it as soon as from a channel with one address.
    /// </summary>
    /// <param name="from">The endpoint that had the call.</param>
    /// <param name="call">The call.</param>
    /// <param name="failure">What it fails with.</param>
    public void OnUnsent(EndpointState from, OutgoingCall call, CallFailure failure)
    {
        if (!_table.Set.Pickable.IsEmpty || FindUntried(_table.Set) is not null || (!_isDisposed && !_table.Has(from))) StartAgain(call);
        else HoldOrFail(call, _isDisposed || _table.States.Length <= 1 ? failure : failure with { Text = NoneOpen(from, failure.Text) });
    }

    /// <summary>Describes why calls fail while no endpoint is known.</summary>
    /// <param name="isExpired">True for calls whose deadlines have passed.</param>
    public CallFailure UnknownEndpoints(bool isExpired)
    {
        var error = _feed.LastFailure;
        var reason = error is null ? string.Empty : $" {error.Message}";
        var text = isExpired ? $"The deadline passed before {SourceName} had reported an endpoint.{reason}"
            : error is null ? $"{SourceName} has no endpoints at present."
            : $"The endpoints of {SourceName} are not known:{reason}";
        var status = isExpired ? MuxStatus.DeadlineExceeded : MuxStatus.Unavailable;
        return new(status, MuxExecution.NotExecuted, MuxCallPhase.Connect, text, error) { IsOwnDeadline = isExpired };
    }

    protected override EndpointCounts CountEndpoints() =>
        _feed is null ? default : _table.Count() with { Updates = _feed.Updates }; // metrics may be read before the constructor has ended

    protected override int HeldInOrder => _ordered?.Held ?? 0;

    protected override async ValueTask DisposePoolsAsync()
    {
        BeginDisposePools();
        await _feed.DisposeAsync().ConfigureAwait(false);
        await _table.DisposeAsync().ConfigureAwait(false);
    }

    protected override void DisposePools()
    {
        BeginDisposePools();
        _ = _feed.DisposeAsync().AsTask(); // nothing waits for the source: it may take its time
        _table.Dispose();
    }

    /// <summary>Gets the endpoint of the connection whose turn this thread runs, if it is one of this route: calls there cost no send of their own.</summary>
    private EndpointState? OwnEndpoint() => Turn.Owner is Connection { TakesCalls: true, Owner: PooledConnection pooled }
        && pooled.Pool.Owner is EndpointState state && state.Router == this ? state : null;

    private void Wake()
    {
        Watch();
        _table.Wake();
    }

    private void Watch()
    {
        if (Interlocked.Exchange(ref _isWatching, 1) == 0 && !_isDisposed) _feed.Start();
    }

    /// <summary>Takes over a set of the source. One at a time.</summary>
    public void Apply(EndpointSet newest)
    {
        if (_isDisposed) return;
        foreach (var added in _table.Apply(newest)) added.Pool.DialFirstEmpty();
        _firstReport.TrySetResult();
        if (_table.States.Length > 0) RestartAll(CloseUnrouted());
        else FailUnrouted();
    }

    /// <summary>Takes out the calls that wait for endpoints. None waits from now on.</summary>
    private OutgoingCall? CloseUnrouted()
    {
        _unrouted.Close();
        return _unrouted.TakeAll();
    }

    private void OnSourceFailed(Exception error)
    {
        _firstReport.TrySetResult();
        FailUnrouted();
    }

    /// <summary>Fails the calls that wait for endpoints, those first that wait behind another one: each would take its place when that has failed.</summary>
    private void FailUnrouted()
    {
        if (_table.States.Length == 0) UnsentCalls.FailAll(this, _ordered?.TakeHeld(), UnknownEndpoints(isExpired: false));
        UnsentCalls.FailAll(this, _unrouted.TakeAll(), UnknownEndpoints(isExpired: false));
    }

    /// <summary>Lets a call wait while no endpoint is open: where the fewest do, or for the first endpoint.</summary>
    /// <returns>False if the choice must be made again.</returns>
    private bool TryWait(OutgoingCall call, ReadOnlySpan<byte> body) =>
        TryFailOrWait(call, body) || (FindToWait(_table.Set) is { } endpoint && endpoint.TryStart(call, body));

    /// <summary>Fails a call that no endpoint takes, or lets it wait for the first set.</summary>
    /// <returns>False if there are endpoints to choose from.</returns>
    private bool TryFailOrWait(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        if (_isDisposed)
        {
            FailOutside(call, Disposed);
            return true;
        }

        var set = _table.Set;
        if (set.IsCut && set.Of(call.Priority).Pickable.IsEmpty)
        {
            FailOutside(call, AllRefuse(set, call.Priority));
            return true;
        }

        if (set.FewestWaiting() is not null) return false;
        if (!_firstReport.Task.IsCompleted || !_table.IsKnown) return _unrouted.TryAdd(call, body);
        FailOutside(call, UnknownEndpoints(isExpired: false));
        return true;
    }

    /// <summary>Finds the endpoint at which a call waits while none is open. Null if there is none.</summary>
    private EndpointState? FindToWait(CandidateSet set) => (EndpointState?)(FindUntried(set) ?? set.FewestWaiting());

    /// <summary>
    /// Finds the endpoint with the fewest waiting calls of those whose dial has not failed since the last open endpoint closed. An older failure says little:
    /// while servers are restarted one after the other, the one that is back is dialed again within a second.
    /// </summary>
    private Candidate? FindUntried(CandidateSet set)
    {
        long since = _table.ClosedSince;
        return set.FewestWaiting(candidate => !((EndpointState)candidate).HasFailedSince(since));
    }

    /// <summary>Describes why a call is not sent although endpoints are open.</summary>
    private CallFailure AllRefuse(CandidateSet set, MuxCallPriority priority)
    {
        long until = long.MaxValue;
        foreach (var candidate in set.Pickable) until = Math.Min(until, candidate.Hint.RefusesUntil);
        long left = Math.Max(until - Clock.Now, 0) + EndpointTable.LookInterval; // by then the table has noticed
        var text = $"All {set.Pickable.Length} open endpoints of {SourceName} have said that they are overloaded and refuse calls of priority {priority}. " +
            "The call was not sent.";
        return new(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Queue, text)
        {
            RetryAfterMilliseconds = (uint)Math.Min(left / Clock.MicrosecondsPerMillisecond, int.MaxValue),
        };
    }

    /// <summary>Of a server that cannot be reached its connections tell already: see <see cref="PoolLog"/>.</summary>
    private static LogLevel LevelOf(EndpointState state, LogLevel usual) =>
        state.Ejection.Cause == EjectionCause.FailedConnections ? LogLevel.Debug : usual;

    private string NoneOpen(EndpointState last, string text)
    {
        int used = _table.States.Length, all = _table.ReportedCount;
        var which = all <= used ? $"{used} endpoints of {SourceName}" : $"{used} endpoints that this client uses of the {all} of {SourceName} (SubsetSize)";
        return $"None of the {which} can be reached. {last.Name}: {text}";
    }

    /// <summary>Starts a call in its order. It never goes the way of other calls, which knows nothing of the place that it keeps.</summary>
    private void StartInOrder(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        var ordered = _ordered ?? OpenOrder();
        var pause = default(SpinWait); // while endpoints come or go
        while (!ordered.TryStart(call, body) && !TryFailOrWait(call, body)) pause.SpinOnce();
    }

    private OrderedCalls OpenOrder()
    {
        var ordered = new OrderedCalls(this, new HeldCalls(this, Settings.Connection.WaitingLimit));
        return Interlocked.CompareExchange(ref _ordered, ordered, null) ?? ordered;
    }

    private void BeginDisposePools()
    {
        _isDisposed = true;
        UnsentCalls.FailAll(this, _ordered?.Close(), Disposed);
        UnsentCalls.FailAll(this, CloseUnrouted(), Disposed);
    }
}

/// <summary>Calls of a channel that has learned of no endpoint yet. They wait for the first set. Safe for concurrent use.</summary>
/// <param name="router">The router of the calls.</param>
/// <param name="byteLimit">Most bytes that wait.</param>
internal sealed class UnroutedCalls(EndpointRouter router, long byteLimit) : WaitingCalls(router, byteLimit)
{
    protected override MuxCallPhase Phase => MuxCallPhase.Connect;

    protected override CallFailure Expired => router.UnknownEndpoints(isExpired: true);

    protected override string DescribeFull(int calls, long bytes, long byteLimit) =>
        $"{calls} calls wait for the endpoints of {router.SourceName} with {bytes} bytes; MaxQueuedBytes allows {byteLimit}. Make fewer calls concurrently, " +
        "or raise MaxQueuedBytes of the channel.";
}

/// <summary>Tells failures that speak against an endpoint from those that its callers cause, or by which it protects itself.</summary>
internal static class EndpointFaults
{
    /// <summary>
    /// True for calls that the endpoint did not run because it is full or stops. With these a time to wait is about the endpoint; a handler that gives one to
    /// its caller, whose quota is used up, says nothing about the calls of others.
    /// </summary>
    public static bool IsRefusal(MuxStatus status, MuxExecution execution) =>
        execution == MuxExecution.NotExecuted && status is MuxStatus.Unavailable or MuxStatus.ResourceExhausted;

    /// <summary>
    /// True for lost and silent connections, failures of handlers and of the engine, and deadlines that passed after the request was sent; and for requests
    /// that the endpoint rejected although it should not: it lacks the method, does not know the identity that others accept, or takes no calls at all. It
    /// answers those fast, and would look idle. False for what a caller causes, such as PermissionDenied, and for a full endpoint, which is given less.
    /// </summary>
    public static bool IsFault(MuxStatus status, MuxExecution execution, MuxCallPhase phase) => status switch
    {
        MuxStatus.Unavailable or MuxStatus.Internal or MuxStatus.Unknown or MuxStatus.DataLoss => phase != MuxCallPhase.Encode,
        MuxStatus.DeadlineExceeded => execution != MuxExecution.NotExecuted,
        MuxStatus.Unimplemented or MuxStatus.Unauthenticated => execution == MuxExecution.NotExecuted, // otherwise the handler said it to its caller
        _ => false,
    };
}

/// <summary>What a router needs beyond the settings of a channel.</summary>
internal sealed record RouterSettings
{
    /// <summary>The settings of the channel. They name no address.</summary>
    public required ChannelSettings Channel { get; init; }

    /// <summary>Reports the endpoints.</summary>
    public required IEndpointSource Source { get; init; }

    /// <summary>Makes the settings of the connections to one address, whose scheme decides the transport.</summary>
    public required Func<MuxAddress, ChannelSettings> SettingsOf { get; init; }

    /// <summary>How calls are spread.</summary>
    public required BalancingSettings Balancing { get; init; }

    /// <inheritdoc cref="MuxChannelOptions.Seed"/>
    public int? Seed { get; init; }

    /// <summary>Tells this process from others, so that each takes another part of many endpoints.</summary>
    public required string Instance { get; init; }
}
