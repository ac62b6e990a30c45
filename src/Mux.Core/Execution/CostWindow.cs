namespace Mux.Execution;

/// <summary>
/// Measures user code in a turn by few looks at the clock: the time between two looks is charged to the code that ran meanwhile, if it was all of one kind. Where
/// different kinds ran and it took too long, the next calls are measured one by one, to find out which. Turn only.
/// </summary>
internal sealed class CostWindow
{
    /// <summary>Calls that are measured one by one after a mixed window that took too long: four windows.</summary>
    private const int CallsInDetail = 64;

    private Placement? _code;
    private bool _isMixed;
    private int _calls;
    private long _since;
    private int _inDetail;

    /// <summary>Whether the clock is to be read after each call.</summary>
    public bool WantsDetail => _inDetail > 0;

    /// <summary>User code is about to run.</summary>
    public void Count(Placement? code)
    {
        _calls++;
        if (_code == code) return;
        if (_calls == 1) _code = code;
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
            if (_inDetail > 0) _inDetail = Math.Max(0, _inDetail - _calls);
            if (!_isMixed) _code?.OnInline(elapsed, _calls);
            else if (elapsed > _calls * Placement.CheapCost) _inDetail = CallsInDetail;
        }

        Restart(now);
    }

    private void Restart(long now)
    {
        _since = now;
        _calls = 0;
        _isMixed = false;
    }
}
