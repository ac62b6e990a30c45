using Mux.Client;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Balancing;

public sealed class TwoChoicesTests(ITestOutputHelper output)
{
    private const long Second = 1_000_000;

    private static readonly BalancingSettings s_near = BalancingSettings.Default with { Zone = "a" };

    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(7)]
    public void Equal_endpoints_get_equal_shares_of_calls_that_follow_each_other(int count) => Seeds.ForEach(20, seed =>
    {
        var candidates = FakeCandidate.Several(count);
        var shares = SharesOf(candidates, 30_000, seed, open: 0);
        Assert.All(shares, share => Assert.InRange(share * count, 0.93, 1.07)); // five standard deviations of seven shares
    });

    [Fact]
    public void Equal_endpoints_get_equal_shares_of_calls_at_the_same_time() => Seeds.ForEach(20, seed =>
    {
        var candidates = FakeCandidate.Several(3);
        var shares = SharesOf(candidates, 30_000, seed, open: 100);
        Assert.All(shares, share => Assert.InRange(share * 3, 0.95, 1.05));
        Assert.InRange(candidates.Max(candidate => candidate.Calls) - candidates.Min(candidate => candidate.Calls), 0, 20);
    });

    [Fact]
    public void The_less_loaded_of_two_gets_the_call()
    {
        var candidates = FakeCandidate.Several(2);
        var (policy, set) = Make(candidates);
        candidates[0].Calls = 3;
        candidates[1].Calls = 2;
        for (int i = 0; i < 100; i++) Assert.Same(candidates[1], policy.Pick(set, null, CallKey.None, 0));
    }

    [Fact]
    public void The_two_are_never_the_same()
    {
        // If they could be, the loaded one of two would get a quarter of the calls.
        var candidates = FakeCandidate.Several(3);
        var (policy, set) = Make(candidates);
        candidates[2].Calls = 1_000;
        for (int i = 0; i < 10_000; i++) Assert.NotSame(candidates[2], policy.Pick(set, null, CallKey.None, 0));
    }

    [Theory]
    [InlineData(0.1, 0.456, 0.496)] // a score of 1.11: 0.474
    [InlineData(0.44, 0.338, 0.378)] // of 1.79: 0.359
    [InlineData(0.55, 0, 0)] // of 2.2: no accident
    public void Of_idle_endpoints_one_that_seems_a_little_worse_gets_its_share(double utilisation, double least, double most) => Seeds.ForEach(10, seed =>
    {
        var candidates = FakeCandidate.Several(2);
        candidates[1].Hint.OnLease(utilisation, Second, 0);
        foreach (var candidate in candidates) candidate.Refresh(0);
        Assert.InRange(SharesOf(candidates, 30_000, seed, open: 0)[1], least, most);
    });

    [Theory]
    [InlineData(0)]
    [InlineData(60)]
    public void Shares_follow_weights_at_any_load(int open) => Seeds.ForEach(10, seed =>
    {
        FakeCandidate[] candidates = [new(FakeCandidate.EndpointOf(0, weight: 100)), new(FakeCandidate.EndpointOf(1, weight: 300))];
        var shares = SharesOf(candidates, 30_000, seed, open);
        Assert.InRange(shares[0], 0.22, 0.28);
    });

    [Fact]
    public void The_own_zone_gets_all_calls_until_it_has_half_as_many_more() => Seeds.ForEach(10, seed =>
    {
        FakeCandidate[] candidates = [new(FakeCandidate.EndpointOf(0, zone: "a"), s_near), new(FakeCandidate.EndpointOf(1, zone: "b"), s_near)];
        Assert.Equal(1, SharesOf(candidates, 1_000, seed, open: 0)[0]);
        SharesOf(candidates, 30_000, seed, open: 400);
        Assert.InRange((candidates[0].Calls + 1.0) / (candidates[1].Calls + 1.0), 1.3, 1.7);
    });

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(16)]
    [InlineData(32)]
    public void Of_three_zones_the_own_one_gets_nearly_all_calls_while_it_has_room(int open) => Seeds.ForEach(10, seed =>
    {
        var candidates = ThreeZones();
        double own = SharesOf(candidates, 10_000, seed, open)[..2].Sum();
        output.WriteLine($"{open} open calls: {own:P1} in the own zone of three, of two servers each.");
        Assert.InRange(own, 0.98, 1);
    });

    [Fact]
    public void Of_three_zones_the_own_one_gives_calls_to_the_others_when_it_is_full() => Seeds.ForEach(10, seed =>
    {
        var candidates = ThreeZones();
        double own = SharesOf(candidates, 30_000, seed, open: 480)[..2].Sum();
        output.WriteLine($"480 open calls: {own:P1} in the own zone of three, of two servers each.");
        Assert.InRange(own, 0.40, 0.52); // 3 of 7 by the factor, and the calls for which it has room
        Assert.InRange(candidates[..2].Average(near => near.Calls + 1.0) / candidates[2..].Average(far => far.Calls + 1.0), 1.4, 2.0);
    });

    [Theory]
    [InlineData(0.78, true)]
    [InlineData(0.9, false)]
    public void Calls_leave_their_zone_when_its_servers_use_more_than_four_fifths_of_their_processors(double utilisation, bool stays) => Seeds.ForEach(10, seed =>
    {
        var candidates = ThreeZones();
        foreach (var near in candidates[..2])
        {
            near.Hint.OnLease(utilisation, 1_000 * Second, Second);
            near.Refresh(Second);
        }

        Assert.InRange(SharesOf(candidates, 10_000, seed, open: 4, Second)[..2].Sum(), stays ? 0.98 : 0, stays ? 1 : 0.5);
    });

    [Fact]
    public void Calls_stay_in_their_zone_though_round_trips_there_are_longer_and_leave_it_while_it_stands_still() => Seeds.ForEach(10, seed =>
    {
        var means = new MethodMeans();
        FakeCandidate[] candidates = [.. Enumerable.Range(0, 4).Select(number => new FakeCandidate(FakeCandidate.EndpointOf(number, zone: number < 2 ? "a" : "b"), s_near, means))];
        long now = Second;
        for (int i = 0; i < 200; i++, now += 10_000)
        {
            foreach (var candidate in candidates)
            {
                SampleGate gate = default;
                int ticket = candidate.Slowness.TryBegin(ref gate, method: 1, now);
                candidate.Slowness.End(ticket, replied: true, now + (candidate.IsNear ? 8_000 : 1_000));
            }
        }

        foreach (var candidate in candidates) candidate.Refresh(now);
        Assert.InRange(SharesOf(candidates, 10_000, seed, open: 8, now)[..2].Sum(), 0.98, 1);

        foreach (var near in candidates[..2])
        {
            SampleGate gate = default;
            near.Slowness.TryBegin(ref gate, method: 1, now);
        }

        Assert.InRange(SharesOf(candidates, 10_000, seed, open: 8, now + 500_000)[..2].Sum(), 0, 0.2);
    });

    [Fact]
    public void A_zone_whose_servers_refuse_their_first_calls_gets_none_until_they_have_waited() => Seeds.ForEach(10, seed =>
    {
        var candidates = ThreeZones();
        candidates[0].Room.OnRefused(load: 0, Second, Second);
        Assert.InRange(SharesOf(candidates, 1_000, seed, open: 2, Second)[1], 0.98, 1); // the other one of the zone has room
        candidates[1].Room.OnRefused(load: 0, Second, Second);
        Assert.Equal(0, SharesOf(candidates, 1_000, seed, open: 8, Second)[..2].Sum());
        Assert.InRange(SharesOf(candidates, 1_000, seed, open: 8, 4 * Second)[..2].Sum(), 0.98, 1);
    });

    [Fact]
    public void A_zone_whose_servers_refuse_calls_keeps_as_many_as_they_serve() => Seeds.ForEach(10, seed =>
    {
        var candidates = ThreeZones();
        foreach (var near in candidates[..2]) near.Room.OnRefused(load: 10, Second, Second);
        SharesOf(candidates, 10_000, seed, open: 100, Second);
        Assert.All(candidates[..2], near => Assert.Equal(10, near.Calls + 1, 1.0)); // one of its calls may just have ended
    });

    [Fact]
    public void A_call_goes_to_the_server_of_the_own_zone_that_has_room_although_a_full_one_has_fewer_calls()
    {
        var candidates = ThreeZones();
        var (policy, set) = Make(candidates);
        (candidates[0].Calls, candidates[1].Calls) = (1, 15);
        candidates[0].Room.OnRefused(load: 1, Second, Second);
        for (int i = 0; i < 100; i++) Assert.Same(candidates[1], policy.Pick(set, null, CallKey.None, Second));
    }

    [Fact]
    public void A_turn_stays_in_its_zone_while_that_has_room() => Seeds.ForEach(10, seed =>
    {
        var candidates = ThreeZones();
        var (policy, set) = Make(candidates, seed);
        foreach (var near in candidates[..2]) near.Calls = 15;
        for (int i = 0; i < 1_000; i++) Assert.True(policy.Pick(set, candidates[i % 2], CallKey.None, 0)!.IsNear);
        foreach (var near in candidates[..2]) near.Calls = 30;
        Assert.False(policy.Pick(set, candidates[0], CallKey.None, 0)!.IsNear);
    });

    [Fact]
    public void While_three_of_five_are_slow_the_two_others_get_nearly_all_calls() => Seeds.ForEach(10, seed =>
    {
        var means = new MethodMeans();
        FakeCandidate[] candidates = [.. Enumerable.Range(0, 5).Select(number => new FakeCandidate(FakeCandidate.EndpointOf(number), means: means))];
        long now = Second;
        for (int i = 0; i < 200; i++, now += 10_000)
        {
            // The first three answer in 20 ms, the others in 1 ms.
            foreach (var candidate in candidates)
            {
                SampleGate gate = default;
                int ticket = candidate.Slowness.TryBegin(ref gate, method: 1, now);
                candidate.Slowness.End(ticket, replied: true, now + (Array.IndexOf(candidates, candidate) < 3 ? 20_000 : 1_000));
            }
        }

        foreach (var candidate in candidates) candidate.Refresh(now);
        var shares = SharesOf(candidates, 10_000, seed, open: 2, now);
        output.WriteLine($"three slow ones of five: {string.Join(" / ", shares.Select(share => $"{share:P1}"))}");
        Assert.InRange(shares[..3].Sum(), 0, 0.02);
    });

    [Fact]
    public void An_endpoint_without_a_zone_counts_as_near()
    {
        var unknown = new FakeCandidate(FakeCandidate.EndpointOf(0), s_near);
        var far = new FakeCandidate(FakeCandidate.EndpointOf(1, zone: "b"), s_near);
        Assert.Equal(1.5 * unknown.ScoreAt(0), far.ScoreAt(0), 6);
        far.Endpoint = FakeCandidate.EndpointOf(1, zone: "a");
        Assert.Equal(unknown.ScoreAt(0), far.ScoreAt(0), 6);
    }

    [Fact]
    public void To_a_client_without_a_zone_all_endpoints_are_near() =>
        Assert.Equal(new FakeCandidate(0).ScoreAt(0), new FakeCandidate(FakeCandidate.EndpointOf(1, zone: "b")).ScoreAt(0), 6);

    [Fact]
    public void An_endpoint_that_opened_later_comes_to_its_share_slowly() => Seeds.ForEach(10, seed =>
    {
        var candidates = FakeCandidate.Several(2);
        var young = candidates[1];
        young.OnOpened(100 * Second);
        Assert.InRange(ShareAt(100 * Second), 0.06, 0.13); // a tenth of the other's
        Assert.InRange(ShareAt(100_250_000), 0.28, 0.38); // half of it
        Assert.InRange(ShareAt(100_500_000), 0.45, 0.55);

        double ShareAt(long now)
        {
            foreach (var candidate in candidates) candidate.Refresh(now);
            return SharesOf(candidates, 10_000, seed, open: 0)[1];
        }
    });

    [Fact]
    public void An_endpoint_that_is_full_has_a_quarter_of_its_weight()
    {
        var candidate = new FakeCandidate(0) { Calls = 8 };
        double usual = candidate.ScoreAt(Second);
        candidate.Room.OnRefused(load: 8, 2 * Second, Second);
        Assert.Equal(4 * usual, candidate.ScoreAt(Second), 6);
        Assert.Equal(usual, candidate.ScoreAt(3 * Second), 6); // there may be room for one call more
    }

    [Fact]
    public void The_utilisation_that_a_server_told_counts_as_load_and_fades()
    {
        var candidate = new FakeCandidate(0);
        candidate.Hint.OnLease(0.5, 4 * Second, Second);
        Assert.Equal([2, 1.5, 1, 1], new[] { 1, 3, 5, 50 }.Select(second =>
        {
            candidate.Refresh(second * Second);
            return candidate.ScoreAt(second * Second);
        }));
        candidate.Hint.OnLease(17, 4 * Second, Second);
        Assert.Equal(8, candidate.Hint.LoadAt(Second)); // a server that errs is not avoided for ever
    }

    [Fact]
    public void Closed_endpoints_get_no_calls_before_the_next_set_either()
    {
        var candidates = FakeCandidate.Several(5);
        var (policy, set) = Make(candidates);
        foreach (var closed in candidates[..4]) closed.Opened = false;
        for (int i = 0; i < 100; i++) Assert.Same(candidates[4], policy.Pick(set, null, CallKey.None, 0));
        candidates[4].Opened = false;
        Assert.Null(policy.Pick(set, null, CallKey.None, 0));
    }

    [Fact]
    public void A_second_attempt_goes_elsewhere()
    {
        var candidates = FakeCandidate.Several(3);
        var (policy, set) = Make(candidates);
        candidates[0].Calls = 5;
        candidates[1].Calls = 9;
        Assert.Same(candidates[0], policy.Pick(set, candidates[2], CallKey.None, 0, avoided: candidates[2]));
        var (only, alone) = Make(candidates[..1]);
        Assert.Null(only.Pick(alone, null, CallKey.None, 0, avoided: candidates[0]));
    }

    [Fact]
    public void A_turn_stays_at_its_own_endpoint_until_another_has_fewer_calls()
    {
        var candidates = FakeCandidate.Several(2);
        var (policy, set) = Make(candidates);
        (candidates[0].Calls, candidates[1].Calls) = (1, 4);
        Assert.Same(candidates[0], policy.Pick(set, candidates[0], CallKey.None, 0));
        candidates[0].Calls = 4;
        Assert.Same(candidates[0], policy.Pick(set, candidates[0], CallKey.None, 0));
        candidates[0].Calls = 5;
        Assert.Same(candidates[1], policy.Pick(set, candidates[0], CallKey.None, 0));
    }

    [Fact]
    public void One_call_after_the_other_is_spread_although_each_is_made_in_the_turn_of_the_last()
    {
        var candidates = FakeCandidate.Several(3);
        var (policy, set) = Make(candidates);
        var counts = candidates.ToDictionary(candidate => (Candidate)candidate, _ => 0);
        Candidate? own = null;
        for (int i = 0; i < 30_000; i++) counts[own = policy.Pick(set, own, CallKey.None, 0)!]++;
        Assert.All(counts.Values, count => Assert.InRange(count, 9_500, 10_500));
    }

    [Fact]
    public void A_turn_looks_at_another_endpoint_every_sixteen_calls()
    {
        var candidates = FakeCandidate.Several(2);
        var (policy, set) = Make(candidates);
        candidates[0].Calls = candidates[1].Calls = 10;
        Assert.Same(candidates[0], policy.Pick(set, candidates[0], CallKey.None, 0));
        candidates[1].Calls = 0;
        for (int i = 0; i < 16; i++) Assert.Same(candidates[0], policy.Pick(set, candidates[0], CallKey.None, 0));
        Assert.Same(candidates[1], policy.Pick(set, candidates[0], CallKey.None, 0));
    }

    [Fact]
    public void A_turn_stays_while_scores_are_equal_and_is_not_left_to_chance()
    {
        var candidates = FakeCandidate.Several(2);
        var (policy, set) = Make(candidates);
        candidates[0].Calls = candidates[1].Calls = 1;
        for (int i = 0; i < 1_000; i++) Assert.Same(candidates[0], policy.Pick(set, candidates[0], CallKey.None, 0));
    }

    [Fact]
    public void A_turn_without_another_call_does_not_stay_because_it_did_before()
    {
        var candidates = FakeCandidate.Several(2);
        var (policy, set) = Make(candidates);
        candidates[0].Calls = 1;
        candidates[1].Calls = 4;
        Assert.Same(candidates[0], policy.Pick(set, candidates[0], CallKey.None, 0)); // and would for sixteen calls
        candidates[0].Calls = candidates[1].Calls = 0;
        int others = Enumerable.Range(0, 1_000).Count(_ => policy.Pick(set, candidates[0], CallKey.None, 0) == candidates[1]);
        Assert.InRange(others, 400, 600);
    }

    [Fact]
    public void A_turn_leaves_its_endpoint_at_once_when_that_is_ejected_or_gone()
    {
        var candidates = FakeCandidate.Several(3);
        var (policy, set) = Make(candidates);
        foreach (var candidate in candidates) candidate.Calls = 1;
        Assert.Same(candidates[0], policy.Pick(set, candidates[0], CallKey.None, 0));
        var next = CandidateSet.Build(candidates[1..], set, policy);
        Assert.NotSame(candidates[0], policy.Pick(next, candidates[0], CallKey.None, 0));
    }

    private static FakeCandidate[] ThreeZones() =>
        [.. Enumerable.Range(0, 6).Select(number => new FakeCandidate(FakeCandidate.EndpointOf(number, zone: $"{(char)('a' + (number / 2))}"), s_near))];

    private static (BalancingPolicy Policy, CandidateSet Set) Make(FakeCandidate[] candidates, int seed = 1)
    {
        var policy = BalancingPolicy.Create(BalancingSettings.Default, (ulong)seed);
        return (policy, CandidateSet.Build(candidates, CandidateSet.Empty, policy));
    }

    /// <summary>Shares of calls of which so many are open at the same time, and end in any order.</summary>
    private static double[] SharesOf(FakeCandidate[] candidates, int calls, int seed, int open, long now = 0)
    {
        var (policy, set) = Make(candidates, seed);
        var random = new Random(seed);
        var running = new List<FakeCandidate>();
        var counts = candidates.ToDictionary(candidate => (Candidate)candidate, _ => 0);
        for (int i = 0; i < calls; i++)
        {
            var picked = (FakeCandidate)policy.Pick(set, null, CallKey.None, now)!;
            counts[picked]++;
            if (open == 0) continue;
            picked.Calls++;
            running.Add(picked);
            if (running.Count <= open) continue;
            int ended = random.Next(running.Count);
            running[ended].Calls--;
            running.RemoveAt(ended);
        }

        return [.. candidates.Select(candidate => (double)counts[candidate] / calls)];
    }
}
