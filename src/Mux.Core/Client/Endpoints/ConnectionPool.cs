using System.Diagnostics;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Client;

/// <summary>
/// The connections to one address. Dials when there is none, and again after a loss, with pauses while the server is away. Safe for concurrent use.
/// </summary>
/// <remarks>Lock order: this pool's lock, then a connection's. Links, logs and calls are touched outside both.</remarks>
internal sealed class ConnectionPool : IWatchedPool
{
    /// <summary>
    /// Microseconds between the first and the last of several dials that open on a healthy path. Calls wait this long on the connection that they were given
    /// to, which keeps them spread; then they move to open connections.
    /// </summary>
    private const long OpeningSpread = 50_000;

    private static readonly ConnectionEnd s_disposed = new(CloseReason.Disposed, "The channel is disposed.");

    private readonly ChannelSettings _settings;
    private readonly ConnectionLedger _ledger;
    private readonly Lock _gate = new(); // guards the slots and the fields below
    private readonly BackoffPolicy _backoff;
    private readonly PausedDials _paused;
    private readonly List<PoolOpening> _openings = []; // openings that are not over
    private readonly HashSet<PooledConnection> _unreleased = []; // includes connections that left their slot
    private PooledConnection? _lastOpened; // since the last failure
    private ConnectionEnd? _lastEnd; // of a connection or dial; null if one was open since
    private readonly DialPermits _permits;
    private readonly TaskCompletionSource _allReleased = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly PoolLog _log;
    private readonly PoolWatch? _watch; // null if the number of connections is fixed
    private PoolSlot[] _slots; // replaced under the lock
    private int _nextIndex;
    private long _completedBefore; // under the lock: calls of released connections
    private volatile bool _disposed;

    public ConnectionPool(ChannelSettings settings, ConnectionLedger ledger, IPoolOwner owner)
    {
        if (settings.MaxConnections > settings.Connections) _watch = new PoolWatch(this, settings.Connections, settings.MaxConnections, settings.Calls.Clock);
        _settings = settings with { Connection = settings.Connection with { Load = _watch } };
        _ledger = ledger;
        Owner = owner;
        _slots = [.. Enumerable.Range(0, settings.Connections).Select(index => new PoolSlot(index))];
        _nextIndex = settings.Connections;
        _backoff = new BackoffPolicy(settings.MaxReconnectDelay, settings.Random);
        _paused = new PausedDials(Clock, StartPaused);
        _permits = new DialPermits(_backoff, _paused);
        Endpoint = settings.Address!.ToString();
        _log = new PoolLog(settings, Endpoint, () => owner.FailedCalls, () => IsOpen);
    }

    /// <summary>The address, for failures.</summary>
    public string Endpoint { get; }

    public IPoolOwner Owner { get; }

    /// <summary>Read without the lock to choose a connection; only this pool changes their contents, and replaces the array to have more or fewer.</summary>
    public PoolSlot[] Slots => Volatile.Read(ref _slots);

    public bool IsDisposed => _disposed;

    /// <summary>True if a connection takes calls now. Any thread.</summary>
    public bool IsOpen => Array.Exists(Slots, static slot => slot.Current?.Connection is { State: ConnectionState.Open, TakesCalls: true });

    /// <summary>The settings of its connections.</summary>
    public ChannelSettings Settings => _settings;

    /// <summary>Number of calls that have ended, whatever their outcome. Any thread; may lag behind by those on connections that drain.</summary>
    public long Completed => Volatile.Read(ref _completedBefore) + PoolSlot.CountCompleted(Slots);

    /// <summary>Number of calls open or waiting on the connections that take calls. Any thread; may be off by calls that just change.</summary>
    public int Load
    {
        get
        {
            int load = 0;
            foreach (var slot in Slots) load += slot.Current?.Connection.Initiator.Load ?? 0;
            return load;
        }
    }

    private Clock Clock => _settings.Calls.Clock;

    /// <summary>Opens all connections, with as many concurrent dials as allowed.</summary>
    /// <returns>Null, or the end of the first that failed.</returns>
    public async Task<ConnectionEnd?> OpenAllAsync(CancellationToken cancellationToken)
    {
        PoolOpening opening;
        List<Connection>? dialed;
        lock (_gate)
        {
            if (_disposed) return s_disposed;
            opening = new PoolOpening(Slots.Where(slot => slot.Current is not { IsOpen: true }).Select(slot => slot.Index));
            _openings.Add(opening);
            dialed = DialAwaitedLocked();
        }

        PausedDials.Start(dialed);
        try
        {
            return await opening.Outcome.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            lock (_gate) _openings.Remove(opening);
        }
    }

    /// <summary>Accepts no further calls, waits for open ones within the drain timeout, and ends all connections. May be called repeatedly.</summary>
    public async ValueTask DisposeAsync()
    {
        BeginDispose(_settings.DrainTimeout);
        try
        {
            // A connection ends on its own within this time, unless user code blocks its turn for longer.
            var limit = TimeSpan.FromMicroseconds(_settings.DrainTimeout + 2 * _settings.Connection.DrainAcknowledgeTimeout);
            await _allReleased.Task.WaitAsync(limit, Clock.Provider).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            int left;
            lock (_gate) left = _unreleased.Count(pooled => pooled.IsAwaited);
            ClientLog.DrainIncomplete(_settings.Logger, _settings.Name, left);
        }
    }

    /// <summary>
    /// Accepts no further calls, and ends all connections without waiting for open calls or anything else. May be called repeatedly, also at the same time as
    /// <see cref="DisposeAsync"/>.
    /// </summary>
    public void Dispose() => BeginDispose(grace: 0);

    /// <summary>
    /// Accepts no further calls, and ends each connection when its open calls have ended, however long that takes: the address is no endpoint anymore, which is
    /// no reason to end its calls. <see cref="DisposeAsync"/> and <see cref="Dispose"/> may shorten it.
    /// </summary>
    /// <returns>A task that ends when all connections are released.</returns>
    public Task RetireAsync()
    {
        BeginDispose(grace: Clock.Never);
        return _allReleased.Task;
    }

    /// <summary>The connection is open: calls may run on it.</summary>
    public void OnOpened(PooledConnection pooled)
    {
        long now = Clock.Now;
        List<Connection>? dialed;
        PooledConnection[] others;
        lock (_gate)
        {
            if (!TrySettleLocked(pooled)) return; // it ended on another thread a moment ago
            pooled.OpenedAt = now;
            _lastEnd = null;
            if (pooled.IsInSlot) _lastOpened = pooled;
            _backoff.OnOpened();
            foreach (var opening in _openings) opening.Forget(pooled.Slot.Index);
            dialed = DialAwaitedLocked();
            others = _permits.Unopened == 0 ? [] : [.. Slots.Select(slot => slot.Current).OfType<PooledConnection>().Where(other => !other.IsSettled)];
        }

        PausedDials.Start(dialed);
        foreach (var other in others) other.Connection.WithdrawWaiting(now + OpeningSpread);
        _log.Opened(pooled.Connection);
        Owner.OnOpened(pooled);
        _watch?.OnOpened(pooled.Connection);
    }

    /// <summary>The connection accepts no further calls.</summary>
    public void OnDraining(PooledConnection pooled, bool byPeer)
    {
        lock (_gate)
        {
            if (byPeer && pooled.IsInSlot)
            {
                // A server that drains each connection at once must be dialed with a pause, even if it answered a call first. A single brief one may be chance.
                long now = Clock.Now;
                bool isBrief = now - pooled.OpenedAt < BackoffPolicy.UsefulAfter;
                if (!pooled.HasReplies || (isBrief && pooled.Slot.WasBrief)) PauseLocked(pooled, now);
                pooled.Slot.WasBrief = isBrief;
            }

            if (byPeer) _permits.Hold(Clock.Now, pooled.Connection.PeerRetryAfterMilliseconds);
            LeaveLocked(pooled);
        }

        if (byPeer) _log.Drains(IsOpen);
        Owner.OnLeft(pooled, end: null);
    }

    /// <summary>The connection ended, or was never established.</summary>
    public void OnEnded(PooledConnection pooled, ConnectionEnd end)
    {
        bool isOrderly = _disposed || end.IsOrderly;
        bool wasOpen;
        long delay;
        lock (_gate)
        {
            wasOpen = pooled.IsOpen;
            pooled.IsGivenUp |= end.IsRefusal;
            _backoff.OnEnd(end, Clock.Now, pooled.OpenedAt);
            _lastEnd = wasOpen ? end with { WasOpen = true } : end;
            delay = pooled.IsInSlot ? PauseLocked(pooled, Clock.Now) : 0;
            if (_permits.Hold(Clock.Now, end.RetryAfterMilliseconds) is { } hold) delay = hold;
            if (end.PeerCode == ConnectionCode.TooManyPings)
            {
                pooled.Slot.KeepAliveFactor = Math.Min(pooled.Slot.KeepAliveFactor * 2, PoolSlot.MaxKeepAliveFactor);
            }

            LeaveLocked(pooled);
            if (TrySettleLocked(pooled))
            {
                if (end.Reason != CloseReason.Disposed) _permits.OnFailed(); // this side has given it up
                foreach (var opening in _openings) opening.OnFailed(end);
            }
            else if (pooled.Slot.EndTrial(pooled.OpenedAt, Clock.Now)) _permits.OnFailedTrial();

            CompleteOpeningsLocked();
        }

        _ledger.CountEnd(end.Reason);
        Owner.OnLeft(pooled, end);
        _log.Ended(end, wasOpen, isOrderly, mayWarn: !(pooled.Slot.IsTrial && IsOpen), IsOpen, delay); // the server serves, but takes no more connections
    }

    /// <summary>The connection is released: nothing more comes from it.</summary>
    public void OnReleased(PooledConnection pooled)
    {
        _ledger.Retire(pooled.Connection);
        lock (_gate)
        {
            if (_unreleased.Remove(pooled)) Volatile.Write(ref _completedBefore, _completedBefore + pooled.Completed);
            CompleteIfReleasedLocked();
        }
    }

    private void BeginDispose(long grace)
    {
        PooledConnection[] connections;
        _watch?.Dispose();
        lock (_gate)
        {
            _disposed = true;
            foreach (var slot in Slots) slot.Current = null;
            connections = [.. _unreleased];
            foreach (var opening in _openings) opening.OnFailed(s_disposed);
            CompleteOpeningsLocked();
            foreach (var pooled in connections) pooled.IsAwaited &= !pooled.CanEndInOwnTurn;
            CompleteIfReleasedLocked();
        }

        foreach (var pooled in connections) Drain(pooled, grace);
    }

    private void Drain(PooledConnection pooled, long grace)
    {
        bool neverStarts;
        lock (_gate) neverStarts = _paused.TryRemove(pooled.Connection);
        if (pooled.IsAwaited) pooled.Connection.BeginDrain(grace);
        else pooled.Connection.Close(new(CloseReason.Drained, "Drained."), new GoAwayFrame(ConnectionCode.Draining, 0, string.Empty));
        if (!neverStarts) return;
        pooled.Connection.Discard(); // only the pool releases it
        OnReleased(pooled);
    }

    /// <summary>Drains a connection for which the owner has no use. The next dial follows after a pause, as if this one had failed.</summary>
    public void GiveUp(PooledConnection pooled)
    {
        lock (_gate)
        {
            pooled.IsGivenUp = true;
            if (pooled.IsInSlot) PauseLocked(pooled, Clock.Now);
        }

        Drain(pooled, _settings.DrainTimeout);
    }

    /// <inheritdoc/>
    public bool Grow(GrowthReason reason)
    {
        List<Connection>? dialed = null;
        int count;
        lock (_gate)
        {
            count = Slots.Length + 1;
            if (_disposed || !_permits.MayDial || _permits.Unopened > 0 || count > _settings.MaxConnections) return false;
            var slot = new PoolSlot(_nextIndex++) { IsTrial = true };
            Volatile.Write(ref _slots, [.. Slots, slot]);
            MakeLocked(slot, ref dialed);
        }

        _log.Grown(count, _settings.MaxConnections, reason);
        PausedDials.Start(dialed);
        return true;
    }

    /// <inheritdoc/>
    public void Shrink()
    {
        PooledConnection? pooled;
        int count;
        lock (_gate)
        {
            count = Slots.Length - 1;
            if (_disposed || count < _settings.Connections) return;
            var slot = Array.FindLast(Slots, slot => slot.Current is not { IsOpen: true })
                ?? Array.FindLast(Slots, static slot => slot.Current?.Connection.IsKept != true);
            if (slot is null) return;
            Volatile.Write(ref _slots, [.. Slots.Where(other => other != slot)]);
            foreach (var opening in _openings) opening.Forget(slot.Index);
            CompleteOpeningsLocked();
            pooled = slot.Current;
            slot.Current = null;
        }

        _log.Shrunk(count);
        if (pooled is null) return;
        pooled.Connection.HandBackWaiting();
        pooled.Connection.WithdrawWaiting(Clock.Now); // if it never opened, its calls go elsewhere too
        Drain(pooled, grace: Clock.Never);
    }

    /// <inheritdoc/>
    public int List(List<Connection> connections)
    {
        var slots = Slots;
        foreach (var slot in slots)
        {
            if (slot.Current is { } pooled) connections.Add(pooled.Connection);
        }

        return slots.Length;
    }

    /// <inheritdoc/>
    public (int Unopened, long FailedDials, long FailedTrials) CountDials()
    {
        lock (_gate) return (_permits.Unopened, _permits.Failed, _permits.FailedTrials);
    }

    private void CompleteIfReleasedLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (_disposed && !_unreleased.Any(pooled => pooled.IsAwaited)) _allReleased.TrySetResult();
    }

    /// <summary>Finds a connection while none is open: the one being dialed with the fewest waiting calls, or a new one if it may be dialed.</summary>
    public Connection? FindUnopened()
    {
        PooledConnection best;
        List<Connection>? dialed = null;
        lock (_gate)
        {
            if (_disposed) return null;
            PoolSlot? bestSlot = null;
            int bestLoad = int.MaxValue;
            foreach (var slot in Slots)
            {
                if (slot.Current is null && !_permits.MayDial) continue;
                int load = slot.Current?.Connection.Initiator.Load ?? 0;
                if (load >= bestLoad) continue;
                bestSlot = slot;
                bestLoad = load;
            }

            bestSlot ??= Slots[0]; // a connection that left its slot before it was settled still counts as a dial
            best = bestSlot.Current ?? MakeLocked(bestSlot, ref dialed); // a connection is being dialed, or may be
        }

        PausedDials.Start(dialed);
        return best.Connection;
    }

    /// <summary>Calls that wait for connections of this pool to open go back to the owner at <paramref name="due"/>: others of the owner are open.</summary>
    public void WithdrawUnopened(long due)
    {
        foreach (var slot in Slots) slot.Current?.Connection.WithdrawWaiting(due);
    }

    /// <summary>Dials for an empty slot, if the back-off allows one more dial.</summary>
    public void DialFirstEmpty()
    {
        if (!_permits.MayDial) return; // without the lock, because each choice reads it
        List<Connection>? dialed = null;
        lock (_gate)
        {
            if (_disposed || !_permits.MayDial) return;
            if (Array.Find(Slots, slot => slot.Current is null) is { } empty) MakeLocked(empty, ref dialed);
        }

        PausedDials.Start(dialed);
    }

    /// <summary>Gets the slot's connection. Dials if there is none, once for all callers. Null if the channel is disposed.</summary>
    public PooledConnection? DialIfEmpty(PoolSlot slot)
    {
        PooledConnection pooled;
        List<Connection>? dialed = null;
        lock (_gate)
        {
            if (_disposed) return null;
            if (slot.Current is { } current) return current;
            pooled = MakeLocked(slot, ref dialed);
        }

        PausedDials.Start(dialed);
        return pooled;
    }

    /// <summary>Dials the slots for which callers wait, as far as allowed now.</summary>
    /// <returns>The connections to start.</returns>
    private List<Connection>? DialAwaitedLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        CompleteOpeningsLocked();
        if (_openings.Count == 0 || _disposed) return null;
        List<Connection>? dialed = null;
        foreach (var slot in Slots)
        {
            if (!_permits.MayDial) break;
            if (slot.Current is null && _openings.Exists(opening => opening.Awaits(slot.Index))) MakeLocked(slot, ref dialed);
        }

        return dialed;
    }

    private void CompleteOpeningsLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        _openings.RemoveAll(opening => opening.TryComplete(_permits.Unopened));
    }

    /// <summary>Creates the connection of an empty slot.</summary>
    /// <param name="slot">The slot.</param>
    /// <param name="dialed">
    /// Connections that the caller starts after it has released the lock. Includes the new one, unless a pause between dials is not over, whose end starts it.
    /// </param>
    private PooledConnection MakeLocked(PoolSlot slot, ref List<Connection>? dialed)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        var pooled = new PooledConnection(this, slot, _settings);
        bool isPaused = _backoff.NextDialAt > Clock.Now;
        pooled.Connection.EndBefore = _lastEnd; // before calls find it
        if (isPaused) pooled.Connection.AwaitStart();
        slot.Current = pooled;
        _unreleased.Add(pooled);
        _ledger.Add(pooled.Connection);
        _permits.OnMade();
        if (isPaused) _paused.Add(pooled.Connection, _backoff.NextDialAt);
        else (dialed ??= []).Add(pooled.Connection);
        return pooled;
    }

    /// <summary>
    /// Starts the connections that are due after a pause. On the ticker's thread, on which links must not dial: a transport may be user code.
    /// </summary>
    private void StartPaused(long now)
    {
        List<Connection>? due;
        lock (_gate) due = _paused.TakeDue(now);
        if (due is not null) _paused.StartFromTick(due);
    }

    private void LeaveLocked(PooledConnection pooled)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (pooled.IsInSlot) pooled.Slot.Current = null;
    }

    /// <summary>Notes that the connection has opened, or never will.</summary>
    /// <returns>False if that was known.</returns>
    private bool TrySettleLocked(PooledConnection pooled)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (pooled.IsSettled) return false;
        pooled.IsSettled = true;
        _permits.OnSettled();
        return true;
    }

    /// <summary>Sets the earliest time of the next dial after a connection ended.</summary>
    /// <returns>Microseconds until then.</returns>
    private long PauseLocked(PooledConnection pooled, long now)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        bool wasOfUse = pooled.WasOfUse(now);
        // A server that refuses this one will refuse the others, which may have served for a moment.
        if (!pooled.IsGivenUp && _lastOpened?.WasOfUse(now) == true) _backoff.Forget();
        _lastOpened = null; // one connection shows the server's return once
        long pause = wasOfUse ? _backoff.OnLost(now) : _backoff.OnFailed(now, Owner.LeastDialPause);
        _permits.Update();
        return pause;
    }
}

/// <summary>A caller's wait until every slot of a pool has had an open connection. Guarded by the pool's lock, except <see cref="Outcome"/>.</summary>
/// <param name="unopened">Indexes of the slots without an open connection.</param>
internal sealed class PoolOpening(IEnumerable<int> unopened)
{
    private readonly TaskCompletionSource<ConnectionEnd?> _outcome = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly HashSet<int> _left = [.. unopened];
    private ConnectionEnd? _failure;

    /// <summary>Completes with null when all are open, or with the end of the first that failed.</summary>
    public Task<ConnectionEnd?> Outcome => _outcome.Task;

    /// <summary>True if the slot must be dialed.</summary>
    public bool Awaits(int slot) => _failure is null && _left.Contains(slot);

    /// <summary>A connection of the slot is open, or the slot is gone.</summary>
    public void Forget(int slot) => _left.Remove(slot);

    /// <summary>A connection ended before it was open.</summary>
    public void OnFailed(ConnectionEnd end) => _failure ??= end;

    /// <summary>Completes the wait if it is over.</summary>
    /// <param name="dialing">
    /// Number of connections being dialed. After a failure their ends are awaited, so that nothing is pending when the caller learns of it.
    /// </param>
    /// <returns>True if the wait is over.</returns>
    public bool TryComplete(int dialing)
    {
        if (_left.Count > 0 && (_failure is null || dialing > 0)) return false;
        _outcome.TrySetResult(_left.Count == 0 ? null : _failure);
        return true;
    }
}

/// <summary>Counts the dials of a pool, and says if one more may begin. Guarded by the pool's lock, except <see cref="MayDial"/>.</summary>
internal sealed class DialPermits(BackoffPolicy backoff, PausedDials paused)
{
    private volatile bool _mayDial = true; // written under the lock

    /// <summary>True if one more may be dialed. Any thread.</summary>
    public bool MayDial => _mayDial;

    /// <summary>Connections that are dialed, or wait to be.</summary>
    public int Unopened { get; private set; }

    /// <summary>Dials that have failed.</summary>
    public long Failed { get; private set; }

    /// <summary>Connections on trial that opened and did not last.</summary>
    public long FailedTrials { get; private set; }

    /// <summary>A connection is made, and is dialed next.</summary>
    public void OnMade()
    {
        Unopened++;
        Update();
    }

    /// <summary>A connection has opened, or never will.</summary>
    public void OnSettled()
    {
        Unopened--;
        Update();
    }

    /// <summary>A connection ended before it was open.</summary>
    public void OnFailed() => Failed++;

    /// <summary>A connection that was one more than needed has opened and ended.</summary>
    public void OnFailedTrial() => FailedTrials++;

    /// <summary>Applies the server's hint of when it may be dialed again, to all connections, including those already created.</summary>
    /// <returns>Microseconds until then; null if there is no hint.</returns>
    public long? Hold(long now, uint retryAfterMilliseconds)
    {
        if (retryAfterMilliseconds == 0) return null;
        long wait = backoff.OnRetryAfter(now, retryAfterMilliseconds * Clock.MicrosecondsPerMillisecond);
        paused.Postpone(backoff.NextDialAt);
        Update();
        return wait;
    }

    /// <summary>The back-off has changed.</summary>
    public void Update() => _mayDial = Unopened < backoff.Dials;
}
