using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using Mux.Buffers;
using Mux.Connections;
using Mux.Contracts;
using Mux.Diagnostics;
using Mux.Execution;
using Mux.Lanes;
using Mux.Serialization;
using Mux.Wire;

namespace Mux.Channels;

/// <summary>
/// The connections of one channel: gives each call to the open connection with the fewest calls, dials when there is none, and again after a loss. Safe for
/// concurrent use.
/// </summary>
/// <remarks>Lock order: this pool's lock, then a connection's. Links, logs and calls are touched outside both.</remarks>
internal sealed class ConnectionPool : IWorkOwner
{
    private readonly ChannelSettings _settings;
    private readonly PoolSlot[] _slots;
    private readonly Lock _gate = new(); // guards the slots and what follows
    private readonly HashSet<PooledConnection> _unreleased = []; // also those that left their slot
    private readonly TaskCompletionSource _allReleased = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly ConcurrentDictionary<int, MethodDescriptor> _methods = []; // those that proxies were made for
    private readonly MeteredEndpoint _metered;
    private readonly RateLimit _blockedLog = new();
    private volatile bool _disposed;

    public ConnectionPool(ChannelSettings settings)
    {
        _settings = settings;
        _slots = [.. Enumerable.Range(0, settings.Connections).Select(_ => new PoolSlot(new BackoffPolicy(settings.MaxReconnectDelay, Random.Shared)))];
        Endpoint = settings.Address.ToString();
        var tag = new KeyValuePair<string, object?>(MetricNames.ClientNameTag, settings.Name);
        Durations = new CallDurations(settings.Metrics.ClientCallDuration, settings.Clock, tag);
        _metered = new MeteredEndpoint(Ledger, () => _methods.Values, tag);
        settings.Metrics.AddClient(_metered);
    }

    /// <summary>The address calls go to, as failures name it.</summary>
    public string Endpoint { get; }

    public Clock Clock => _settings.Clock;

    public long Deadline => _settings.Deadline;

    public bool InheritsDeadlines => _settings.InheritsDeadlines;

    public MuxDispatch Dispatch => _settings.Dispatch;

    public ConnectionLedger Ledger { get; } = new();

    public CallDurations Durations { get; }

    /// <summary>A proxy was made that calls this method.</summary>
    public void Register(MethodDescriptor method) => _methods.TryAdd(method.Index, method);

    /// <summary>Starts an encoded call, on whatever connection there is or will be. Its outcome comes by the call's own members, also if the channel is disposed.</summary>
    public void Start(OutgoingCall call, ReadOnlySpan<byte> body)
    {
        var pause = default(SpinWait); // while another thread, which ended a connection, is about to take it out of its slot
        while (Pick() is { } connection)
        {
            if (connection.Initiator.TryStart(call, body)) return;
            pause.SpinOnce();
        }

        Ledger.CountOutside(call.Method, MuxStatus.Unavailable);
        Initiator.Fail(call, new(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxPhase.Queue, "The channel is disposed."));
    }

    /// <summary>The same for a request in a buffer: one that takes several frames is sent from there.</summary>
    public void StartEncoded(OutgoingCall call, MessageBuffer buffer, ReadOnlySpan<byte> body)
    {
        if (body.Length > ProtocolConstants.MaxWholeBody)
        {
            call.Bulk = BulkMessage.Take(buffer, body);
            body = [];
        }

        Start(call, body);
    }

    /// <summary>Opens all connections.</summary>
    /// <returns>Null, or how the first that failed ended.</returns>
    public async Task<ConnectionEnd?> OpenAllAsync(CancellationToken cancellationToken)
    {
        var opening = new List<Task<ConnectionEnd?>>();
        foreach (var slot in _slots)
        {
            if (DialIfEmpty(slot) is not { } pooled) return new ConnectionEnd(CloseReason.Disposed, "The channel is disposed.");
            opening.Add(pooled.Opened.Task);
        }

        var ends = await Task.WhenAll(opening).WaitAsync(cancellationToken).ConfigureAwait(false);
        return Array.Find(ends, end => end is not null);
    }

    /// <summary>Takes no further calls, waits for those that are open within the drain timeout, and ends all connections. May be called repeatedly.</summary>
    public async ValueTask DisposeAsync()
    {
        BeginDispose(_settings.DrainTimeout);
        try
        {
            // A connection ends by itself within this time, unless user code blocks its turn for longer.
            var limit = TimeSpan.FromMicroseconds(_settings.DrainTimeout + 2 * _settings.Connection.DrainAcknowledgeTimeout);
            await _allReleased.Task.WaitAsync(limit, Clock.Provider).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            int left;
            lock (_gate) left = _unreleased.Count(pooled => pooled.IsAwaited);
            ClientLog.DrainIncomplete(_settings.Logger, _settings.Name, left);
        }

        _settings.Metrics.Remove(_metered);
    }

    /// <summary>Takes no further calls and lets all connections end without waiting for open calls, or for anything. May be called repeatedly, also beside <see cref="DisposeAsync"/>.</summary>
    public void Dispose()
    {
        BeginDispose(grace: 0);
        _settings.Metrics.Remove(_metered);
    }

    /// <summary>Calls may run on the connection.</summary>
    public void OnOpened(PooledConnection pooled)
    {
        lock (_gate)
        {
            if (!pooled.Opened.TrySetResult(null)) return; // it ended on another thread, a moment ago
            pooled.OpenedAt = Clock.Now;
        }

        ClientLog.ConnectionOpened(_settings.Logger, _settings.Name, Endpoint);
    }

    /// <summary>No further calls can be made there.</summary>
    public void OnDraining(PooledConnection pooled, bool byPeer)
    {
        lock (_gate)
        {
            // A server that drains everybody who comes must not be dialed without a pause: a connection on which it answered nothing counts as a failed one.
            bool wasOfUse = pooled.Connection.Initiator.TurnTally.Total > 0;
            if (byPeer && !wasOfUse && pooled.IsInSlot) PauseLocked(pooled, Clock.Now);
            LeaveLocked(pooled);
        }

        if (byPeer) ClientLog.Draining(_settings.Logger, _settings.Name, Endpoint);
    }

    /// <summary>Starts a call anew that a connection took and did not send.</summary>
    public void OnWithdrawn(OutgoingCall call)
    {
        var body = call.Body;
        int length = call.BodyLength;
        call.Body = null; // waiting elsewhere, it gets another copy
        Start(call, body is null ? [] : body.AsSpan(0, length));
        if (body is not null) BufferPool.Return(body);
        Interlocked.MemoryBarrier(); // see Initiator.Cancel
        if (call.CancelRequested) Initiator.Cancel(call);
    }

    /// <summary>User code that nobody awaits threw: the code after a call, or what was to hand it to where it runs.</summary>
    public void OnUserCodeFailed(Exception error) => ClientLog.ContinuationFailed(_settings.Logger, _settings.Name, error);

    /// <summary>User code kept a thread that receives.</summary>
    public void OnBlocked(Placement? code, bool refused)
    {
        if (_blockedLog.TryPass(Clock.Now, out int others)) ExecutionLog.Blocked(_settings.Logger, code, refused, others);
    }

    /// <inheritdoc/>
    public void OnStalled(WorkStall stall) => ExecutionLog.Stalled(_settings.Logger, stall);

    /// <summary>The connection ended, or never came about.</summary>
    public void OnEnded(PooledConnection pooled, ConnectionEnd end)
    {
        bool isOrderly = _disposed || end.Reason is CloseReason.Drained or CloseReason.PeerDrained or CloseReason.Idle;
        bool wasOpen;
        TimeSpan delay;
        lock (_gate)
        {
            wasOpen = pooled.OpenedAt != Clock.Never;
            delay = pooled.IsInSlot ? PauseLocked(pooled, Clock.Now) : TimeSpan.Zero;
            if (end.PeerCode == ConnectionCode.TooManyPings) pooled.Slot.KeepAliveFactor = Math.Min(pooled.Slot.KeepAliveFactor * 2, PoolSlot.MaxKeepAliveFactor);
            LeaveLocked(pooled);
            pooled.Opened.TrySetResult(end);
        }

        Ledger.CountEnd(end.Reason);
        if (wasOpen || isOrderly) ClientLog.ConnectionClosed(_settings.Logger, isOrderly ? LogLevel.Debug : LogLevel.Warning, _settings.Name, Endpoint, end.Reason, end.Text, end.Error);
        else ClientLog.ConnectFailed(_settings.Logger, _settings.Name, Endpoint, (long)delay.TotalMilliseconds, end.Text, end.Error);
    }

    /// <summary>Nothing more is heard of the connection.</summary>
    public void OnReleased(PooledConnection pooled)
    {
        Ledger.Retire(pooled.Connection);
        lock (_gate)
        {
            _unreleased.Remove(pooled);
            CompleteIfReleasedLocked();
        }
    }

    private void BeginDispose(long grace)
    {
        PooledConnection[] connections;
        lock (_gate)
        {
            _disposed = true;
            foreach (var slot in _slots) slot.Current = null;
            connections = [.. _unreleased];
            foreach (var pooled in connections) pooled.IsAwaited &= !CanEndInOwnTurn(pooled.Connection);
            CompleteIfReleasedLocked();
        }

        foreach (var pooled in connections)
        {
            bool neverStarts;
            lock (_gate) neverStarts = TryClaimStartLocked(pooled);
            if (pooled.IsAwaited) pooled.Connection.BeginDrain(grace);
            else pooled.Connection.Close(new(CloseReason.Drained, "Drained."), new GoAwayFrame(ConnectionCode.Draining, 0, string.Empty));
            if (!neverStarts) continue;
            pooled.Connection.Discard(); // nobody but the pool releases it
            OnReleased(pooled);
        }
    }

    /// <summary>
    /// Whether this thread is the one that would receive the peer's part of a drain, and no call needs one. A host that is disposed synchronously in the continuation of a
    /// call blocks this thread: the drain would wait for it, and it for the drain.
    /// </summary>
    private static bool CanEndInOwnTurn(Connection connection) => Turn.IsOwner(connection) && connection.Initiator.Load == 0;

    private void CompleteIfReleasedLocked()
    {
        if (_disposed && !_unreleased.Any(pooled => pooled.IsAwaited)) _allReleased.TrySetResult();
    }

    /// <summary>The connection for the next call, or null: the channel is disposed.</summary>
    private Connection? Pick()
    {
        if (_disposed) return null;
        if (_slots.Length == 1) return (_slots[0].Current ?? DialIfEmpty(_slots[0]))?.Connection; // there is no choice

        // A continuation that starts its next call stays where its reply came from, unless another connection has less to do: its turn flushes for it.
        var own = Turn.Owner is Connection { TakesCalls: true, Owner: PooledConnection pooledOwn } && pooledOwn.Pool == this ? pooledOwn : null;
        if (own is not null && own.TryStay()) return own.Connection;
        PooledConnection? best = own;
        int bestLoad = own?.Connection.Initiator.Load ?? int.MaxValue, nextLoad = int.MaxValue;
        bool hasEmpty = false;
        foreach (var slot in _slots)
        {
            if (slot.Current is not { } pooled)
            {
                hasEmpty = true;
                continue;
            }

            var connection = pooled.Connection;
            if (pooled == own || connection.State != ConnectionState.Open || !connection.TakesCalls) continue;
            int load = connection.Initiator.Load;
            nextLoad = Math.Min(nextLoad, load);
            if (load >= bestLoad) continue;
            best = pooled;
            bestLoad = load;
        }

        if (best is null) return PickUnopened();
        if (hasEmpty && bestLoad > 0) DialFirstEmpty(); // not for this call, which does not wait for it
        if (best == own) own?.StayUpTo(nextLoad);
        return best.Connection;
    }

    /// <summary>No connection is open: the call waits on the one that is being dialed with the fewest waiting calls.</summary>
    private Connection? PickUnopened()
    {
        PoolSlot? best = null;
        int bestLoad = int.MaxValue;
        lock (_gate)
        {
            if (_disposed) return null;
            foreach (var slot in _slots)
            {
                int load = slot.Current?.Connection.Initiator.Load ?? 0;
                if (load >= bestLoad) continue;
                best = slot;
                bestLoad = load;
            }
        }

        return DialIfEmpty(best!)?.Connection;
    }

    private void DialFirstEmpty()
    {
        foreach (var slot in _slots)
        {
            if (slot.Current is not null) continue;
            DialIfEmpty(slot);
            return;
        }
    }

    /// <summary>The slot's connection, dialed if there was none: one dial, however many ask. Null if the channel is disposed.</summary>
    private PooledConnection? DialIfEmpty(PoolSlot slot)
    {
        PooledConnection pooled;
        lock (_gate)
        {
            if (_disposed) return null;
            if (slot.Current is { } current) return current;
            pooled = new PooledConnection(this, slot, _settings);
            slot.Current = pooled;
            _unreleased.Add(pooled);
            Ledger.Add(pooled.Connection);

            long now = Clock.Now;
            if (slot.NextDialAt > now)
            {
                pooled.Connection.AwaitStart();
                using var flow = ExecutionContext.SuppressFlow();
                pooled.DialTimer = Clock.Provider.CreateTimer(static state => ((Action)state!)(), () => StartDelayed(pooled), TimeSpan.FromMicroseconds(slot.NextDialAt - now), Timeout.InfiniteTimeSpan);
                return pooled;
            }

            pooled.IsStarted = true;
        }

        pooled.Connection.Start();
        return pooled;
    }

    private void StartDelayed(PooledConnection pooled)
    {
        lock (_gate)
        {
            if (_disposed || !TryClaimStartLocked(pooled)) return;
        }

        pooled.Connection.Start();
    }

    /// <summary>Whether the connection was not started yet and the caller is the one who does so, or sees to it that nobody does.</summary>
    private static bool TryClaimStartLocked(PooledConnection pooled)
    {
        if (pooled.IsStarted) return false;
        pooled.IsStarted = true;
        pooled.DialTimer?.Dispose();
        pooled.DialTimer = null;
        return true;
    }

    private static void LeaveLocked(PooledConnection pooled)
    {
        if (pooled.IsInSlot) pooled.Slot.Current = null;
    }

    /// <summary>Sets when the slot's next connection is dialed at the earliest.</summary>
    private static TimeSpan PauseLocked(PooledConnection pooled, long now)
    {
        var pause = pooled.Slot.Backoff.OnEnded(pooled.OpenedAt == Clock.Never ? TimeSpan.Zero : TimeSpan.FromMicroseconds(now - pooled.OpenedAt));
        pooled.Slot.NextDialAt = now + Clock.Microseconds(pause);
        return pause;
    }
}
