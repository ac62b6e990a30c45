namespace Mux.Execution;

/// <summary>Tells whether waiting work moves, and when it makes sense to come again. Fed by the monitor's ticks; guarded by the lock of the queue.</summary>
internal sealed class WorkProgress
{
    /// <summary>Milliseconds without a start after which waiting work has stalled.</summary>
    private const long StallTime = 1_000;

    /// <summary>Milliseconds over which the rate is measured.</summary>
    private const long RateTime = 250;

    private const double ShortestRetry = 20;
    private const double LongestRetry = 5_000;

    private long _started;
    private bool _wasWaiting;
    private long _movedAt;
    private long _toldAt = long.MinValue / 2;
    private long _rateSince;
    private long _rateFrom;
    private double _perMillisecond;

    /// <summary>Milliseconds since the last start, as of the last look; 0 while nothing waits.</summary>
    public long StandsFor { get; private set; }

    /// <summary>A look at the queue.</summary>
    /// <param name="now">Milliseconds.</param>
    /// <param name="started">Items that were started so far.</param>
    /// <param name="isWaiting">Whether some wait.</param>
    /// <returns>Whether a stall is to be told: the work has not moved for a second, and it was not told within the last one.</returns>
    public bool Look(long now, long started, bool isWaiting)
    {
        if (started != _started || !isWaiting || !_wasWaiting) _movedAt = now;
        if (!_wasWaiting) (_rateSince, _rateFrom) = (now, started); // the monitor may have slept since its last look
        (_started, _wasWaiting) = (started, isWaiting);
        if (now - _rateSince >= RateTime)
        {
            _perMillisecond = (started - _rateFrom) / (double)(now - _rateSince);
            (_rateSince, _rateFrom) = (now, started);
        }

        StandsFor = now - _movedAt;
        if (StandsFor < StallTime || now - _toldAt < StallTime) return false;
        _toldAt = now;
        return true;
    }

    /// <summary>After how many milliseconds a refused caller may find room: what waits divided by the rate at which work starts, 20 ms to 5 s.</summary>
    public double RetryAfter(int waiting) => _perMillisecond <= 0 ? LongestRetry : Math.Clamp(waiting / _perMillisecond, ShortestRetry, LongestRetry);
}
