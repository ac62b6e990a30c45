namespace Mux.Client;

/// <summary>
/// Gives calls to endpoints in turn, whatever their load. Endpoints with more weight have more turns, spread as in nginx ("smooth weighted round robin"), and
/// those of other zones fewer. For calls that all cost the same, and for tests that count.
/// </summary>
internal sealed class RoundRobin(BalancingSettings settings, ulong? seed = null) : BalancingPolicy
{
    /// <summary>Most turns of a round per endpoint: weights are exact up to one part in so many.</summary>
    private const int TurnsPerEndpoint = 64;

    private const int MostTurns = 4096;

    private uint _turn = (uint)new PickRandom(seed).Next(); // clients that start together do not begin at the same endpoint

    public override Candidate[] OrderOf(Candidate[] pickable)
    {
        if (pickable.Length < 2) return pickable;
        int[] turns = TurnsOf(pickable);
        int round = turns.Sum();
        if (round == pickable.Length) return pickable;
        var order = new Candidate[round];
        int[] credit = new int[turns.Length];
        for (int turn = 0; turn < round; turn++)
        {
            int best = 0;
            for (int i = 0; i < turns.Length; i++)
            {
                credit[i] += turns[i];
                if (credit[i] > credit[best]) best = i;
            }

            credit[best] -= round;
            order[turn] = pickable[best];
        }

        return order;
    }

    protected override Candidate? Choose(CandidateSet set, Candidate? own, long now, Candidate? avoided)
    {
        var turns = set.Turns;
        if (turns.Length == 0) return null;
        int index = (int)(Interlocked.Increment(ref _turn) % (uint)turns.Length);
        for (int i = 0; i < turns.Length; i++)
        {
            var candidate = turns[index];
            if (candidate.IsOpen && candidate != avoided) return candidate;
            if (++index == turns.Length) index = 0;
        }

        return null;
    }

    /// <summary>
    /// Gets each endpoint's number of turns in a round: its weight without the common divisor, or as many as a round of bounded length allows.
    /// </summary>
    private int[] TurnsOf(Candidate[] pickable)
    {
        const int Precision = 1000; // of the factor of zones
        long[] weights = [.. pickable.Select(candidate =>
            (long)(candidate.Endpoint.Weight * Precision / (candidate.IsNear ? 1 : settings.ZoneFactor)))];
        long divisor = weights.Aggregate(GreatestDivisor);
        long most = Math.Max(Math.Min((long)pickable.Length * TurnsPerEndpoint, MostTurns), pickable.Length);
        double scale = 1.0 / Math.Max(divisor, (double)weights.Sum() / most);
        return [.. weights.Select(weight => (int)Math.Max(Math.Round(weight * scale), 1))];
    }

    private static long GreatestDivisor(long one, long other) => other == 0 ? one : GreatestDivisor(other, one % other);
}
