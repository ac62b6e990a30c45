namespace Mux.Engine;

/// <summary>
/// The least time that work waited in each window of 100 ms. A queue that is short once in a window only evens out a burst; one that never is stands, and every
/// call pays for it (Nichols and Jacobson, "Controlling Queue Delay", 2012). Pure; times in microseconds.
/// </summary>
internal sealed class QueueTime
{
    /// <summary>Length of a window.</summary>
    public const long Window = 100_000;

    private const long Unknown = long.MaxValue;

    private long _begunAt = long.MinValue;
    private long _lastAt;
    private long _least = Unknown;

    /// <summary>The least time of the last window; 0 before the first has ended.</summary>
    public long Least { get; private set; }

    /// <summary>Adds a look.</summary>
    /// <param name="now">Time of the look.</param>
    /// <param name="waited">Time for which the work that waits now has waited.</param>
    /// <returns>Number of windows that have ended: more than one if nothing was looked at in between, because there was nothing to do.</returns>
    public int Add(long now, long waited)
    {
        if (_begunAt == long.MinValue) _begunAt = _lastAt = now;
        bool hasRested = now - _lastAt >= Window && waited == 0;
        _lastAt = now;
        _least = Math.Min(_least, waited);
        long passed = now - _begunAt;
        if (passed < Window) return 0;
        (Least, _least, _begunAt) = (_least, Unknown, now);
        return hasRested ? (int)Math.Min(passed / Window, int.MaxValue) : 1;
    }
}

/// <summary>The share of its processors that a process has used since the last time it was asked. Pure; times in microseconds.</summary>
/// <param name="processors">Number of processors that the process may use.</param>
internal sealed class ProcessorShare(int processors)
{
    private long _used = -1;
    private long _at;

    /// <summary>Gets the share in thousandths; 0 the first time.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="used">Processor time of the process since its start, all threads together.</param>
    public int Of(long now, long used)
    {
        long passed = (now - _at) * processors;
        int share = _used < 0 || passed <= 0 ? 0 : (int)Math.Clamp((used - _used) * 1_000 / passed, 0, 1_000);
        (_at, _used) = (now, used);
        return share;
    }
}
