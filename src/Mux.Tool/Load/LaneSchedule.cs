namespace Mux.Tool.Load;

/// <summary>
/// The part of a schedule that one connection makes, and the tokens it makes them with. The pacer and the connection's turns look for due calls, each for
/// itself: the lock is held while one is taken, not while it is made. Safe for concurrent use.
/// </summary>
/// <param name="schedule">Of all connections.</param>
/// <param name="lane">Which of them this is, from 0.</param>
/// <param name="lanes">How many there are: this one makes every so-many-th call.</param>
/// <param name="cap">The most calls open at a time; those due beyond it are dropped.</param>
/// <param name="makeToken">Makes a token for a pace.</param>
/// <param name="turnsMakeCalls">Whether the turn that brings a reply makes what is due by then; else the pacer makes all.</param>
internal sealed class LaneSchedule(
    CallSchedule schedule, int lane, int lanes, int cap, Func<LaneSchedule, (CallToken Token, ScheduledPace Pace)> makeToken, bool turnsMakeCalls = true)
{
    [ThreadStatic]
    private static bool t_isMaking;

    private readonly Lock _gate = new(); // guards what follows
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

    /// <summary>When the next call is due, in ticks.</summary>
    public long NextAt => schedule.IntendedAt(Volatile.Read(ref _next));

    /// <summary>Makes the calls that were due at a time, or drops them.</summary>
    public void MakeDueCalls(long now)
    {
        // A call made here may be answered before it is awaited, and then its token comes back to this place: the loop below is what goes on, not a deeper one.
        if (NextAt > now || t_isMaking) return;
        t_isMaking = true;
        using var batch = MuxBatch.Begin(); // one send for all of them
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

    /// <summary>On the turn that has brought a reply: makes what is due, if that is the turns' to do.</summary>
    public void OnReply(long now)
    {
        if (turnsMakeCalls) MakeDueCalls(now);
    }

    /// <summary>
    /// For the pacer alone: on a connection with open calls it leaves it to the next turn to make what is due, which costs no send more, as long as that comes
    /// in time.
    /// </summary>
    public void MakeOverdueCalls(long now, long patience)
    {
        long overdue = now - NextAt;
        if (overdue < 0 || (turnsMakeCalls && overdue < patience && Counts.Open > 0)) return;
        MakeDueCalls(now);
    }

    /// <summary>Takes back a token that has made its call.</summary>
    /// <returns>Whether it is kept; false after the end.</returns>
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

    /// <summary>Makes no further calls.</summary>
    /// <returns>Completes when the last one is answered.</returns>
    public Task CloseAsync()
    {
        ScheduledPace[] dismissed;
        lock (_gate)
        {
            _isClosed = true;
            dismissed = [.. _parked];
            _parked.Clear();
            _tokens -= dismissed.Length; // here and not when they end, so that they do not count as open calls meanwhile
            if (_tokens == 0) _ended.TrySetResult();
        }

        foreach (var pace in dismissed) pace.Dismiss();
        return _ended.Task;
    }

    /// <param name="now">What is due by then.</param>
    /// <param name="call">What to make.</param>
    /// <param name="parked">What to make it with; null for a new token.</param>
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
