using Mux.Client;

namespace Mux.Core.Tests.Balancing;

public sealed class RoundRobinTests
{
    private static readonly BalancingSettings s_settings = BalancingSettings.Default with { IsRoundRobin = true, Zone = "a" };

    [Fact]
    public void Endpoints_take_turns_whatever_their_load()
    {
        var candidates = FakeCandidate.Several(3);
        candidates[1].Calls = 1_000;
        var picked = Pick(candidates, 30);
        Assert.Equal(picked[..3], picked[3..6]);
        Assert.All(candidates, candidate => Assert.Equal(10, picked.Count(one => one == candidate)));
    }

    [Fact]
    public void Turns_follow_weights_exactly_and_are_spread()
    {
        FakeCandidate[] candidates = [Of(0, 500), Of(1, 100), Of(2, 100)];
        var picked = Pick(candidates, 700);
        Assert.Equal([500, 100, 100], candidates.Select(candidate => picked.Count(one => one == candidate)));
        Assert.All(Enumerable.Range(0, 690), i => Assert.InRange(picked[i..(i + 7)].Count(one => one == candidates[0]), 4, 6)); // never a row of five and then two others twice
    }

    [Fact]
    public void Weights_without_a_common_divisor_are_followed_within_two_percent()
    {
        FakeCandidate[] candidates = [Of(0, 9_973), Of(1, 7_919), Of(2, 1_009)];
        var picked = Pick(candidates, 100_000);
        double sum = 9_973 + 7_919 + 1_009;
        Assert.All(candidates, candidate => Assert.Equal(candidate.Endpoint.Weight / sum, picked.Count(one => one == candidate) / 100_000.0, 0.02));
    }

    [Fact]
    public void Other_zones_have_fewer_turns()
    {
        FakeCandidate[] candidates = [Of(0, 100, "a"), Of(1, 100, "b")];
        var picked = Pick(candidates, 5_000);
        Assert.Equal(0.6, picked.Count(one => one == candidates[0]) / 5_000.0, 0.01);
    }

    [Fact]
    public void Closed_ejected_and_avoided_ones_are_left_out()
    {
        var candidates = FakeCandidate.Several(4);
        candidates[0].Ejection.Begin(EjectionCause.FailedCalls, 0);
        var policy = BalancingPolicy.Create(s_settings, 1);
        var set = CandidateSet.Build(candidates, CandidateSet.Empty, policy);
        candidates[1].Opened = false; // after the set was built
        var picked = Enumerable.Range(0, 100).Select(_ => policy.Pick(set, null, CallKey.None, 0, avoided: candidates[2])).ToList();
        Assert.All(picked, one => Assert.Same(candidates[3], one));
        candidates[3].Opened = false;
        Assert.Null(policy.Pick(set, null, CallKey.None, 0, avoided: candidates[2]));
    }

    [Fact]
    public void Clients_that_start_together_do_not_begin_at_the_same_endpoint()
    {
        var candidates = FakeCandidate.Several(8);
        Assert.True(Enumerable.Range(0, 20).Select(seed => Pick(candidates, 1, seed)[0]).Distinct().Count() > 1);
    }

    private static FakeCandidate Of(int number, int weight, string? zone = null) => new(FakeCandidate.EndpointOf(number, weight, zone), s_settings);

    private static List<Candidate> Pick(FakeCandidate[] candidates, int calls, int seed = 1)
    {
        var policy = BalancingPolicy.Create(s_settings, (ulong)seed);
        var set = CandidateSet.Build(candidates, CandidateSet.Empty, policy);
        return [.. Enumerable.Range(0, calls).Select(_ => policy.Pick(set, null, CallKey.None, 0)!)];
    }
}
