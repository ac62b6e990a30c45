namespace Mux.Tool.Load;

/// <summary>
/// One connection's part of a schedule, and the tokens that make its calls. The pacer and the connection's turns look for due calls independently: the lock is
/// held while a call is taken, not while it is made. Thread-safe.
/// </summary>
/// <param name="schedule">Schedule of all connections.</param>
/// <param name="lane">Index of this connection, from 0.</param>
/// <param name="lanes">Number of connections; this one makes every n-th call.</param>
/// <param name="cap">Maximum number of open calls; due calls beyond it are dropped.</param>
/// <param name="makeToken">Creates a token for a pace.</param>
/// <param name="turnsMakeCalls">True if the turn that delivers a reply makes the calls due by then; otherwise the pacer makes all.</param>
internal sealed class LaneSchedule(
    CallSchedule schedule, int lane, int lanes, int cap, Func<LaneSchedule, (CallToken Token, ScheduledPace Pace)> makeToken, bool turnsMakeCalls = true)
{
    [ThreadStatic]
    private static bool t_isMaking;

    private readonly Lock _gate = new(); // guards the fields below
    private readonly Stack<ScheduledPace> _parked = new();
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _next = lane;
    private long _made;
    private long _dropped;
    private int _tokens; // started and not ended
    private bool _isClosed;

    public LaneCounts Counts
    {
        get
        {
            lock (_gate) return new LaneCounts(_made, _dropped, _tokens - _parked.Count);
        }
    }

    /// <summary>Due time of the next call, in ticks.</summary>
    public long NextAt => schedule.IntendedAt(Volatile.Read(ref _next));

    /// <summary>Makes the calls that are due, or drops them.</summary>
    public void MakeDueCalls(long now)
    {
        // A call made here may be answered before it is awaited, and its token then returns to this place: the loop below continues, rather than a nested one.
        if (NextAt > now || t_isMaking) return;
        t_isMaking = true;
        using var batch = MuxBatch.Begin(); // one send for all calls
        try
        {
            while (TryTake(now, out var call, out var parked))
            {
                if (parked is not null) parked.Release(call);
                else StartToken(call);
            }
        }
        finally
        {
            t_isMaking = false;
        }
    }

    /// <summary>Called in the turn that delivered a reply: makes the due calls, if turns do so.</summary>
    public void OnReply(long now)
    {
        if (turnsMakeCalls) MakeDueCalls(now);
    }

    /// <summary>
    /// For the pacer alone. On a connection with open calls, leaves due calls to the next turn, which saves a send, if that turn comes in time.
    /// </summary>
    public void MakeOverdueCalls(long now, long patience)
    {
        long overdue = now - NextAt;
        if (overdue < 0 || (turnsMakeCalls && overdue < patience && Counts.Open > 0)) return;
        MakeDueCalls(now);
    }

    /// <summary>Returns a token that has made its call.</summary>
    /// <returns>True if it is kept; false after the end.</returns>
    public bool Park(ScheduledPace pace)
    {
        lock (_gate)
        {
            if (_isClosed)
            {
                if (--_tokens == 0) _ended.TrySetResult();
                return false;
            }

            _parked.Push(pace);
            return true;
        }
    }

    /// <summary>Stops making calls.</summary>
    /// <returns>Completes when the last one is answered.</returns>
    public Task CloseAsync()
    {
        ScheduledPace[] dismissed;
        lock (_gate)
        {
            _isClosed = true;
            dismissed = [.. _parked];
            _parked.Clear();
            _tokens -= dismissed.Length; // now rather than when they end, so that they do not count as open calls meanwhile
            if (_tokens == 0) _ended.TrySetResult();
        }

        foreach (var pace in dismissed) pace.Dismiss();
        return _ended.Task;
    }

    /// <param name="now">Time up to which calls are due.</param>
    /// <param name="call">The call to make.</param>
    /// <param name="parked">The token to make it with; null for a new one.</param>
    private bool TryTake(long now, out DueCall call, out ScheduledPace? parked)
    {
        lock (_gate)
        {
            while (!_isClosed)
            {
                call = new DueCall(_next + 1, schedule.IntendedAt(_next));
                if (call.IntendedAt > now) break;
                _next += lanes;
                if (_parked.TryPop(out parked) || TryAddTokenLocked())
                {
                    _made++;
                    return true;
                }

                _dropped++;
            }
        }

        (call, parked) = (default, null);
        return false;
    }

    private bool TryAddTokenLocked()
    {
        if (_tokens == cap) return false;
        _tokens++;
        return true;
    }

    private void StartToken(in DueCall call)
    {
        var (token, pace) = makeToken(this);
        pace.Prepare(call);
        _ = RunAsync(token);
    }

    private async Task RunAsync(CallToken token)
    {
        try
        {
            await token.MakeCallsAsync().ConfigureAwait(false);
        }
        catch (Exception defect)
        {
            _ended.TrySetException(defect);
        }
    }
}
