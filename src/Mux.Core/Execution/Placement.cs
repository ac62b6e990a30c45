namespace Mux.Execution;

/// <summary>
/// Decides for one kind of user code (the handler of a method, the code behind an await) whether it runs in the turn or on a worker, by what it costs. It starts in the turn, is
/// put out by a bucket that every run pays its time into and takes <see cref="CheapCost"/> out of, so that a mean cost decides that lasts and no single preemption does, and
/// comes back after some cheap runs on a worker.
/// </summary>
/// <remarks>
/// <para>Starting on a worker, as was planned, is worse where the machine is busy: each run there sends by itself, which takes long enough to look dear, and so the code stays
/// where it is dear. A first run that blocks costs its connection one take-over.</para>
/// <para>Times are microseconds. Any number of threads report at once and nothing is synchronized: a lost report changes nothing that matters.</para>
/// </remarks>
/// <param name="name">See <see cref="Name"/>.</param>
/// <param name="staysInline">It runs in the turn whatever it costs: its author says so.</param>
internal sealed class Placement(string name, bool staysInline = false)
{
    /// <summary>
    /// What a run may cost in the turn. A worker costs 1-5 us and the batch, so code below that is slower there; and one call in a thousand that blocks for 5 ms
    /// is 5 us in the mean, which the monitor deals with better than a worker for all the others.
    /// </summary>
    public const long CheapCost = 10;

    /// <summary>What a run on a worker may cost to count as cheap: it may send by itself there, which it does not in the turn.</summary>
    public const long CheapWorkerCost = 30;

    /// <summary>8 ms, two time slices of the system: below that it may have been a preemption.</summary>
    private const long DebtLimit = 8_000;

    /// <summary>Its first runs are compiled, which takes milliseconds and does not come again.</summary>
    private const int UncountedRuns = 32;

    private const int MinProbation = 32;
    private const int MaxProbation = 4_096;

    /// <summary>After so many runs in the turn an earlier probation is half forgotten.</summary>
    private const int RunsToForgive = 65_536;

    /// <summary>A dear run on a worker takes back this many cheap ones: a median decides, not the last one.</summary>
    private const int DearRunWeight = 4;

    private volatile bool _isInline = true;
    private int _uncountedRuns = UncountedRuns;
    private long _debt;
    private int _probation = MinProbation;
    private int _cheapRuns;
    private int _inlineRuns;

    /// <summary>What it is, for logs: the name of a method, or of the type of a state machine.</summary>
    public string Name => name;

    /// <summary>Whether it runs in the turn.</summary>
    public bool IsInline => _isInline;

    /// <summary>How often it was put out of the turn; for tests and figures.</summary>
    public int Demotions { get; private set; }

    /// <summary>How often another thread went on because it kept a turn.</summary>
    public int TakeOvers { get; private set; }

    /// <summary>It ran <paramref name="runs"/> times in a turn, in <paramref name="elapsed"/> together.</summary>
    public void OnInline(long elapsed, int runs)
    {
        if (_uncountedRuns > 0)
        {
            _uncountedRuns -= runs;
            return;
        }

        long debt = _debt + elapsed - (runs * CheapCost);
        if (debt > 0 || _debt > 0) Charge(Math.Max(0, debt));
        if (_probation == MinProbation || (_inlineRuns += runs) <= RunsToForgive) return;
        _inlineRuns = 0;
        _probation = Math.Max(_probation / 2, MinProbation);
    }

    /// <summary>Another thread had to go on. What it is charged beside the time it takes in the end, which may be for ever.</summary>
    public void OnTakenOver(long charge)
    {
        TakeOvers++;
        Charge(_debt + charge);
    }

    /// <summary>It ran once on a worker.</summary>
    public void OnWorker(long elapsed)
    {
        if (_isInline) return;
        if (elapsed > CheapWorkerCost) _cheapRuns = Math.Max(0, _cheapRuns - DearRunWeight);
        else if (++_cheapRuns >= _probation) Promote();
    }

    private void Promote()
    {
        _debt = 0;
        _isInline = true;
    }

    private void Charge(long debt)
    {
        _debt = debt;
        if (debt <= DebtLimit || !_isInline || staysInline) return;
        _isInline = false;
        _debt = 0;
        _cheapRuns = 0;
        _inlineRuns = 0;
        _probation = Math.Min(_probation * 2, MaxProbation);
        Demotions++;
    }
}
