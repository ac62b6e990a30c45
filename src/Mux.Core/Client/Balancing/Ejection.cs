namespace Mux.Client;

/// <summary>
/// Whether an endpoint is left out, and until when. After that time one call probes it; if that does not fail, it returns. While it is closed nothing probes
/// it, for a dial that is refused says nothing about its calls; and once it opens it is probed at once, whatever the cause was: it is another process now, or
/// its network is back. Written under the router's lock, except for the probe, which any thread may take.
/// </summary>
/// <param name="shortest">Microseconds of the first ejection, and after which another call may probe if the first has not ended: it may be a stream.</param>
/// <param name="longest">Microseconds of the longest ejection. Each one lasts twice as long as the one before.</param>
internal sealed class Ejection(long shortest, long longest)
{
    private const int Serves = 0, Out = 1, Probes = 2, Probed = 3;
    private const int MostDoublings = 24; // from a tenth of a second to weeks, and no overflow

    private int _state;
    private long _lasts;
    private long _returnedAt;
    private long _probedAt;
    private long _completedBefore;
    private bool _isClosed;

    /// <summary>True while it is left out or probed.</summary>
    public bool IsOut => Volatile.Read(ref _state) != Serves;

    /// <summary>True while no call probes it yet.</summary>
    public bool IsEjected => Volatile.Read(ref _state) == Out;

    /// <summary>True while one call may go there, or is there.</summary>
    public bool IsProbing => Volatile.Read(ref _state) is Probes or Probed;

    /// <summary>Time at which it may be probed.</summary>
    public long Until { get; private set; }

    /// <summary>Number of ejections shortly after each other.</summary>
    public int Times { get; private set; }

    /// <summary>Why it was left out last. Meaningful once it was.</summary>
    public EjectionCause Cause { get; private set; }

    /// <summary>Leaves it out.</summary>
    public void Begin(EjectionCause cause, long now)
    {
        if (!IsOut && now - _returnedAt >= _lasts) Times = 0; // it has served for as long as it was last left out
        _lasts = Times >= MostDoublings ? longest : Math.Min(shortest << Times, longest);
        Times++;
        Until = now + _lasts;
        Cause = cause;
        Volatile.Write(ref _state, Out);
    }

    /// <summary>Its first connection has opened, or it serves.</summary>
    public void OnOpened(long completed)
    {
        bool wasClosed = _isClosed;
        _isClosed = false;
        if (wasClosed && IsOut) BeginProbing(completed);
    }

    /// <summary>None of its connections takes calls: a probe that is under way tells nothing any longer.</summary>
    public void OnClosed()
    {
        _isClosed = true;
        if (IsProbing) Volatile.Write(ref _state, Out);
    }

    /// <summary>Takes the right to probe. Called by any thread.</summary>
    public bool TryProbe(long now)
    {
        if (Volatile.Read(ref _state) != Probes) return false;
        Volatile.Write(ref _probedAt, now); // threads that compete for the probe write about the same
        return Interlocked.CompareExchange(ref _state, Probed, Probes) == Probes;
    }

    /// <summary>
    /// Moves on with time, and with the outcome of the probe: the first call that ends is no fault, or it would have been ejected again. That call may be an
    /// older one, or one that was sent there because ejections were void.
    /// </summary>
    /// <returns>True if it has changed.</returns>
    public bool Advance(long completed, long now)
    {
        switch (Volatile.Read(ref _state))
        {
            case Probes or Probed when completed > _completedBefore:
                _returnedAt = now;
                Volatile.Write(ref _state, Serves);
                return true;
            case Out when now >= Until && !_isClosed:
            case Probed when now - Volatile.Read(ref _probedAt) >= shortest:
                BeginProbing(completed);
                return true;
            default:
                return false;
        }
    }

    private void BeginProbing(long completed)
    {
        _completedBefore = completed;
        Volatile.Write(ref _state, Probes);
    }
}

/// <summary>
/// Decides which endpoints are left out for a time: what fails fast looks idle, and would draw the calls of every policy that feels load. Pure: time and counts
/// come in. All members are called under the router's lock.
/// </summary>
internal sealed class EjectionRules(BalancingSettings settings)
{
    /// <summary>
    /// Microseconds for which an endpoint must have failed while calls at others are open and none of them has ended: when all stand still, the deadlines of
    /// their calls pass in the same moment, and one is the first. A tick of deadlines takes 10 ms, and threads of a busy machine some more.
    /// </summary>
    private const long Doubt = 300_000;

    /// <summary>Ejects an endpoint that has just failed a call or a connection, if its faults and the state of the others allow it.</summary>
    /// <param name="candidate">The endpoint.</param>
    /// <param name="all">All endpoints, with this one.</param>
    /// <param name="now">The current time.</param>
    /// <returns>True if it is ejected now: the set must be built anew.</returns>
    public bool TryEject(Candidate candidate, IReadOnlyList<Candidate> all, long now)
    {
        var ejection = candidate.Ejection;
        if (!settings.Ejects || ejection.IsEjected || candidate.IsLeaving) return false;
        bool probeFailed = ejection.IsProbing;
        bool failsToConnect = candidate.Faults.FailsToConnect;
        if (!probeFailed && !(MayEject(candidate, all) && (failsToConnect || IsWorse(candidate, all, now)))) return false;
        ejection.Begin(probeFailed ? EjectionCause.FailedProbe : failsToConnect ? EjectionCause.FailedConnections : EjectionCause.FailedCalls, now);
        candidate.Faults.Forget(candidate.Completed, now);
        return true;
    }

    /// <summary>Lets endpoints be probed whose time is over, and return whose probe has not failed. Called every 100 ms or so.</summary>
    /// <param name="all">All endpoints.</param>
    /// <param name="now">The current time.</param>
    /// <param name="returned">Gets the endpoints that take calls again.</param>
    /// <returns>True if the set must be built anew.</returns>
    public bool Advance(IReadOnlyList<Candidate> all, long now, ICollection<Candidate>? returned = null)
    {
        if (!settings.Ejects) return false; // none was ejected
        bool hasChanged = false;
        foreach (var candidate in all)
        {
            if (!candidate.Ejection.IsOut || !candidate.Ejection.Advance(candidate.Completed, now)) continue;
            hasChanged = true;
            candidate.Faults.Forget(candidate.Completed, now);
            if (candidate.Ejection.IsOut) continue;
            candidate.OnOpened(now); // its share grows anew
            returned?.Add(candidate);
        }

        return hasChanged;
    }

    /// <summary>At most half are ejected, never the last, and none while fewer than half are open.</summary>
    private static bool MayEject(Candidate candidate, IReadOnlyList<Candidate> all)
    {
        int count = 0, open = 0, ejected = 0, left = 0;
        foreach (var other in all)
        {
            if (other.IsLeaving) continue;
            count++;
            if (other.IsOpen) open++;
            if (other.Ejection.IsOut) ejected++;
            else if (other != candidate && other.IsOpen) left++;
        }

        return (ejected + 1) * 2 <= count && open * 2 >= count && left > 0;
    }

    /// <summary>
    /// True if it fails over half of its calls, and twice the share of the others: what all fail is the callers' fault, or that of a part behind them.
    /// </summary>
    private static bool IsWorse(Candidate candidate, IReadOnlyList<Candidate> all, long now)
    {
        long calls = 0, faults = 0;
        bool areOthersOpen = false;
        foreach (var other in all)
        {
            if (other == candidate || other.Ejection.IsOut) continue;
            var (otherCalls, otherFaults) = other.Faults.Count(other.Completed, now);
            (calls, faults) = (calls + otherCalls, faults + otherFaults);
            areOthersOpen |= other.Load > 0;
        }

        var (ownCalls, ownFaults) = candidate.Faults.Count(candidate.Completed, now);
        if (!FaultWindow.IsBad(ownCalls, ownFaults)) return false;
        return calls > 0 ? (double)ownFaults * calls > 2.0 * faults * ownCalls : !areOthersOpen || candidate.Faults.HasFailedFor(Doubt, now);
    }
}

/// <summary>Why an endpoint is ejected.</summary>
internal enum EjectionCause
{
    /// <summary>It has failed more than half of its calls.</summary>
    FailedCalls,

    /// <summary>Connections to it fail, or are lost before they are of use, one after the other.</summary>
    FailedConnections,

    /// <summary>It has failed again when a call tried it.</summary>
    FailedProbe,
}
