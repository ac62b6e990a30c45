namespace Mux.Execution;

/// <summary>
/// Decides for one kind of user code (the handler of a method, the code behind an await) whether it runs in the turn or on a worker, by what it costs. It
/// starts in the turn and is put out by a bucket that every run pays its time into and takes <see cref="CheapCost"/> out of: a mean cost decides that lasts.
/// After a while it may try again; the while doubles each time that it fails.
/// </summary>
/// <remarks>
/// <para>What it costs on a worker is not asked: a run there sends by itself and competes for a core, so on a busy machine cheap code looked dear and stayed
/// where it is dear. A trial costs some take-overs or 8 ms, every 10 s in the end. Starting on a worker, as was planned, has the same fault.</para>
/// <para>Times are microseconds, but for those of the trials. Any number of threads report at once and nothing is synchronized: a lost report changes nothing
/// that matters.</para>
/// </remarks>
/// <param name="name">See <see cref="Name"/>.</param>
/// <param name="staysInline">It runs in the turn whatever it costs: its author says so.</param>
/// <param name="milliseconds">The time, for tests.</param>
internal sealed class Placement(string name, bool staysInline = false, Func<long>? milliseconds = null)
{
    /// <summary>
    /// What a run may cost in the turn. A worker costs 1-5 us and the batch, so code below that is slower there; and one call in a thousand that blocks for 5
    /// ms is 5 us in the mean, which the monitor deals with better than a worker for all the others.
    /// </summary>
    public const long CheapCost = 10;

    /// <summary>
    /// What one look at the clock is charged at most: one long time may have been a preemption or a collection of garbage, so several have to come together.
    /// </summary>
    private const long HighestCharge = 2_000;

    private const long DebtLimit = 8_000;

    /// <summary>Its first runs are compiled, which takes milliseconds and does not come again.</summary>
    private const int UncountedRuns = 32;

    /// <summary>Milliseconds on workers before the first trial, and before each when it keeps failing.</summary>
    private const long ShortestExile = 20;
    private const long LongestExile = 10_000;

    /// <summary>A trial has succeeded, and what was before is forgotten, when it lasted so many milliseconds.</summary>
    private const long TimeToForget = 2_000;

    private volatile bool _isInline = true;
    private int _uncountedRuns = UncountedRuns;
    private long _debt;
    private long _exile = ShortestExile;
    private long _nextChange; // when it comes back; and in the turn, since when

    /// <summary>What it is, for logs: the name of a method, or of the type of a state machine.</summary>
    public string Name => name;

    /// <summary>Whether its next run is to be in the turn.</summary>
    public bool IsInline => (_isInline || TryComeBack()) && !TurnMonitor.Shared.IsShortOfLeaders;

    /// <summary>How often it was put out of the turn; for tests and figures.</summary>
    public int Demotions { get; private set; }

    /// <summary>How often another thread went on because it kept a turn.</summary>
    public int TakeOvers { get; private set; }

    private long Now => milliseconds?.Invoke() ?? Environment.TickCount64;

    /// <summary>It ran <paramref name="runs"/> times in a turn, in <paramref name="elapsed"/> together.</summary>
    public void OnInline(long elapsed, int runs)
    {
        if (_uncountedRuns > 0)
        {
            _uncountedRuns -= runs;
            return;
        }

        long debt = _debt + Math.Min(elapsed, HighestCharge + (runs * CheapCost)) - (runs * CheapCost);
        if (debt > 0 || _debt > 0) Charge(Math.Max(0, debt));
    }

    /// <summary>Another thread had to go on. If this one waits, that is charged beside the time it takes in the end, which may be for ever.</summary>
    public void OnTakenOver(bool waits)
    {
        TakeOvers++;
        if (waits) Charge(_debt + HighestCharge);
    }

    private void Charge(long debt)
    {
        _debt = debt;
        if (debt <= DebtLimit || !_isInline || staysInline) return;
        long now = Now;
        if (now - _nextChange > TimeToForget) _exile = ShortestExile;
        _debt = 0;
        _nextChange = now + _exile;
        _exile = Math.Min(_exile * 2, LongestExile);
        _isInline = false;
        Demotions++;
    }

    private bool TryComeBack()
    {
        long now = Now;
        if (now < _nextChange) return false;
        _nextChange = now;
        _isInline = true;
        return true;
    }
}
