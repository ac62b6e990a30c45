using System.Diagnostics;
using System.Runtime.InteropServices;
using Mux.Discovery;
using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Client;

/// <summary>
/// The endpoints of a router, and the snapshot of them that calls choose from. Looks at what passes with time every 10 ms while calls are made, and not at all
/// while none are. Safe for concurrent use.
/// </summary>
internal sealed class EndpointTable : ITicked
{
    /// <summary>Microseconds between two ticks while calls are made: how old <see cref="Now"/> may be.</summary>
    private const long TickInterval = Ticker.Resolution;

    /// <summary>Microseconds between two looks at the state of all endpoints.</summary>
    public const long LookInterval = 100 * Clock.MicrosecondsPerMillisecond;

    /// <summary>
    /// Microseconds of <see cref="LeastDialPauseOf"/> for each endpoint that is away. A pause is at random between half of its ceiling and all of it, so that n
    /// endpoints with a ceiling of n times 20 ms are dialed n / (0.75 * n * 20 ms) = 67 times a second together, however many they are. At 0.1 to 0.2 ms for a
    /// dial in vain this is about 1 % of a core. One of them is dialed again at most n times 20 ms after its last dial: 1 s for 50, which is the longest pause
    /// of one alone by default, and 20 s for 1,000.
    /// </summary>
    private const long DialPausePerEndpoint = 20_000;

    /// <summary>
    /// Microseconds after which an endpoint that was open counts as gone, not as restarting. Until then those that count as gone do not slow down its dials: a
    /// list may have a thousand stale entries, and one server that restarts must be found at once.
    /// </summary>
    public const long LongestRestart = 10 * 60_000_000L;

    /// <summary>Looks without a call after which the table rests: a second.</summary>
    private const int LooksBeforeRest = 10;

    private readonly EndpointRouter _router;
    private readonly RouterSettings _settings;
    private readonly BalancingPolicy _policy;
    private readonly EjectionRules _ejections;
    private readonly MethodMeans _means = new();
    private readonly List<Slowness> _open = []; // of FindTypicalLocked
    private readonly Subset _subset;
    private readonly EndpointHold _hold = new();
    private readonly HashSet<ConnectionPool> _retiring = []; // of removed endpoints, with open calls
    private readonly Ticker _ticker;
    private readonly Lock _gate = new(); // guards what is above and below, except where it is read without it
    private EndpointState[] _states = [];
    private CandidateSet _set = CandidateSet.Empty;
    private EndpointSet? _newest; // what the source has reported
    private long _now; // written by ticks
    private long _nextLook;
    private long _calls; // completed and open at the last look
    private int _quietLooks;
    private int _closedCount; // of the endpoints of the set
    private int _lostCount; // of those that are closed: open until lately, when the set was built
    private bool _areMostClosed; // of those that stay
    private long _closedSince = long.MinValue; // when the last open endpoint closed; long ago while none has been open
    private long _nextDue = Clock.Never;
    private volatile bool _isResting = true;
    private long _ejectionCount;
    private bool _isDisposed;

    public EndpointTable(EndpointRouter router, RouterSettings settings)
    {
        (_router, _settings) = (router, settings);
        _policy = BalancingPolicy.Create(settings.Balancing, (ulong?)settings.Seed);
        _ejections = new EjectionRules(settings.Balancing);
        _subset = new Subset(settings.Instance, settings.Balancing.SubsetSize);
        _ticker = Ticker.For(router.Clock);
        _now = router.Clock.Now;
    }

    /// <summary>The snapshot that calls choose from.</summary>
    public CandidateSet Set => Volatile.Read(ref _set);

    /// <summary>All endpoints, open or not.</summary>
    public EndpointState[] States => Volatile.Read(ref _states);

    /// <summary>The time, at most some 10 ms old unless <see cref="IsResting"/>.</summary>
    public long Now => Volatile.Read(ref _now);

    /// <summary>True if no call was made for a while: the next one must <see cref="Wake"/> it.</summary>
    public bool IsResting => _isResting;

    /// <summary>Since when no endpoint is open, if none is.</summary>
    public long ClosedSince => Volatile.Read(ref _closedSince);

    /// <summary>
    /// Gets the least ceiling of the pause between two failed dials of an endpoint, in microseconds: all endpoints that are away are dialed so seldom that they
    /// cost little together. Any thread, also under the lock of a pool.
    /// </summary>
    public long LeastDialPauseOf(EndpointState state) =>
        DialPausePerEndpoint * Volatile.Read(ref state.WasReachedLately(_router.Clock.Now) ? ref _lostCount : ref _closedCount);

    /// <summary>Number of endpoints that the source has reported, of which <see cref="States"/> may be a part.</summary>
    public int ReportedCount => Volatile.Read(ref _newest)?.Count ?? 0;

    /// <summary>True once the source has reported a set.</summary>
    public bool IsKnown => Volatile.Read(ref _newest) is not null;

    /// <inheritdoc/>
    public long NextDue => Volatile.Read(ref _nextDue);

    public bool Has(EndpointState state) => Array.IndexOf(States, state) >= 0;

    /// <summary>True if other endpoints than leaving ones take calls.</summary>
    public bool HasStaying => Set.Pickable is [{ IsLeaving: false }, ..]; // leaving ones are picked only while the others are closed or ejected

    /// <summary>Picks the endpoint for a call. Null if none is open, or all refuse its priority.</summary>
    /// <param name="call">The call.</param>
    /// <param name="own">The endpoint whose turn this thread runs; null if none.</param>
    /// <param name="key">The key of the call.</param>
    /// <param name="avoided">The endpoint of the attempt before, which gets the call only if there is no other; null if none.</param>
    public EndpointState? Pick(OutgoingCall call, EndpointState? own, in CallKey key, EndpointState? avoided)
    {
        var set = Set;
        if (set.IsCut)
        {
            set = set.Of(call.Priority);
            if (own?.Refuses(call.Priority) == true) own = null;
        }

        return (EndpointState?)(_policy.Pick(set, own, key, Now, avoided) ?? (avoided is null ? null : _policy.Pick(set, own, key, Now)));
    }

    /// <summary>Finds an endpoint by its address as it is written; null if it is gone.</summary>
    public EndpointState? Find(string name) => Array.Find(States, state => state.Name == name);

    /// <summary>Counts the endpoints.</summary>
    public EndpointCounts Count()
    {
        int serving = 0, connecting = 0, ejected = 0, leaving = 0;
        foreach (var state in States)
        {
            if (state.IsLeaving) leaving++;
            else if (!state.IsOpen) connecting++;
            else if (state.IsPickable) serving++;
            else ejected++;
        }

        return new(serving, connecting, ejected, leaving, Interlocked.Read(ref _ejectionCount));
    }

    /// <summary>Continues to look at time: a call is made.</summary>
    public void Wake()
    {
        lock (_gate)
        {
            if (!_isResting || _isDisposed) return;
            _isResting = false;
            _quietLooks = 0;
            long now = _router.Clock.Now;
            Volatile.Write(ref _now, now);
            LookLocked(now);
            SetNextDueLocked(now);
        }
    }

    /// <summary>Takes over the newest set of the source. Endpoints that are gone finish their calls and close.</summary>
    /// <returns>The endpoints that are new, and must be dialed.</returns>
    public List<EndpointState> Apply(EndpointSet newest)
    {
        List<EndpointState> added = [], removed = [];
        lock (_gate)
        {
            if (_isDisposed) return added;
            if (_newest is null) _ticker.Add(this);
            ReplaceLocked(newest, _router.Clock.Now, added, removed);
            Volatile.Write(ref _newest, newest); // after the endpoints: a call that finds none then knows that there are none
        }

        Tell(added, removed);
        return added;
    }

    /// <summary>A server has told which calls it refuses. Makes the snapshot again if it said something else before.</summary>
    public void OnRefusals(EndpointState state)
    {
        lock (_gate)
        {
            long now = _router.Clock.Now;
            if (state.Refresh(now)) BuildLocked(_states, now);
        }
    }

    /// <summary>A connection of the endpoint is open.</summary>
    /// <returns>Endpoints that are used from now on, and must be dialed.</returns>
    public List<EndpointState> OnOpened(EndpointState state)
    {
        List<EndpointState> added = [], removed = [];
        lock (_gate)
        {
            if (_isDisposed || state is { IsPickable: true, WasOpen: true }) return added; // one connection more of an endpoint that has calls
            long now = _router.Clock.Now;
            if (!state.IsPickable) state.OnOpened(now);
            if (_subset.HasMore) ReplaceLocked(_newest!, now, added, removed);
            else BuildLocked(_states, now);
        }

        Tell(added, removed);
        return added;
    }

    /// <summary>A connection of the endpoint takes no more calls.</summary>
    /// <param name="state">The endpoint.</param>
    /// <param name="failure">How it failed; null if it drained, or ended in order.</param>
    /// <param name="wasOfUse">True if it had been of use.</param>
    /// <returns>Endpoints that are used from now on, and must be dialed: too few of those before can be reached.</returns>
    public List<EndpointState> OnLeft(EndpointState state, ConnectionEnd? failure, bool wasOfUse)
    {
        bool isEjected = false;
        List<EndpointState> added = [], removed = [];
        lock (_gate)
        {
            if (_isDisposed) return added;
            long now = _router.Clock.Now;
            if (!state.IsOpen) state.OnClosed();
            // While most are closed none is ejected, which takes a look at all to see: at each dial in vain of a thousand, it would be a third of the cost.
            bool mayEject = failure is not null && state.OnConnectionFault(wasOfUse) && (!_areMostClosed || state.Ejection.IsProbing);
            if (mayEject) isEjected = _ejections.TryEject(state, _states, now);
            // A failed dial of an endpoint that was closed before changes nothing that a choice sees: with many such endpoints there are hundreds a second.
            bool hasChanged = isEjected || state.WasOpen != state.IsOpen;
            bool areOthersTried = failure is not null && AreOthersNeededLocked(now);
            // Or an endpoint has closed that is held because it was open.
            if (areOthersTried || (hasChanged && _hold.NextLook != Clock.Never)) ReplaceLocked(_newest!, now, added, removed);
            else if (hasChanged) BuildLocked(_states, now);
        }

        if (isEjected) OnEjected(state, failure!.Text);
        Tell(added, removed);
        return added;
    }

    /// <summary>Leaves an endpoint out that has failed many calls, if the others allow that.</summary>
    public void TryEject(EndpointState state, string reason)
    {
        bool isEjected;
        lock (_gate)
        {
            long now = _router.Clock.Now;
            isEjected = _ejections.TryEject(state, _states, now);
            if (isEjected) BuildLocked(_states, now);
        }

        if (isEjected) OnEjected(state, reason);
    }

    /// <inheritdoc/>
    public void OnTick(long now)
    {
        Volatile.Write(ref _now, now);
        List<EndpointState> added = [], removed = [];
        List<Candidate> returned = [];
        lock (_gate)
        {
            if (_isDisposed) return;
            if (_hold.NextLook <= now) ReplaceLocked(_newest!, now, added, removed);
            if (_nextLook <= now)
            {
                if (_ejections.Advance(_states, now, returned)) BuildLocked(_states, now);
                LookLocked(now);
            }

            SetNextDueLocked(now);
        }

        if (added.Count + removed.Count + returned.Count == 0) return;
        foreach (var candidate in returned) _router.OnReturned((EndpointState)candidate);
        Tell(added, removed);
        if (added.Count > 0) _ = Task.Run(() => added.ForEach(static state => state.Pool.DialFirstEmpty())); // of a subset; not on the ticker's thread
    }

    /// <summary>Waits until all endpoints have finished their calls, each for at most the drain timeout.</summary>
    public Task DisposeAsync() => Task.WhenAll(End().Select(static pool => pool.DisposeAsync().AsTask()));

    /// <summary>Ends all connections without waiting for calls.</summary>
    public void Dispose()
    {
        foreach (var pool in End()) pool.Dispose();
    }

    private ConnectionPool[] End()
    {
        lock (_gate)
        {
            _isDisposed = true;
            _ticker.Remove(this);
            Volatile.Write(ref _nextDue, Clock.Never);
            var states = _states;
            Volatile.Write(ref _states, []);
            Volatile.Write(ref _set, CandidateSet.Empty);
            return [.. states.Select(static state => state.Pool), .. _retiring];
        }
    }

    private void ReplaceLocked(EndpointSet newest, long now, List<EndpointState> added, List<EndpointState> removed)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        var known = _states.ToDictionary(state => state.Endpoint.Address);
        Predicate<MuxAddress> isOpen = address => known.TryGetValue(address, out var state) && state.IsOpen;
        var held = _hold.Apply(newest, isOpen.Invoke, now);
        var kept = Array.Find(_states, static state => state.IsKept)?.Endpoint.Address;
        // While none is open, all may be restarting: they are passed by as a whole, and none counts as gone.
        bool isOneOpen = Array.Exists(_states, static state => state.IsOpen);
        Predicate<MuxAddress> isGone = address => known.TryGetValue(address, out var state) && state.IsGone(now);
        var wanted = _subset.Select(held, kept, isOpen, isOneOpen ? isGone : null);
        var states = new List<EndpointState>(wanted.Count);
        foreach (var endpoint in wanted)
        {
            if (known.Remove(endpoint.Address, out var state))
            {
                state.Endpoint = endpoint; // weight, zone and leaving may have changed
            }
            else
            {
                state = new EndpointState(_router, endpoint, _settings, _means);
                added.Add(state);
            }

            states.Add(state);
        }

        removed.AddRange(known.Values);
        EndpointState[] replaced = [.. states];
        BuildLocked(replaced, now);
        Volatile.Write(ref _states, replaced); // after the choice: what is listed is what calls are given
        SetNextDueLocked(now);
    }

    private bool AreOthersNeededLocked(long now)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (AreAllUnreachableLocked()) return _subset.TryPass(ReportedCount, _closedSince, now);
        return _closedCount < _states.Length && _subset.TryFill(_states.Length, ReportedCount, CountGone, now);

        int CountGone() => _states.Count(state => state.IsGone(now));
    }

    private bool AreAllUnreachableLocked()
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        return _closedCount == _states.Length && Array.TrueForAll(_states, static state => state is { IsOpen: false, Failure: not null });
    }

    private void BuildLocked(EndpointState[] states, long now)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        if (_isDisposed) return;
        foreach (var state in states) state.Refresh(now);
        var set = CandidateSet.Build(states, _set, _policy);
        Count(states, now);
        if (set.Pickable.IsEmpty && !_set.Pickable.IsEmpty) Volatile.Write(ref _closedSince, now);
        if (set.IsPanic && !_set.IsPanic) _router.OnPanic(set);
        Volatile.Write(ref _set, set);
    }

    private void Count(EndpointState[] states, long now)
    {
        int closed = 0, lost = 0, staying = 0, open = 0;
        foreach (var state in states)
        {
            if (!state.WasOpen) closed++;
            if (!state.WasOpen && state.WasReachedLately(now)) lost++;
            if (state.IsLeaving) continue;
            staying++;
            if (state.WasOpen) open++;
        }

        Volatile.Write(ref _closedCount, closed);
        Volatile.Write(ref _lostCount, lost);
        _areMostClosed = open * 2 < staying;
    }

    private void LookLocked(long now)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        _nextLook = now + LookInterval;
        long calls = 0;
        bool hasChanged = false, areCallsElsewhere = !_set.Pickable.IsEmpty;
        foreach (var state in _states)
        {
            // The next set looks at it; there may be a thousand.
            if (!state.WasOpen && areCallsElsewhere) continue;
            hasChanged |= state.Refresh(now); // a server has said no more
            calls += state.Completed + state.Load;
        }

        FindTypicalLocked(now);
        if (hasChanged) BuildLocked(_states, now);
        _quietLooks = calls == _calls ? _quietLooks + 1 : 0;
        _calls = calls;
        if (_quietLooks >= LooksBeforeRest) _isResting = true;
    }

    private void FindTypicalLocked(long now)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        _open.Clear();
        foreach (var state in _states)
        {
            if (state.IsOpen) _open.Add(state.Slowness);
        }

        _means.FindTypical(CollectionsMarshal.AsSpan(_open), now);
    }

    private void SetNextDueLocked(long now)
    {
        Debug.Assert(_gate.IsHeldByCurrentThread);
        long due = _isResting ? _hold.NextLook : Math.Min(now + TickInterval, _hold.NextLook);
        Volatile.Write(ref _nextDue, due);
        _ticker.Request(due);
    }

    private void OnEjected(EndpointState state, string reason)
    {
        Interlocked.Increment(ref _ejectionCount);
        _router.OnEjected(state, reason);
    }

    private void Tell(List<EndpointState> added, List<EndpointState> removed)
    {
        foreach (var state in added) _router.Events.Add(MuxEndpointChange.Added, state.Endpoint);
        foreach (var state in removed)
        {
            _router.Events.Add(MuxEndpointChange.Removed, state.Endpoint);
            Retire(state);
        }
    }

    /// <summary>Lets the calls of a removed endpoint finish, and closes its connections: not on the ticker's thread, on which nothing may be sent.</summary>
    private void Retire(EndpointState state)
    {
        lock (_gate) _retiring.Add(state.Pool);
        if (Ticker.MayNotBlock) _ = Task.Run(() => RetireAsync(state.Pool));
        else _ = RetireAsync(state.Pool);
    }

    private async Task RetireAsync(ConnectionPool pool)
    {
        await pool.RetireAsync().ConfigureAwait(false);
        lock (_gate) _retiring.Remove(pool);
    }
}

/// <summary>
/// Keeps servers that a source has lost in one sweep, while their connections are open. Registries lose all they know for a moment, and servers that answer are
/// better than what a registry says. After 60 s the source is believed. Pure: times and connections come in. Not safe for concurrent use.
/// </summary>
internal sealed class EndpointHold
{
    /// <summary>Losses within this time, in microseconds, count together.</summary>
    public const long LossWindow = 10_000_000;

    /// <summary>The longest time, in microseconds, for which a lost endpoint is kept.</summary>
    public const long HoldTime = 60_000_000;

    private readonly List<Loss> _losses = []; // in their order: those of the last 10 s, and older ones that are held
    private EndpointSet _newest = EndpointSet.Empty;

    /// <summary>
    /// When to call <see cref="Apply"/> again although no set has come, in microseconds of a <see cref="Clock"/>; <see cref="Clock.Never"/> if nothing is held.
    /// </summary>
    public long NextLook { get; private set; } = Clock.Never;

    /// <summary>
    /// Adds the endpoints that are held to a set. An endpoint is held from a set that is empty, or that loses more than half of what was known within 10 s, for
    /// 60 s; not longer than its connection is open.
    /// </summary>
    /// <param name="newest">The newest set of the source. The same as before, to look at what is held: at <see cref="NextLook"/>, and when a connection of an
    /// endpoint has closed that the set does not have.</param>
    /// <param name="isOpen">Tells whether a connection to an address is open.</param>
    /// <param name="now">Microseconds of a <see cref="Clock"/>; never less than before.</param>
    /// <returns>The endpoints to use: the set itself if nothing is held.</returns>
    public EndpointSet Apply(EndpointSet newest, Func<MuxAddress, bool> isOpen, long now)
    {
        NoteLosses(newest, now);
        _newest = newest;
        NextLook = Clock.Never;
        List<MuxEndpoint>? held = null;
        foreach (var loss in _losses)
        {
            if (!loss.IsHeld) continue;
            long end = Clock.After(loss.At, HoldTime);
            loss.IsHeld = now < end && isOpen(loss.Endpoint.Address); // one that closed once is gone: its server may have told it to go
            if (!loss.IsHeld) continue;
            (held ??= []).Add(loss.Endpoint);
            NextLook = Math.Min(NextLook, end);
        }

        return held is null ? newest : new EndpointSet(newest.Concat(held));
    }

    private void NoteLosses(EndpointSet newest, long now)
    {
        var present = newest.Select(endpoint => endpoint.Address).ToHashSet();
        _losses.RemoveAll(loss => !loss.IsHeld && now - loss.At >= LossWindow);
        int returned = _losses.RemoveAll(loss => present.Contains(loss.Endpoint.Address));
        var lost = _newest.Where(endpoint => !present.Contains(endpoint.Address)).ToList();
        if (lost.Count == 0) return;
        int recent = lost.Count + _losses.Count(loss => now - loss.At < LossWindow);
        int stayed = _newest.Count - lost.Count + returned;
        bool isSweep = newest.Count == 0 || recent > stayed; // more than half of all that were known
        foreach (var endpoint in lost) _losses.Add(new Loss(endpoint, now) { IsHeld = isSweep });
    }

    private sealed class Loss(MuxEndpoint endpoint, long at)
    {
        public MuxEndpoint Endpoint => endpoint;

        public long At => at;

        public bool IsHeld { get; set; }
    }
}
