namespace Mux.Execution;

/// <summary>
/// Measures user code in a turn by few looks at the clock: the time between two looks is charged to the code that ran meanwhile, if it was all of one kind.
/// Where different kinds ran and it took too long, the next calls are measured one by one, to find out which. Turn only.
/// </summary>
/// <remarks>
/// On a machine with too little time for all, threads are suspended for milliseconds again and again, and cheap code would look dear. So after a window that
/// took suspiciously long the next ones are watched: the system is asked whether the thread waited, or what it used of its processor, and only that is charged.
/// </remarks>
/// <param name="readUsage">What the system says of the thread; null where it says nothing, and all time is charged.</param>
internal sealed class CostWindow(Func<ThreadUsage>? readUsage)
{
    /// <summary>Calls that are measured one by one after a mixed window that took too long: four windows.</summary>
    private const int CallsInDetail = 64;

    /// <summary>Microseconds above which a window may have been interrupted: a third of the shortest time slice that others usually get.</summary>
    private const long Suspicious = 1_000;

    /// <summary>For how long windows are watched after a suspicious one, microseconds.</summary>
    private const long WatchTime = 1_000_000;

    private Placement? _code;
    private bool _isMixed;
    private int _calls;
    private long _since;
    private int _inDetail;
    private long _watchUntil = long.MinValue;
    private bool _isWatched;
    private ThreadUsage _usage; // when the window began, if it is watched

    /// <summary>Of real threads.</summary>
    public CostWindow()
        : this(ThreadUsage.IsKnown ? ThreadUsage.Read : null)
    {
    }

    /// <summary>Whether the clock is to be read after each call.</summary>
    public bool WantsDetail => _inDetail > 0;

    /// <summary>User code is about to run.</summary>
    /// <param name="code">Whose it is.</param>
    /// <param name="runs">For how many messages: a consumer of a stream takes several in one go.</param>
    public void Count(Placement? code, int runs = 1)
    {
        bool isFirst = _calls == 0;
        _calls += runs;
        if (_code == code) return;
        if (isFirst) _code = code;
        else _isMixed = true;
    }

    /// <summary>A delivery begins.</summary>
    public void Begin(long now) => Restart(now);

    /// <summary>The clock was read. The time since the last time is charged.</summary>
    public void Close(long now)
    {
        if (_calls > 0)
        {
            long elapsed = now - _since;
            if (elapsed > Suspicious && readUsage is not null) elapsed = Examine(elapsed, now);
            if (_inDetail > 0) _inDetail = Math.Max(0, _inDetail - _calls);
            if (!_isMixed) _code?.OnInline(elapsed, _calls);
            else if (elapsed > _calls * Placement.CheapCost) _inDetail = CallsInDetail;
        }

        Restart(now);
    }

    /// <returns>What is to be charged.</returns>
    private long Examine(long elapsed, long now)
    {
        _watchUntil = now + WatchTime;
        if (!_isWatched) return _calls * Placement.CheapCost; // it is not known; the next one will be
        var usage = readUsage!();
        return usage.Waits > _usage.Waits ? elapsed : Math.Min(elapsed, usage.Processor - _usage.Processor);
    }

    private void Restart(long now)
    {
        _since = now;
        _calls = 0;
        _isMixed = false;
        _isWatched = now < _watchUntil;
        if (_isWatched) _usage = readUsage!();
    }
}
