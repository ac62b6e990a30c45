namespace Mux.Runtime;

/// <summary>Detects stalls of waiting work and estimates when a retry makes sense. Fed by the monitor's ticks; guarded by the lock of the queue.</summary>
internal sealed class WorkProgress
{
    /// <summary>Milliseconds without a start after which waiting work is stalled.</summary>
    private const long StallTime = 1_000;

    /// <summary>
    /// Milliseconds without a start after which one more thread is worth its competition for a core, although the running code may compute: half a second, as
    /// in the .NET thread pool.
    /// </summary>
    private const long CompanyTime = 500;

    /// <summary>Milliseconds between two such threads, while the first has started nothing yet.</summary>
    private const long CompanyPause = 100;

    /// <summary>Milliseconds over which the rate is measured.</summary>
    private const long RateTime = 250;

    private const double ShortestRetry = 20;
    private const double LongestRetry = 5_000;

    private long _started;
    private bool _wasWaiting;
    private long _movedAt;
    private long _toldAt = long.MinValue / 2;
    private long _joinedAt = long.MinValue / 2;
    private long _rateSince;
    private long _rateFrom;
    private double _perMillisecond;

    /// <summary>Milliseconds since the last start, as of the last look; 0 while nothing waits.</summary>
    public long StandsFor { get; private set; }

    /// <summary>Takes a look at the queue.</summary>
    /// <param name="now">Current time in milliseconds.</param>
    /// <param name="started">Number of items started so far.</param>
    /// <param name="isWaiting">True if items wait.</param>
    /// <returns>True if a stall should be reported: no item has started for a second, and no stall was reported within the last second.</returns>
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

    /// <summary>
    /// True, at most every 100 ms, if nothing has started for so long that a thread more should, whatever the others do. Code that computes for ever, or that
    /// waits in a loop for what is in the queue, would otherwise hold up all that waits. Asked after <see cref="Look"/>.
    /// </summary>
    public bool WantsCompany(long now)
    {
        if (StandsFor < CompanyTime || now - _joinedAt < CompanyPause) return false;
        _joinedAt = now;
        return true;
    }

    /// <summary>Milliseconds after which a refused caller may find room: waiting items divided by the rate of starts, 20 ms to 5 s.</summary>
    public double RetryAfter(int waiting) => _perMillisecond <= 0 ? LongestRetry : Math.Clamp(waiting / _perMillisecond, ShortestRetry, LongestRetry);
}
