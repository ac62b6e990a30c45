namespace Mux.Client;

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
