namespace Mux.Client;

/// <summary>
/// The endpoints of a channel at one moment, ready to be picked from. Immutable, except for what it computes when first asked. The router builds another one
/// when an endpoint opens, closes, is ejected, returns or changes, never during a call.
/// </summary>
internal sealed class CandidateSet
{
    private const long FreshFor = 1_000; // microseconds, of what is computed of all endpoints for many calls

    private readonly Candidate[] _all;
    private readonly Candidate[] _pickable;
    private readonly Candidate[] _near;
    private readonly Candidate[] _far;
    private readonly Candidate[] _probing;
    private readonly Candidate[] _turns;
    private readonly long _weights; // of those that can be picked
    private readonly CandidateSet? _whole; // of a part for one priority
    private readonly int _refused; // the bit of that priority
    private CandidateSet[]? _byPriority; // set before the set is used
    private MaglevTable? _keys;
    private long _loadAt = long.MinValue / 2; // long ago
    private int _load;
    private long _leastAt = long.MinValue / 2; // long ago
    private double _least;

    private CandidateSet(Candidate[] all, Candidate[] pickable, bool isPanic, BalancingPolicy? policy)
    {
        _all = all;
        _pickable = pickable;
        (_near, _far) = SplitByZone(pickable);
        _probing = [.. all.Where(candidate =>
            candidate.Ejection.IsProbing && candidate.IsOpen && !candidate.IsLeaving && !pickable.Contains(candidate))];
        _turns = policy?.OrderOf(pickable) ?? [];
        _weights = pickable.Sum(candidate => (long)candidate.Endpoint.Weight);
        IsPanic = isPanic;
    }

    /// <summary>Creates the part of a set that takes calls of a priority.</summary>
    private CandidateSet(CandidateSet whole, MuxCallPriority priority, BalancingPolicy policy)
    {
        _whole = whole;
        _refused = Candidate.BitOf(priority);
        _all = whole._all;
        _pickable = [.. whole._pickable.Where(candidate => !candidate.Refuses(priority))];
        (_near, _far) = SplitByZone(_pickable);
        _probing = [.. whole._probing.Where(candidate => !candidate.Refuses(priority))];
        _turns = policy.OrderOf(_pickable);
        _weights = _pickable.Sum(candidate => (long)candidate.Endpoint.Weight);
        IsPanic = whole.IsPanic;
    }

    /// <summary>The set without endpoints.</summary>
    public static CandidateSet Empty { get; } = new([], [], false, null);

    /// <summary>All endpoints in use, open or not.</summary>
    public ReadOnlySpan<Candidate> All => _all;

    /// <summary>Those that take calls: open and not ejected; leaving ones only if there are no others; ejected ones last.</summary>
    public ReadOnlySpan<Candidate> Pickable => _pickable;

    /// <summary>Those of <see cref="Pickable"/> in the zone of this process; all of them if none is, or none is in another zone.</summary>
    public ReadOnlySpan<Candidate> Near => _near;

    /// <summary>Those of <see cref="Pickable"/> in other zones, which help when the own one is full; empty if <see cref="Near"/> has all.</summary>
    public ReadOnlySpan<Candidate> Far => _far;

    /// <summary>Ejected ones that wait for one call to try them.</summary>
    public ReadOnlySpan<Candidate> Probing => _probing;

    /// <summary>The order in which <see cref="RoundRobin"/> gives out calls; empty for other policies.</summary>
    public ReadOnlySpan<Candidate> Turns => _turns;

    /// <summary>True if some of those that can be picked refuse calls of a priority: each call is then picked for in <see cref="Of"/>.</summary>
    public bool IsCut => _byPriority is not null;

    /// <summary>True if there are ejected endpoints that get calls all the same, because too few others are open.</summary>
    public bool IsPanic { get; }

    /// <summary>The table of keys. Made when the first call with a key asks, and from then on with each set.</summary>
    public MaglevTable Keys =>
        _whole?.Keys ?? Volatile.Read(ref _keys) ?? Interlocked.CompareExchange(ref _keys, MaglevTable.Of(_all, null), null) ?? _keys!;

    /// <summary>Builds the set that follows another one. Takes some ms if calls use keys and endpoints have come or gone, else microseconds.</summary>
    /// <param name="all">All endpoints in use.</param>
    /// <param name="previous">The set before it.</param>
    /// <param name="policy">The policy that will pick from it.</param>
    public static CandidateSet Build(IEnumerable<Candidate> all, CandidateSet previous, BalancingPolicy policy)
    {
        Candidate[] present = [.. all];
        // First: one that opens or closes from here on is seen to differ, and the set is built once more.
        foreach (var candidate in present) candidate.WasOpen = candidate.IsOpen;
        var pickable = FindPickable(present, out bool isPanic);
        var set = new CandidateSet(present, pickable, isPanic, policy);
        if (Volatile.Read(ref previous._keys) is { } keys) set._keys = MaglevTable.Of(present, keys);

        var taken = new HashSet<Candidate>(pickable);
        foreach (var candidate in previous._all) candidate.IsPickable = taken.Contains(candidate);
        foreach (var candidate in present) candidate.IsPickable = taken.Contains(candidate);
        if (Array.Exists(pickable, candidate => candidate.RefusedPriorities != 0))
            set._byPriority = [.. Enum.GetValues<MuxCallPriority>().Select(priority => new CandidateSet(set, priority, policy))];
        return set;
    }

    /// <summary>Gets the endpoints for calls of a priority: those that do not refuse all of them. If none can be picked from it, all refuse them.</summary>
    public CandidateSet Of(MuxCallPriority priority) => _byPriority is { } parts && (int)priority < parts.Length ? parts[(int)priority] : this;

    /// <summary>
    /// Finds where a call should wait while no endpoint is open: where the fewest wait for their weight, ejected ones after others, and leaving ones last. This
    /// is another order than that of open ones: a closed endpoint that leaves is probably gone, and an ejected one may be back.
    /// </summary>
    /// <param name="mayWait">Tells which endpoints are meant; null for all.</param>
    /// <returns>Null if there are none.</returns>
    public Candidate? FewestWaiting(Predicate<Candidate>? mayWait = null)
    {
        Candidate? best = null;
        foreach (var candidate in _all)
        {
            if (mayWait?.Invoke(candidate) == false) continue;
            if (best is null || RankOf(candidate) is var rank && rank < RankOf(best) || (rank == RankOf(best) && IsLess(candidate, best))) best = candidate;
        }

        return best;

        static int RankOf(Candidate candidate) => (candidate.IsLeaving ? 2 : 0) + (candidate.Ejection.IsOut ? 1 : 0);

        static bool IsLess(Candidate one, Candidate other) => (long)one.Load * other.Endpoint.Weight < (long)other.Load * one.Endpoint.Weight;
    }

    /// <summary>Finds the endpoint of a key, or that of the next entry which takes calls.</summary>
    public Candidate? FindByKey(in CallKey key, long now, Candidate? avoided)
    {
        var keys = Keys;
        if (keys.IsEmpty) return null;
        int entry = MaglevTable.EntryOf(key);
        for (int step = 0; step < MaglevTable.MaxSteps; step++)
        {
            var candidate = keys.At(entry);
            if (Takes(candidate) && candidate != avoided && candidate.IsOpen && !IsOverloaded(candidate, now)) return candidate;
            entry = MaglevTable.After(entry);
        }

        return FindLowest(now, avoided);
    }

    /// <summary>Finds the open endpoint with the lowest score: for the rare cases in which a look at two is not enough.</summary>
    public Candidate? FindLowest(long now, Candidate? avoided) => FindLowestOf(_pickable, now, avoided);

    /// <summary>
    /// Finds the open one of <see cref="Near"/> with the lowest score that has room for a call; null if none has.
    /// </summary>
    public Candidate? FindRoom(long now) => FindLowestOf(_near, now, avoided: null, withRoom: true);

    /// <summary>
    /// Finds the open one of <see cref="Near"/> with the lowest score, if one that was chosen at random is much worse than the best of them: slower, or with
    /// more calls, whatever its weight.
    /// </summary>
    /// <param name="chosen">The one of <see cref="Near"/> that was chosen.</param>
    /// <param name="times">How many times worse.</param>
    /// <param name="now">The current time.</param>
    /// <returns>The chosen one, if it is not that much worse.</returns>
    public Candidate OrBest(Candidate chosen, double times, long now)
    {
        if (_near.Length <= 2 || chosen.PressureAt(now) <= times * LeastPressure(now)) return chosen;
        NoteLeast(FindLeastPressure(now), now); // the one that was noted may be older than many calls
        return FindLowestOf(_near, now, null) ?? chosen;
    }

    private static Candidate? FindLowestOf(Candidate[] candidates, long now, Candidate? avoided, bool withRoom = false)
    {
        Candidate? best = null;
        double lowest = double.PositiveInfinity;
        foreach (var candidate in candidates)
        {
            if (candidate == avoided || !candidate.IsOpen || (withRoom && candidate.IsFullAt(now))) continue;
            double score = candidate.ScoreAt(now);
            if (best is not null && score >= lowest) continue;
            (best, lowest) = (candidate, score);
        }

        return best;
    }

    /// <summary>Gets about the lowest pressure of the near endpoints: read once per ms, and when one seems much worse.</summary>
    private double LeastPressure(long now)
    {
        if (now - Volatile.Read(ref _leastAt) >= FreshFor || now < _leastAt) NoteLeast(FindLeastPressure(now), now);
        return Volatile.Read(ref _least);
    }

    private double FindLeastPressure(long now)
    {
        double least = double.PositiveInfinity;
        foreach (var candidate in _near)
        {
            if (candidate.IsOpen) least = Math.Min(least, candidate.PressureAt(now));
        }

        return least;
    }

    /// <summary>Notes a pressure; threads that compete write about the same.</summary>
    private void NoteLeast(double pressure, long now)
    {
        Volatile.Write(ref _least, pressure);
        Volatile.Write(ref _leastAt, now);
    }

    private static (Candidate[] Near, Candidate[] Far) SplitByZone(Candidate[] pickable)
    {
        Candidate[] near = [.. pickable.Where(static candidate => candidate.IsNear)];
        return near.Length == 0 || near.Length == pickable.Length ? (pickable, []) : (near, [.. pickable.Except(near)]);
    }

    private bool Takes(Candidate candidate) => candidate.IsPickable && (candidate.RefusedPriorities & _refused) == 0;

    /// <summary>Gets the share of all open calls that an endpoint of this weight would have if calls were spread evenly. Loads are read once per ms.</summary>
    private double FairLoad(int weight, long now)
    {
        if (now - Volatile.Read(ref _loadAt) >= FreshFor || now < _loadAt)
        {
            int load = 0;
            foreach (var candidate in _pickable) load += candidate.Load;
            _load = load; // threads that compete write about the same
            Volatile.Write(ref _loadAt, now);
        }

        return (_load + 1.0) * weight / Math.Max(_weights, 1);
    }

    private bool IsOverloaded(Candidate candidate, long now)
    {
        int load = candidate.Load;
        return load >= MaglevTable.AlwaysAllowed && load + 1 > MaglevTable.Bound * FairLoad(candidate.Endpoint.Weight, now);
    }

    private static Candidate[] FindPickable(Candidate[] all, out bool isPanic)
    {
        isPanic = false;
        Candidate[] staying = [.. all.Where(candidate => !candidate.IsLeaving)];
        Candidate[] open = [.. staying.Where(candidate => candidate.IsOpen)];

        // A leaving endpoint still serves what comes, until it drains; an ejected one has just failed. So leaving ones come before ejected ones, also when
        // fewer than half are open: void ejections shall not send calls to faults while an endpoint without any is there. Ejected ones return by a probe.
        if (Array.TrueForAll(open, candidate => candidate.Ejection.IsOut))
        {
            Candidate[] leaving = [.. all.Where(candidate => candidate is { IsLeaving: true, IsOpen: true, Ejection.IsOut: false })];
            if (leaving.Length > 0) return leaving;
        }

        if (open.Length == 0) return [.. all.Where(candidate => candidate.IsOpen)]; // ejected ones that leave, if nothing else is there

        // At most half are left out, also after others have gone: those whose time is over first come back first.
        var ejected = staying.Where(candidate => candidate.Ejection.IsOut)
            .OrderByDescending(candidate => candidate.Ejection.Until)
            .Take(staying.Length / 2)
            .ToHashSet();
        Candidate[] serving = [.. open.Where(candidate => !ejected.Contains(candidate))];
        if (open.Length * 2 >= staying.Length && serving.Length > 0) return serving;
        isPanic = serving.Length < open.Length;
        return open;
    }
}
