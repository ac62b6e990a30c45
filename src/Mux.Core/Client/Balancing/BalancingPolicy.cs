using Mux.Contracts;

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

/// <summary>The checked options of balancing, in the engine's units. Times are microseconds.</summary>
internal sealed record BalancingSettings
{
    /// <summary>The settings of a channel whose options say nothing.</summary>
    public static readonly BalancingSettings Default = new();

    /// <summary>True if the endpoints take turns instead of being compared.</summary>
    public bool IsRoundRobin { get; init; }

    /// <summary>The zone of this process, or null: then all endpoints count as near.</summary>
    public string? Zone { get; init; }

    /// <summary>Factor on the score of endpoints in other zones.</summary>
    public double ZoneFactor { get; init; } = 1.5;

    /// <summary>Time in which an endpoint that has opened or returned comes to its full share. 0: at once.</summary>
    public long SlowStart { get; init; } = 500_000;

    /// <summary>Number of endpoints of which a client uses no more if there are over twice as many. 0: it uses all.</summary>
    public int SubsetSize { get; init; } = 20;

    /// <summary>True if endpoints that fail many calls are left out for a time.</summary>
    public bool Ejects { get; init; } = true;

    /// <summary>How long an endpoint is left out the first time.</summary>
    public long EjectionTime { get; init; } = 5_000_000;

    /// <summary>How long it is left out at most.</summary>
    public long MaxEjectionTime { get; init; } = 300_000_000;
}

/// <summary>
/// The affinity key of a call, as a hash that is the same in every process: calls with equal keys go to the same endpoint while it takes calls.
/// </summary>
/// <param name="Hash">The hash, as of <see cref="KeyHash"/>; 0 for a call without a key.</param>
internal readonly record struct CallKey(ulong Hash)
{
    /// <summary>The key of a call without one.</summary>
    public static CallKey None => default;

    public bool IsNone => Hash == 0;

    public static CallKey Of(string key) => new(KeyHash.Of(key));
}
