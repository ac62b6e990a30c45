namespace Mux.Client;

/// <summary>Chooses the endpoint of each call. Safe for concurrent use.</summary>
internal abstract class BalancingPolicy
{
    /// <summary>Creates the policy of a channel.</summary>
    /// <param name="settings">Its settings.</param>
    /// <param name="seed">Makes choices repeat themselves, for simulations on one thread; null otherwise.</param>
    public static BalancingPolicy Create(BalancingSettings settings, ulong? seed = null) =>
        settings.IsRoundRobin ? new RoundRobin(settings, seed) : new TwoChoices(seed);

    /// <summary>Chooses the endpoint of a call. A call with a key goes where its key says, whatever the policy.</summary>
    /// <param name="set">The endpoints.</param>
    /// <param name="own">The endpoint of the connection in whose turn the call is made: calls there cost no send of their own. Null outside turns.</param>
    /// <param name="key">The key of the call.</param>
    /// <param name="now">The current time; one of some ms ago will do.</param>
    /// <param name="avoided">For retries and hedges: the endpoint of the attempt before.</param>
    /// <returns>Null if no endpoint is open, or none but <paramref name="avoided"/>.</returns>
    public Candidate? Pick(CandidateSet set, Candidate? own, in CallKey key, long now, Candidate? avoided = null)
    {
        // The connection of the turn takes calls, or no call would have it as its own: whether its endpoint is open is asked only before a comparison.
        if (own is not null && avoided is null && key.IsNone && set.Probing.IsEmpty && own.TryStay()) return own;
        return PickAnew(set, own, key, now, avoided);
    }

    /// <summary>Gets the order in which calls are given out, if the policy has one.</summary>
    /// <param name="pickable">The endpoints that take calls.</param>
    public virtual Candidate[] OrderOf(Candidate[] pickable) => [];

    /// <summary>Chooses the endpoint of a call without a key.</summary>
    protected abstract Candidate? Choose(CandidateSet set, Candidate? own, long now, Candidate? avoided);

    private Candidate? PickAnew(CandidateSet set, Candidate? own, in CallKey key, long now, Candidate? avoided)
    {
        if (set.Probing.Length > 0 && FindProbe(set, now, avoided) is { } probed) return probed;
        return key.IsNone ? Choose(set, own, now, avoided) : set.FindByKey(key, now, avoided);
    }

    private static Candidate? FindProbe(CandidateSet set, long now, Candidate? avoided)
    {
        foreach (var candidate in set.Probing)
        {
            if (candidate != avoided && candidate.IsOpen && candidate.Ejection.TryProbe(now)) return candidate;
        }

        return null;
    }
}
