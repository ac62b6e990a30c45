namespace Mux.Execution;

/// <summary>
/// Measures user code in a turn with few clock readings. The time between two readings is charged to the code that ran in it, if all of it was of one kind. If
/// different kinds ran and took too long, the next calls are measured one by one to find the expensive kind. Turn only.
/// </summary>
/// <remarks>
/// On an overloaded machine, threads are suspended for milliseconds again and again, and cheap code would look expensive. So after a window that took
/// suspiciously long, the next ones are watched: the system tells whether the thread waited or how much processor time it used, and only that is charged.
/// </remarks>
/// <param name="readUsage">Reads the system's figures of the thread; null if there are none, so that all time is charged.</param>
internal sealed class CostWindow(Func<ThreadUsage>? readUsage)
{
    /// <summary>Number of calls measured one by one after a mixed window that took too long: four windows.</summary>
    private const int CallsInDetail = 64;

    /// <summary>
    /// Length in microseconds above which a window may have been interrupted: a third of the shortest time slice that other threads usually get.
    /// </summary>
    private const long Suspicious = 1_000;

    /// <summary>Time for which windows are watched after a suspicious one, in microseconds.</summary>
    private const long WatchTime = 1_000_000;

    private Placement? _code;
    private bool _isMixed;
    private int _calls;
    private long _since;
    private int _inDetail;
    private long _watchUntil = long.MinValue;
    private bool _isWatched;
    private ThreadUsage _usage; // at the start of the window, if it is watched

    /// <summary>Creates a window for real threads.</summary>
    public CostWindow()
        : this(ThreadUsage.IsKnown ? ThreadUsage.Read : null)
    {
    }

    /// <summary>True if the clock should be read after each call.</summary>
    public bool WantsDetail => _inDetail > 0;

    /// <summary>Counts user code that is about to run.</summary>
    /// <param name="code">Kind of the code.</param>
    /// <param name="runs">Number of messages: a stream consumer takes several in one run.</param>
    public void Count(Placement? code, int runs = 1)
    {
        bool isFirst = _calls == 0;
        _calls += runs;
        if (_code == code) return;
        if (isFirst) _code = code;
        else _isMixed = true;
    }

    /// <summary>Starts a window at the beginning of a delivery.</summary>
    public void Begin(long now) => Restart(now);

    /// <summary>Charges the time since the last clock reading and starts the next window.</summary>
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

    /// <returns>The time to charge.</returns>
    private long Examine(long elapsed, long now)
    {
        _watchUntil = now + WatchTime;
        if (!_isWatched) return _calls * Placement.CheapCost; // usage is unknown; the next window is watched
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
