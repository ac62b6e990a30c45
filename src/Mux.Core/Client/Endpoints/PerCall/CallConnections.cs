using System.Diagnostics;
using Mux.Calls;
using Mux.Contracts;
using Mux.Discovery;
using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Client;

/// <summary>
/// The connections of a channel that makes one for each call: dials while calls wait, gives each connection that opens to the call that has waited longest, and
/// leaves its end to the server. Safe for concurrent use.
/// </summary>
/// <remarks>
/// Lock order: this lock, then that of the waiting calls, the ticker's or a connection's. Links, logs and calls are touched outside all of them. A dial is for
/// the first call that waits when it is done, and not for the one that caused it: a call that is cancelled or expires meanwhile costs no other one its place.
/// </remarks>
internal sealed class CallConnections : ITicked, IThreadPoolWorkItem
{
    private static readonly ConnectionEnd s_disposed = new(CloseReason.Disposed, "The channel is disposed.");

    private readonly DialingRoute _route;
    private readonly ChannelSettings _settings;
    private readonly CallLine _waiting;
    private readonly MuxEndpoint _endpoint;
    private readonly string _name;
    private readonly PoolLog _log;
    private readonly Ticker _ticker;
    private readonly Lock _gate = new(); // guards what is below
    private readonly BackoffPolicy _backoff;
    private readonly HashSet<CallConnection> _connections = []; // until they are released
    private readonly TaskCompletionSource _allReleased = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private List<TaskCompletionSource<ConnectionEnd?>> _probes = []; // callers that wait for the outcome of a dial
    private int _unopened; // dials that are under way
    private int _open;
    private long _pauseEnd = Clock.Never; // while calls wait for it
    private long _drainEnd; // of a disposal
    private volatile ConnectionEnd? _failure; // of the last dial; null if it succeeded
    private volatile bool _isReached; // the server has been reached once, and not failed since
    private volatile bool _isDisposed;

    public CallConnections(DialingRoute route, ChannelSettings settings, CallLine waiting, MuxEndpoint endpoint)
    {
        (_route, _settings, _waiting, _endpoint) = (route, settings, waiting, endpoint);
        _name = route.EndpointOf(null);
        _log = new PoolLog(settings, _name, () => route.FailedCalls, () => Volatile.Read(ref _open) > 0);
        _ticker = Ticker.For(route.Clock);
        _backoff = new BackoffPolicy(settings.MaxReconnectDelay, settings.Random);
    }

    /// <inheritdoc/>
    public long NextDue => Volatile.Read(ref _pauseEnd);

    /// <summary>True if the last dial succeeded. Any thread.</summary>
    public bool IsReachable => _isReached;

    /// <summary>How the last dial failed; null if it succeeded, or there was none. Any thread.</summary>
    public ConnectionEnd? Failure => _failure;

    /// <summary>Number of connections that are dialed or not closed yet.</summary>
    public int Count
    {
        get
        {
            lock (_gate) return _connections.Count;
        }
    }

    /// <summary>Number of calls that have a connection.</summary>
    public int Load
    {
        get
        {
            lock (_gate) return _connections.Sum(static connection => connection.Connection.Initiator.Load);
        }
    }

    /// <summary>Dials for the calls that wait, as far as the limits of connections and of concurrent dials and the pause after a failure allow.</summary>
    public void Dial()
    {
        while (TryMake() is { } made) made.Connection.Start();
    }

    /// <summary>Waits for the outcome of a dial, which is made even if no call waits.</summary>
    /// <returns>Null if the connection has opened, or its end.</returns>
    public async Task<ConnectionEnd?> ProbeAsync(CancellationToken cancellationToken)
    {
        var probe = new TaskCompletionSource<ConnectionEnd?>(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (_isDisposed) return s_disposed;
            _probes.Add(probe);
        }

        Dial();
        try
        {
            return await probe.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            lock (_gate) _probes.Remove(probe);
        }
    }

    /// <summary>A connection is open: it carries the call that has waited longest.</summary>
    public void OnOpened(CallConnection opened)
    {
        List<TaskCompletionSource<ConnectionEnd?>> probes;
        OutgoingCall? call;
        bool isNews;
        lock (_gate)
        {
            if (!TrySettleLocked(opened)) return; // it ended on another thread a moment ago
            opened.IsOpen = true;
            _open++;
            _backoff.OnOpened();
            isNews = !_isReached;
            (_isReached, _failure) = (true, null);
            probes = TakeProbesLocked();
            call = _waiting.TakeFirst(); // under the lock: another thread would find one dial less than calls, and dial once more
            opened.IsTakingCall = call is not null;
        }

        _log.Opened(opened.Connection);
        if (isNews)
        {
            _route.Events.Add(MuxEndpointChange.Opened, _endpoint); // once, and not for each call
            _route.OnReached();
        }

        foreach (var probe in probes) probe.TrySetResult(null);
        if (call is null) opened.Connection.LeaveToPeer();
        else Carry(opened, call);
        Dial();
    }

    /// <summary>The server takes no more calls on this connection. It is about to stop, or refuses work: the next dial follows after a pause.</summary>
    public void OnPeerDrains(CallConnection draining)
    {
        lock (_gate)
        {
            long now = _route.Clock.Now;
            if (!draining.HasReplied) _backoff.OnFailed(now);
            HoldLocked(now, draining.Connection.PeerRetryAfterMilliseconds);
        }

        _log.Drains(isReached: false); // the next connection that opens shows that it is back
    }

    /// <summary>The connection ended, or was never established.</summary>
    public void OnEnded(CallConnection ended, ConnectionEnd end)
    {
        bool isOrderly = _isDisposed || end.IsOrderly;
        bool wasOpen;
        long delay = 0;
        OutgoingCall? failed = null;
        List<TaskCompletionSource<ConnectionEnd?>> probes = [];
        lock (_gate)
        {
            long now = _route.Clock.Now;
            wasOpen = !TrySettleLocked(ended);
            // Its length is that of its call, and shows nothing. That its call was answered does, unless it was refused.
            _backoff.OnEnd(end, now, openedAt: Clock.Never);
            if (ended.HasReplied && end.IsOrderly) _backoff.ForgetRefusals();
            if (wasOpen)
            {
                if (ended.IsOpen) _open--;
                ended.IsOpen = false;
                if (isOrderly) _backoff.Forget();
                else delay = ended.HasReplied && !end.IsRefusal ? _backoff.OnLost(now) : _backoff.OnFailed(now);
            }
            else
            {
                delay = _backoff.OnFailed(now);
                probes = TakeProbesLocked();
                failed = TakeFailedLocked(end);
            }

            delay = Math.Max(delay, HoldLocked(now, end.RetryAfterMilliseconds));
        }

        _route.Ledger.CountEnd(end.Reason);
        _log.Ended(end, wasOpen, isOrderly, mayWarn: true, isReached: wasOpen, delay);
        if (!wasOpen && !isOrderly) _route.Events.Add(MuxEndpointChange.ConnectFailed, _endpoint, end.Text);
        foreach (var probe in probes) probe.TrySetResult(end);
        if (failed is not null) UnsentCalls.FailAll(_route, failed, RequestFailures.Unsent(end, MuxCallPhase.Connect));
        Dial();
    }

    /// <summary>The connection is released: its place is free.</summary>
    public void OnReleased(CallConnection released)
    {
        _route.Ledger.Retire(released.Connection);
        lock (_gate)
        {
            _connections.Remove(released);
            CompleteIfReleasedLocked();
        }

        Dial();
    }

    /// <inheritdoc/>
    public void OnTick(long now)
    {
        lock (_gate)
        {
            if (_pauseEnd > now) return; // a longer one has begun
            EndPauseLocked();
        }

        if (Ticker.MayNotBlock) WorkQueue.OfProcess.Add(this); // a transport may be user code
        else Dial();
    }

    void IThreadPoolWorkItem.Execute() => Dial();

    /// <summary>Makes no more connections, and waits for the calls that have one. May be called repeatedly.</summary>
    /// <param name="grace">Microseconds that the calls have.</param>
    public async ValueTask DisposeAsync(long grace)
    {
        BeginDispose(grace);
        try
        {
            // A connection ends on its own within this time, unless user code blocks its turn for longer.
            var limit = TimeSpan.FromMicroseconds(grace + 2 * _settings.Connection.DrainAcknowledgeTimeout);
            await _allReleased.Task.WaitAsync(limit, _route.Clock.Provider).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            int left;
            lock (_gate) left = _connections.Count(static connection => connection.IsAwaited);
            ClientLog.DrainIncomplete(_settings.Logger, _settings.Name, left);
        }
    }

    /// <summary>Makes no more connections, and ends those that there are without waiting for anything. May be called repeatedly.</summary>
    public void Dispose() => BeginDispose(grace: 0);

    private void BeginDispose(long grace)
    {
        CallConnection[] connections;
        List<TaskCompletionSource<ConnectionEnd?>> probes;
        lock (_gate)
        {
            _isDisposed = true;
            _drainEnd = Clock.After(_route.Clock.Now, grace);
            EndPauseLocked();
            probes = TakeProbesLocked();
            connections = [.. _connections.Where(static connection => !connection.IsTakingCall)];
            foreach (var connection in connections) connection.IsAwaited &= !connection.CanEndInOwnTurn;
            CompleteIfReleasedLocked();
        }

        foreach (var probe in probes) probe.TrySetResult(s_disposed);
        foreach (var connection in connections)
        {
            if (connection.IsAwaited) connection.Connection.BeginDrain(grace);
            else connection.Connection.Close(new(CloseReason.Drained, "Drained."), goAway: null);
        }
    }

    /// <summary>Ends a connection that a disposal has left alone, because its call was on the way to it and would have been refused.</summary>
    private void EndIfDisposed(CallConnection connection)
    {
        long grace;
        lock (_gate)
        {
            connection.IsTakingCall = false;
            if (!_isDisposed) return;
            grace = Math.Max(0, _drainEnd - _route.Clock.Now);
        }

        connection.Connection.BeginDrain(grace);
    }

    private CallConnection? TryMake()
    {
        lock (_gate)
        {
            bool isAtLimit = _connections.Count >= _settings.MaxConnections;
            if (_isDisposed || isAtLimit || _unopened >= Math.Min(_waiting.Count + _probes.Count, _backoff.Dials) || PausesLocked())
            {
                _waiting.IsAtLimit = isAtLimit;
                return null;
            }

            var made = new CallConnection(this, _route, _settings, _name);
            _connections.Add(made);
            _waiting.IsAtLimit = _connections.Count >= _settings.MaxConnections; // once: a disposal asks it meanwhile, and this place is taken again
            _unopened++;
            _route.Ledger.Add(made.Connection);
            return made;
        }
    }

    /// <summary>True if the pause after a failure is not over, whose end dials.</summary>
    private bool PausesLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (_backoff.NextDialAt <= _route.Clock.Now) return false;
        bool isNew = _pauseEnd == Clock.Never;
        Volatile.Write(ref _pauseEnd, _backoff.NextDialAt);
        if (isNew) _ticker.Add(this);
        else _ticker.Request(_pauseEnd);
        return true;
    }

    private void EndPauseLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        Volatile.Write(ref _pauseEnd, Clock.Never);
        _ticker.Remove(this); // the ticker must not keep a channel that is not disposed
    }

    private void Carry(CallConnection opened, OutgoingCall call)
    {
        var body = call.Body;
        call.Body = null; // the connection copies what it does not send at once
        bool isStarted = opened.Connection.Initiator.TryStart(call, body is null ? [] : body.AsSpan(0, call.BodyLength));
        opened.Connection.LeaveToPeer();
        EndIfDisposed(opened);
        if (isStarted)
        {
            if (body is not null) BufferPool.Return(body);
            CallRoute.CancelIfRequested(call);
        }
        else
        {
            call.Body = body;
            _route.StartAgain(call); // the server has begun to drain, or the channel to end
        }
    }

    /// <summary>
    /// Takes the calls that a failed dial fails: the first, which it was for; or all, if no other dial or connection shows that the server is there.
    /// </summary>
    private OutgoingCall? TakeFailedLocked(ConnectionEnd end)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (end.Reason == CloseReason.Disposed) return null; // this side has given it up
        (_isReached, _failure) = (_open > 0, end);
        return _open + _unopened > 0 ? _waiting.TakeFirst() : _waiting.TakeAll();
    }

    /// <summary>Heeds the server's hint of when it may be dialed again.</summary>
    /// <returns>Microseconds until then; 0 if there is no hint.</returns>
    private long HoldLocked(long now, uint retryAfterMilliseconds)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        return retryAfterMilliseconds == 0 ? 0 : _backoff.OnRetryAfter(now, retryAfterMilliseconds * Clock.MicrosecondsPerMillisecond);
    }

    private List<TaskCompletionSource<ConnectionEnd?>> TakeProbesLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (_probes.Count == 0) return [];
        var probes = _probes;
        _probes = [];
        return probes;
    }

    /// <summary>Notes that the connection has opened, or never will.</summary>
    /// <returns>False if that was known.</returns>
    private bool TrySettleLocked(CallConnection connection)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (connection.IsSettled) return false;
        connection.IsSettled = true;
        _unopened--;
        return true;
    }

    private void CompleteIfReleasedLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (_isDisposed && !_connections.Any(static connection => connection.IsAwaited)) _allReleased.TrySetResult();
    }
}

/// <summary>Calls that wait for a connection of their own, in order. Safe for concurrent use.</summary>
/// <param name="route">The route of the calls.</param>
/// <param name="byteLimit">Most bytes that wait.</param>
internal sealed class CallLine(DialingRoute route, long byteLimit) : WaitingCalls(route, byteLimit)
{
    private readonly DialingRoute _route = route;
    private readonly TaskCompletionSource _over = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>True if the channel has as many connections as it may have: only the end of another call gives one to the first that waits.</summary>
    public bool IsAtLimit { get; set; }

    protected override MuxCallPhase Phase => IsAtLimit ? MuxCallPhase.Queue : MuxCallPhase.Connect;

    protected override CallFailure Expired => new(MuxStatus.DeadlineExceeded, MuxExecution.NotExecuted, Phase, IsAtLimit
        ? "The deadline passed while all connections that MaxConnections of the channel allows had a call."
        : "The deadline passed before the request could be sent.")
    {
        IsOwnDeadline = true,
    };

    /// <summary>
    /// Lets no further call wait, and gives those that wait for the end of others some time to get a connection. Those that wait for a dial get none, as on a
    /// channel that shares connections.
    /// </summary>
    /// <param name="time">Microseconds.</param>
    public async Task DrainAsync(long time)
    {
        Close();
        if (!IsAtLimit) return; // the caller takes out what is left
        try
        {
            await _over.Task.WaitAsync(TimeSpan.FromMicroseconds(time), _route.Clock.Provider).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // The caller takes out what is left.
        }
    }

    protected override string DescribeFull(int calls, long bytes, long byteLimit) =>
        $"{calls} calls wait for a connection with {bytes} bytes; MaxQueuedBytes allows {byteLimit}. Make fewer calls concurrently, or raise MaxConnections " +
        "or MaxQueuedBytes of the channel.";

    protected override void OnOver() => _over.TrySetResult();
}

/// <summary>
/// Carries each call of a channel to its one address over a connection of its own (<see cref="MuxConnectionLifetime.PerCall"/>). Safe for concurrent use.
/// </summary>
/// <remarks>
/// The server ends each connection, because the side that ends a TCP connection first keeps its pair of ports for a minute (TIME_WAIT). A server has one port
/// for all its connections and loses nothing. A client takes a new ephemeral port for each, has 28,232 of them on Linux to one server, and would run out at
/// 470 calls per second.
/// </remarks>
internal sealed class PerCallRoute : DialingRoute
{
    private readonly CallLine _waiting;
    private readonly CallConnections _connections;
    private readonly MuxEndpoint _endpoint;
    private readonly string _name;

    public PerCallRoute(ChannelSettings settings)
        : base(settings, hasOthers: false)
    {
        _name = settings.Address!.ToString();
        _endpoint = new MuxEndpoint(settings.Address!);
        _waiting = new CallLine(this, settings.Connection.WaitingLimit);
        Ledger.CallsQueued = () => _waiting.Count;
        _connections = new CallConnections(this, settings, _waiting, _endpoint);
    }

    public override string EndpointOf(OutgoingCall? call) => _name;

    public override IReadOnlyList<MuxEndpointStatus> GetEndpoints() =>
    [
        new MuxEndpointStatus(_endpoint)
        {
            IsOpen = _connections.IsReachable,
            IsEjected = false,
            Calls = _waiting.Count + _connections.Load,
            Connections = _connections.Count,
            Failure = _connections.Failure?.Text,
        },
    ];

    /// <summary>Opens one connection, which shows that the server takes calls of this channel, and leaves its end to the server.</summary>
    public override async Task<OpeningFailure?> OpenAsync(CancellationToken cancellationToken) =>
        await _connections.ProbeAsync(cancellationToken).ConfigureAwait(false) is { } end ? new OpeningFailure(_name, end) : null;

    public override void Start(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        if (_waiting.TryAdd(call, body)) _connections.Dial();
        else FailOutside(call, Disposed);
    }

    protected override async ValueTask DisposePoolsAsync()
    {
        long end = Clock.After(Clock.Now, Settings.DrainTimeout);
        await _waiting.DrainAsync(Settings.DrainTimeout).ConfigureAwait(false);
        UnsentCalls.FailAll(this, _waiting.TakeAll(), Disposed);
        await _connections.DisposeAsync(Math.Max(0, end - Clock.Now)).ConfigureAwait(false);
    }

    protected override void DisposePools()
    {
        _waiting.Close();
        UnsentCalls.FailAll(this, _waiting.TakeAll(), Disposed);
        _connections.Dispose();
    }
}

/// <summary>A connection for one call, with the state that its set has of it, guarded by the set's lock. Passes the connection's events on.</summary>
internal sealed class CallConnection : IConnectionOwner
{
    private readonly CallConnections _set;
    private readonly DialingRoute _route;

    public CallConnection(CallConnections set, DialingRoute route, ChannelSettings settings, string endpoint)
    {
        (_set, _route) = (set, route);
        Connection = new Connection(
            FailedLink.OrLinkOf(settings), settings.Connection, this, NoMethods.Instance, route.Clock, accepting: false, endpoint);
    }

    public Connection Connection { get; }

    /// <summary>True if it has opened, or ended before.</summary>
    public bool IsSettled { get; set; }

    /// <summary>True from when it has opened until it has ended.</summary>
    public bool IsOpen { get; set; }

    /// <summary>True while the call that it has opened for is on the way to it: a drain would refuse the call.</summary>
    public bool IsTakingCall { get; set; }

    /// <summary>True if a disposal of the channel waits for its release.</summary>
    public bool IsAwaited { get; set; } = true;

    /// <summary>
    /// True if this thread would receive the end of the connection, and no call needs it. A host that is disposed synchronously in the continuation of a call
    /// blocks this thread: the disposal would wait for the thread, and the thread for the disposal.
    /// </summary>
    public bool CanEndInOwnTurn => Turn.IsOwner(Connection) && Connection.Initiator.Load == 0;

    /// <summary>True if the server has answered its call.</summary>
    public bool HasReplied => Connection.Initiator.TurnTally.Total > 0;

    void IConnectionOwner.OnOpened(Connection connection) => _set.OnOpened(this);

    void IConnectionOwner.OnDraining(Connection connection, bool byPeer)
    {
        if (byPeer) _set.OnPeerDrains(this);
    }

    void IConnectionOwner.OnWithdrawn(Connection connection, OutgoingCall call) => _route.StartAgain(call);

    void IConnectionOwner.OnUserCodeFailed(Connection connection, Exception error) => _route.OnUserCodeFailed(error);

    void IConnectionOwner.OnContractDiffers(Connection connection, MethodDescriptor method, string messages) =>
        _route.OnContractDiffers(connection.PeerPlace, method, messages);

    void IConnectionOwner.OnBlocked(Connection connection, Placement? code, bool refused) => _route.OnBlocked(code, refused);

    void IWorkOwner.OnStalled(WorkStall stall) => _route.OnStalled(stall);

    void IConnectionOwner.OnEnded(Connection connection, ConnectionEnd end) => _set.OnEnded(this, end);

    void IConnectionOwner.OnReleased(Connection connection) => _set.OnReleased(this);
}
