using System.Runtime.CompilerServices;
using Mux.Contracts;

namespace Mux.Client;

/// <summary>
/// Compares two endpoints at random and takes the one with the lower score: nearly as even as a comparison of all, at a cost that does not grow with their
/// number, and without the herd that runs to the least loaded one (Mitzenmacher, "The power of two choices in randomized load balancing", 2001). The two are
/// distinct; otherwise a fifth of the calls would not be balanced among five (grpc-java#12237). In the turn of a connection one of the two is its endpoint.
/// </summary>
internal sealed class TwoChoices(ulong? seed = null) : BalancingPolicy
{
    /// <summary>Ratio of the scores of two endpoints with as many calls from which on the better one gets all of them.</summary>
    private const double ClearlyBetter = 2;

    /// <summary>
    /// How many times worse the better one is than the best of all when all are looked at: with three of five that are slow, three of ten pairs are two slow
    /// ones, and the longest calls would be theirs.
    /// </summary>
    private const double BothAreBad = 4;

    private readonly PickRandom _random = new(seed);

    protected override Candidate? Choose(CandidateSet set, Candidate? own, long now, Candidate? avoided)
    {
        var near = set.Near;
        if (near.Length == 0) return null;
        if (avoided is not null) return set.FindLowest(now, avoided);
        // With nothing else in the turn there is no send to share: a caller that makes one call after the other is spread, too.
        if (own is { IsPickable: true, IsOpen: true, Load: > 0 }) return ChooseInTurn(set, own, now);

        ulong random = _random.Next();
        int first = PickRandom.Reduce((uint)random, near.Length);
        var best = near[first];
        if (near.Length == 1)
        {
            if (!best.IsOpen) return set.FindLowest(now, null);
        }
        else
        {
            int second = PickRandom.Reduce((uint)(random >> 32), near.Length - 1);
            if (second >= first) second++;
            best = ChooseOf(best, near[second], now);
            if (best is null) return set.FindLowest(now, null);
        }

        best = set.OrBest(best, BothAreBad, now);
        return set.Far.Length > 0 ? BetterOfZones(set, best, FarOf(set), now, out _) : best;
    }

    private Candidate ChooseInTurn(CandidateSet set, Candidate own, long now)
    {
        if (set.Pickable.Length == 1) return own;
        var best = own;
        double score = double.PositiveInfinity, zoneScore = double.PositiveInfinity; // of the best other ones
        var other = OtherOf(set.Near, own);
        if (set.Far.Length > 0 && !own.IsNear)
        {
            if (other is { IsOpen: true })
            {
                var better = BetterOfZones(set, other, own, now, out _);
                if (better != own) return better;
                zoneScore = other.ScoreBesideZonesAt(now);
            }
        }
        else
        {
            if (other is not null) best = Better(own, other, now, out score) ?? own;
            best = set.OrBest(best, BothAreBad, now);
            if (set.Far.Length > 0) best = BetterOfZones(set, best, FarOf(set), now, out zoneScore);
        }

        if (best == own) own.StayUpTo(score, zoneScore, now);
        return best;
    }

    private Candidate? OtherOf(ReadOnlySpan<Candidate> candidates, Candidate own)
    {
        int index = PickRandom.Reduce((uint)(_random.Next() >> 32), candidates.Length);
        if (candidates[index] != own) return candidates[index];
        return candidates.Length == 1 ? null : candidates[index + 1 < candidates.Length ? index + 1 : 0];
    }

    private Candidate FarOf(CandidateSet set) => set.Far[PickRandom.Reduce((uint)(_random.Next() >> 32), set.Far.Length)];

    /// <summary>
    /// Gets the better one of the best of two in the own zone and of one in another: two at random of all zones would mostly both be far. Calls stay in the own
    /// zone while it has room, whatever the number of zones. It has none while all open ones there have refused calls,
    /// and have as many as they serve.
    /// </summary>
    private static Candidate BetterOfZones(
        CandidateSet set, Candidate near, Candidate far, long now, out double farScore)
    {
        farScore = far.IsOpen ? far.ScoreBesideZonesAt(now) : double.PositiveInfinity;
        bool isNearFull = near.IsFullAt(now);
        if (isNearFull && set.FindRoom(now) is { } other) (near, isNearFull) = (other, false);
        if (far.IsOpen && isNearFull != far.IsFullAt(now)) return isNearFull ? far : near;
        return farScore < near.ScoreBesideZonesAt(now) ? far : near;
    }

    /// <summary>
    /// Gets one of two for a call that shares no send with others; null if both have closed. With as many calls on both, their factors and hints decide, which
    /// differ a little even if the servers are equal: the better one would get every call, as long as a difference of 1 % lasts. So each gets its share, in
    /// inverse proportion to the scores, up to a difference that is no accident.
    /// </summary>
    private Candidate? ChooseOf(Candidate first, Candidate second, long now)
    {
        if (first.Factor != second.Factor || !first.IsOpen || !second.IsOpen) return Better(first, second, now, out _);
        int firstLoad = first.Load, secondLoad = second.Load;
        double firstScore = first.ScoreOf(firstLoad + 1, now), secondScore = second.ScoreOf(secondLoad + 1, now);
        if (firstLoad == secondLoad && firstScore < secondScore * ClearlyBetter && secondScore < firstScore * ClearlyBetter)
            secondScore = _random.NextPart() * (firstScore + secondScore); // below the first score with a probability in proportion to that
        return secondScore < firstScore ? second : first;
    }

    /// <summary>Gets the open one with the lower score, the first if they are equal; null if both have closed.</summary>
    private Candidate? Better(Candidate first, Candidate second, long now, out double secondScore)
    {
        secondScore = double.PositiveInfinity;
        if (!second.IsOpen) return first.IsOpen ? first : null;

        // Of idle endpoints, the heavier one would get every call if a call always counted as 1. With a call of random length it gets its share: the minimum of
        // two exponential times is the first's with a probability in proportion to its rate. Zones are preferred as a whole.
        bool areWeighted = first.Factor != second.Factor && first.IsNear == second.IsNear;
        secondScore = second.ScoreAt(now, areWeighted ? _random.NextExponential() : 1);
        if (!first.IsOpen) return second;
        return secondScore < first.ScoreAt(now, areWeighted ? _random.NextExponential() : 1) ? second : first;
    }
}

/// <summary>
/// Random numbers for picks: xorshift64* (Vigna, https://arxiv.org/abs/1402.6246), 2 ns, without a cache line that threads share. With a seed it repeats
/// itself, and is not safe for concurrent use: for simulations.
/// </summary>
internal sealed class PickRandom(ulong? seed)
{
    [ThreadStatic]
    private static ulong t_state;

    private readonly bool _repeats = seed is not null;
    private ulong _state = StableHash.Combine(seed ?? 0, 1) | 1; // never 0, from which the generator would not move

    public ulong Next() => _repeats ? Step(ref _state) : Step(ref t_state);

    /// <summary>A number from 0 to <paramref name="count"/> - 1. The bias is below count / 2^32.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Reduce(uint random, int count) => (int)(((ulong)random * (uint)count) >> 32);

    /// <summary>A number of the exponential distribution with mean 1.</summary>
    public double NextExponential() => -Math.Log(((Next() >> 11) + 1) * (1.0 / (1UL << 53)));

    /// <summary>A number from 0 to below 1.</summary>
    public double NextPart() => (Next() >> 11) * (1.0 / (1UL << 53));

    private static ulong Step(ref ulong state)
    {
        ulong x = state;
        if (x == 0) x = (ulong)Random.Shared.NextInt64() | 1; // a thread's first
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        state = x;
        return x * 0x2545F4914F6CDD1D;
    }
}
