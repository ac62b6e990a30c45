namespace Mux.Transports.Epoll;

/// <summary>
/// Whether a loop with nothing to do asks the kernel again and again for a moment before it sleeps. Waking a thread costs 30-50 us, which is most of a lone
/// call; polling costs a core. So it is done only while it pays. The leader's alone; times are ticks of any clock.
/// </summary>
/// <remarks>
/// Polls that find nothing end the polling before all but one of 32 sleeps, until one of these finds something. Time polled in vain is at most 10 % of any
/// second. And a thread that is preempted while it polls shows that others may need the core: nothing is polled for 5 ms then, twice as long each time it comes
/// again, up to 1.28 s.
/// </remarks>
internal sealed class PollPolicy
{
    // A poll costs 0.2 us: a gap of 100 us between two of them is a thread that did not run.
    private const long PreemptionsPerSecond = 10_000;

    private const int FullConfidence = 16;
    private const int ConfidencePerHit = 2;
    private const int SleepsPerProbe = 32;

    // What a full budget holds and what flows into it in a second: together the 10 % of any one second.
    private const long BudgetsPerSecond = 20;

    private const int FirstPauseDivisor = 200; // 5 ms
    private const int MostDoublings = 8; // 1.28 s

    private readonly PollPlace _place;
    private readonly long _frequency;
    private readonly long _pollTime;
    private readonly long _preemption;
    private readonly long _budget;

    private long _polls;
    private long _hits;
    private long _preempted;

    private int _confidence = FullConfidence;
    private int _sleeps;
    private long _spent;
    private long _spentAt;
    private long _offUntil = long.MinValue;
    private int _doublings;
    private long _start;
    private long _last;

    /// <param name="pollTime">How long to poll before a sleep, in ticks; 0 turns it off.</param>
    /// <param name="frequency">Ticks in a second.</param>
    /// <param name="processors">Polling with one takes the core from everybody else.</param>
    /// <param name="place">Shared by the loops of which one may poll at a time.</param>
    public PollPolicy(long pollTime, long frequency, int processors, PollPlace place)
    {
        _place = place;
        _frequency = frequency;
        _pollTime = processors > 1 ? pollTime : 0;
        _preemption = frequency / PreemptionsPerSecond;
        _budget = frequency / BudgetsPerSecond;
        IsOn = _pollTime > 0;
    }

    /// <summary>Whether there is any polling at all.</summary>
    public bool IsOn { get; }

    /// <summary>Times the loop polled.</summary>
    public long Polls => Volatile.Read(ref _polls);

    /// <summary>Times it found something.</summary>
    public long Hits => Volatile.Read(ref _hits);

    /// <summary>Times the thread was preempted while it polled.</summary>
    public long Preempted => Volatile.Read(ref _preempted);

    /// <summary>
    /// Before a sleep: whether to poll. Then <see cref="Continue"/> follows after each look that found nothing, and <see cref="End"/> in the end.
    /// </summary>
    public bool TryBegin(long now)
    {
        if (!IsOn || now < _offUntil) return false;
        if (_confidence == 0 && ++_sleeps % SleepsPerProbe != 0) return false;
        Refill(now);
        if (_spent + _pollTime > _budget || !_place.TryTake()) return false;
        _start = _last = now;
        return true;
    }

    /// <summary>Whether to look once more.</summary>
    public bool Continue(long now)
    {
        bool isPreempted = now - _last > _preemption;
        if (isPreempted) PauseAt(now);
        _last = now;
        return !isPreempted && now - _start < _pollTime;
    }

    /// <summary>The polling is over.</summary>
    /// <param name="now">The time.</param>
    /// <param name="hit">Whether something was found.</param>
    public void End(long now, bool hit)
    {
        _place.Leave();
        if (now - _last > _preemption) PauseAt(now);
        Volatile.Write(ref _polls, _polls + 1);
        if (hit)
        {
            Volatile.Write(ref _hits, _hits + 1);
            _confidence = Math.Min(_confidence + ConfidencePerHit, FullConfidence);
        }
        else
        {
            _spent += now - _start;
            if (_confidence > 0) _confidence--;
        }
    }

    private void Refill(long now)
    {
        _spent = Math.Max(0, _spent - ((now - _spentAt) / BudgetsPerSecond));
        _spentAt = now;
    }

    private void PauseAt(long now)
    {
        long pause = (_frequency / FirstPauseDivisor) << _doublings;
        bool isCalm = _offUntil != long.MinValue && now - _offUntil > pause;
        if (isCalm) _doublings = 0;
        _offUntil = now + ((_frequency / FirstPauseDivisor) << _doublings);
        if (_doublings < MostDoublings) _doublings++;
        Volatile.Write(ref _preempted, _preempted + 1);
    }
}
