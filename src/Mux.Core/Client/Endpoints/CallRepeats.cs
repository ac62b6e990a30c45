using Mux.Calls;
using Mux.Contracts;
using Mux.Engine;
using Mux.Runtime;
using Mux.Telemetry;

namespace Mux.Client;

/// <summary>Sends calls of a channel again after an attempt failed, where their policies and the channel's budget allow it. Safe for concurrent use.</summary>
/// <param name="route">The route of the channel, which chooses the server of each attempt.</param>
/// <param name="settings">The settings of the channel.</param>
/// <param name="hasOthers">True if the route has several servers: then a call that one has refused goes to another one at once, also without a policy.</param>
internal sealed class CallRepeats(CallRoute route, ChannelSettings settings, bool hasOthers) : IDisposable
{
    /// <summary>How often a call without a deadline waits for memory of servers: with the usual hint of 100 ms half a minute.</summary>
    private const int MostPauses = 32;

    private readonly ChannelBudget _budget = new(route.Ledger, route.Clock);
    private readonly RetryQueue _queue = new(route);
    private readonly RateLimit _emptyLog = new();
    private volatile bool _isDisposed;
    private int _reached; // how often a server was reached

    /// <summary>Attempts that the budget has left.</summary>
    public long BudgetLeft => _budget.Left;

    /// <summary>Number of calls between two attempts.</summary>
    public int Held => _queue.Count;

    /// <inheritdoc cref="CallRoute.PolicyOf"/>
    public CallPolicy? PolicyOf(MethodDescriptor method)
    {
        var policy = settings.Policies.Of(method.FullName);
        if (hasOthers) policy = policy with { RepeatsRefused = true };
        return policy.IsOn ? policy : null;
    }

    /// <summary>A call was made whose request is kept.</summary>
    public void OnKept() => _budget.Wake();

    /// <inheritdoc cref="CallRoute.TryRepeat"/>
    public bool TryRepeat(OutgoingCall call, CallFailure failure)
    {
        // With the last condition the caller has cancelled the call, and this failure came before its cancel.
        if (_isDisposed || failure.IsCallerCancel || failure.IsOwnDeadline || call.CancelRequested) return false;
        var kept = call.Kept!;
        int reached = Volatile.Read(ref _reached);
        var attempt = OutgoingFailure.AttemptOf(failure);
        bool isAwaited = (kept.Reasons & KeepFor.Ready) != 0 && attempt.IsUnsent;
        var repeat = isAwaited ? Repeat.Unsent : MayPause(call, failure) ? Repeat.Paused : Judge(call, attempt);
        kept.Stop = RepeatStop.None;
        if (repeat == Repeat.None) return false;
        long now = route.Clock.Now;
        if (attempt.IsRefused && kept.RefusedTimes == 0) kept.RefusedAt = now;
        long pause = PauseBefore(repeat, kept, attempt.RetryAfterMilliseconds);
        if (pause == RetryPause.Never) return false;
        if (Clock.After(now, pause) >= call.Due)
        {
            // One that waits for a server does so until its deadline: see OnReached.
            if (!isAwaited || call.Due <= now)
            {
                kept.Stop = RepeatStop.Deadline;
                return false;
            }

            pause = call.Due - now;
        }

        var endpoint = route.EndpointOf(call);
        bool isCharged = repeat is not (Repeat.Unsent or Repeat.Paused);
        if (isCharged && !TryTake(call, failure.Status, endpoint, now))
        {
            kept.Stop = RepeatStop.Budget;
            return false;
        }

        if (repeat == Repeat.Refused) kept.Refusals++;
        if (repeat == Repeat.Paused) kept.Pauses++;
        kept.OnRepeat(failure, endpoint, isRefused: repeat is Repeat.Refused or Repeat.Paused);
        // A long wait must not fill a list.
        if (!isAwaited && repeat != Repeat.Paused) kept.Add(new MuxAttempt(endpoint, failure.Status, failure.Execution, failure.Phase));
        route.Ledger.CountRepeat(call.Method, failure.Status, repeat);
        call.BeginAgain(now, wasSent: isCharged);
        if (pause == 0 || !_queue.TryAdd(call, now + pause, isAwaited)) route.StartAgainKept(call);
        else if (isAwaited && reached != Volatile.Read(ref _reached)) _queue.StartAwaiting(); // reached a moment ago, and this call was not in the queue
        return true;
    }

    /// <summary>A server can be reached: starts the calls that wait for one.</summary>
    public void OnReached()
    {
        Interlocked.Increment(ref _reached);
        _queue.StartAwaiting();
    }

    /// <inheritdoc cref="CallRoute.TryHedge"/>
    public bool TryHedge(MethodDescriptor method)
    {
        if (_isDisposed || !_budget.TryTake(route.Clock.Now, out _)) return false;
        route.Ledger.CountHedge();
        return true;
    }

    /// <summary>Fails the calls that wait between two attempts, and repeats none from now on.</summary>
    public void Dispose()
    {
        _isDisposed = true;
        _queue.Dispose();
        _budget.Dispose();
    }

    /// <summary>
    /// True if a call that a server has no memory for waits until it has, without a charge. Only large requests do:
    /// those that are not announced yet are held back meanwhile, and nothing would hold small ones back. A call without
    /// a deadline must end too. A call that keeps an order would come after later ones.
    /// </summary>
    private static bool MayPause(OutgoingCall call, CallFailure failure) =>
        failure.IsPause && (call.Kept!.Reasons & KeepFor.Pauses) != 0 && !call.KeepsOrder
        && (call.Due != Clock.Never || call.Kept.Pauses < MostPauses);

    private Repeat Judge(OutgoingCall call, in FailedAttempt attempt)
    {
        var kept = call.Kept!;
        if ((kept.Reasons & KeepFor.Repeats) == 0 || PolicyOf(call.Method) is not { } policy) return Repeat.None;
        // After a pause it would come after later ones.
        if (attempt.IsRefused && kept.Refusals > 0 && call.KeepsOrder) return Repeat.None;
        return policy.Judge(attempt, kept.Attempts.Count + 1, kept.Refusals, call.IsIdempotent);
    }

    /// <summary>
    /// Gets the pause in microseconds. What was never sent is sent at once, the first time: the connection pool pauses before it dials. Further times have a
    /// pause of their own, because a server may accept connections and no calls.
    /// </summary>
    private long PauseBefore(Repeat repeat, KeptRequest kept, uint retryAfterMilliseconds)
    {
        int repeats = kept.Repeats + 1;
        if (repeat == Repeat.Paused)
        {
            if (hasOthers && kept.Pauses == 0) return 0;
            return RetryPause.WhileFull(kept.Pauses + 1, retryAfterMilliseconds, settings.Random.NextDouble());
        }

        if (repeat == Repeat.Unsent) return repeats == 1 ? 0 : RetryPause.After(repeats, 0, settings.Random.NextDouble());
        if (repeat == Repeat.Refused && hasOthers)
        {
            // The first time another server may take it. Later, as many as were asked are full.
            if (kept.Refusals == 0) return 0;
            return RetryPause.WhileFull(kept.Refusals, retryAfterMilliseconds, settings.Random.NextDouble());
        }

        return RetryPause.After(repeats, retryAfterMilliseconds, settings.Random.NextDouble());
    }

    private bool TryTake(OutgoingCall call, MuxStatus status, string endpoint, long now)
    {
        if (_budget.TryTake(now, out long calls)) return true;
        if (_emptyLog.TryPass(now, out int others))
        {
            ClientLog.BudgetEmpty(settings.Logger, settings.Name, calls, call.Method.FullName, endpoint, status, others);
        }

        return false;
    }
}

/// <summary>
/// The retry budget of a channel, shared by all its methods and servers. Calls are counted by the connections anyway, so they pay nothing for it: a look every
/// second reads the sum, while calls are made. Safe for concurrent use.
/// </summary>
internal sealed class ChannelBudget : ITicked
{
    /// <summary>Looks without a new call after which no further one is needed: the window is empty.</summary>
    private const int LooksToSleep = 12;

    private readonly Lock _gate = new(); // guards the fields below; the ledger is read before it is taken
    private readonly RetryBudget _budget = new();
    private readonly ConnectionLedger _ledger;
    private readonly Clock _clock;
    private readonly Ticker _ticker;
    private long _nextLook = Clock.Never;
    private long _lastStarted;
    private int _looksInVain;
    private volatile bool _isAwake;
    private bool _isDisposed;

    public ChannelBudget(ConnectionLedger ledger, Clock clock)
    {
        (_ledger, _clock, _ticker) = (ledger, clock, Ticker.For(clock));
        _budget.Look(clock.Now, 0);
    }

    /// <inheritdoc/>
    public long NextDue => Volatile.Read(ref _nextLook);

    /// <summary>Attempts that are left.</summary>
    public long Left
    {
        get
        {
            long started = _ledger.CallsStarted;
            lock (_gate) return _budget.Left(_clock.Now, started);
        }
    }

    /// <summary>A call was made that may be sent again: looks begin, if they have ended. Costs one comparison if not.</summary>
    public void Wake()
    {
        if (_isAwake) return;
        lock (_gate)
        {
            if (_isAwake || _isDisposed) return;
            _isAwake = true;
            _looksInVain = 0;
            Volatile.Write(ref _nextLook, _clock.Now + RetryBudget.Second);
            _ticker.Add(this); // under the lock, as its removal: no member is left behind
        }
    }

    /// <inheritdoc/>
    public void OnTick(long now)
    {
        long started = _ledger.CallsStarted;
        lock (_gate)
        {
            _budget.Look(now, started);
            _looksInVain = started == _lastStarted ? _looksInVain + 1 : 0;
            _lastStarted = started;
            bool sleeps = _isDisposed || _looksInVain >= LooksToSleep;
            Volatile.Write(ref _nextLook, sleeps ? Clock.Never : now + RetryBudget.Second);
            if (!sleeps) return;
            _ticker.Remove(this); // the ticker must not keep a channel that is not used
            _isAwake = false;
        }
    }

    /// <summary>Takes one attempt.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="calls">Calls that were started in the last 10 s.</param>
    /// <returns>False if the budget is empty.</returns>
    public bool TryTake(long now, out long calls)
    {
        long started = _ledger.CallsStarted;
        lock (_gate)
        {
            bool isTaken = _budget.TryTake(now, started);
            calls = _budget.Calls;
            return isTaken;
        }
    }

    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            Volatile.Write(ref _nextLook, Clock.Never);
            _ticker.Remove(this);
        }
    }
}
