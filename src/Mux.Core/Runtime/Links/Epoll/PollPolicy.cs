namespace Mux.Runtime;

/// <summary>
/// Decides whether an idle loop polls the kernel for a moment before it sleeps. Waking a thread costs 30-50 us, most of a lone call; polling costs a core, so
/// it is done only while it pays. Owned by the leader; times are ticks of any clock.
/// </summary>
/// <remarks>
/// <para>After polls that find nothing, only one of 32 sleeps is preceded by a poll, until such a poll finds something. Polls in vain take at most 10 % of any
/// second.</para>
/// <para>A thread that is preempted while it polls shows that others may need the core. Polling then stops for 5 ms, twice as long each time it happens again,
/// up to 1.28 s.</para>
/// </remarks>
internal sealed class PollPolicy
{
    // A poll costs 0.2 us, so a gap of 100 us between two polls means that the thread did not run.
    private const long PreemptionsPerSecond = 10_000;

    private const int FullConfidence = 16;
    private const int ConfidencePerHit = 2;
    private const int SleepsPerProbe = 32;

    // Size of a full budget, and inflow per second: together at most 10 % of any second.
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

    /// <param name="pollTime">Time to poll before a sleep, in ticks; 0 turns polling off.</param>
    /// <param name="frequency">Ticks per second.</param>
    /// <param name="processors">Number of processors. With one there is no polling: it would take the core from everything else.</param>
    /// <param name="place">Shared by the loops, of which one may poll at a time.</param>
    public PollPolicy(long pollTime, long frequency, int processors, PollPlace place)
    {
        _place = place;
        _frequency = frequency;
        _pollTime = processors > 1 ? pollTime : 0;
        _preemption = frequency / PreemptionsPerSecond;
        _budget = frequency / BudgetsPerSecond;
        IsOn = _pollTime > 0;
    }

    /// <summary>True if the loop ever polls.</summary>
    public bool IsOn { get; }

    /// <summary>Number of polls.</summary>
    public long Polls => Volatile.Read(ref _polls);

    /// <summary>Number of polls that found something.</summary>
    public long Hits => Volatile.Read(ref _hits);

    /// <summary>Number of times the thread was preempted while it polled.</summary>
    public long Preempted => Volatile.Read(ref _preempted);

    /// <summary>
    /// Decides before a sleep whether to poll. If true, call <see cref="Continue"/> after each look that found nothing, and <see cref="End"/> at the end.
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

    /// <summary>True if the loop should look once more.</summary>
    public bool Continue(long now)
    {
        bool isPreempted = now - _last > _preemption;
        if (isPreempted) PauseAt(now);
        _last = now;
        return !isPreempted && now - _start < _pollTime;
    }

    /// <summary>Ends a poll.</summary>
    /// <param name="now">The current time.</param>
    /// <param name="hit">True if something was found.</param>
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

/// <summary>Permit for one polling loop: a second one would take a core from the code that is to send what the first one waits for.</summary>
internal sealed class PollPlace
{
    /// <summary>The permit that all loops of the process share.</summary>
    public static readonly PollPlace OfProcess = new();

    private int _taken;

    public bool TryTake() => Volatile.Read(ref _taken) == 0 && Interlocked.Exchange(ref _taken, 1) == 0;

    public void Leave() => Volatile.Write(ref _taken, 0);
}
