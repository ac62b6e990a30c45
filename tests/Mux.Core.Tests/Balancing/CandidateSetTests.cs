using Mux.Balancing;

namespace Mux.Core.Tests.Balancing;

public sealed class CandidateSetTests
{
    private static readonly BalancingPolicy s_policy = BalancingPolicy.Create(BalancingSettings.Default, 1);

    [Fact]
    public void Open_ones_that_are_not_ejected_take_calls()
    {
        var candidates = FakeCandidate.Several(4);
        candidates[0].Opened = false;
        candidates[1].Ejection.Begin(endsWhenOpen: false, 0);
        var set = Build(candidates);
        Assert.Equal(candidates[2..], set.Pickable.ToArray());
        Assert.Equal(candidates, set.All.ToArray());
        Assert.Equal([false, false, true, true], candidates.Select(candidate => candidate.IsPickable));
        Assert.False(set.IsPanic);
    }

    [Fact]
    public void A_leaving_one_takes_calls_only_if_there_is_no_other()
    {
        var candidates = FakeCandidate.Several(2);
        candidates[0].Endpoint = candidates[0].Endpoint with { IsLeaving = true };
        Assert.Equal(candidates[1..], Build(candidates).Pickable.ToArray());
        candidates[1].Opened = false;
        Assert.Equal(candidates[..1], Build(candidates).Pickable.ToArray());
    }

    [Fact]
    public void While_fewer_than_half_are_open_ejections_are_void()
    {
        var candidates = FakeCandidate.Several(5);
        candidates[0].Ejection.Begin(endsWhenOpen: false, 0);
        candidates[1].Opened = candidates[2].Opened = false;
        Assert.False(Build(candidates).IsPanic);
        candidates[3].Opened = false;
        var set = Build(candidates);
        Assert.True(set.IsPanic);
        Assert.Equal([candidates[0], candidates[4]], set.Pickable.ToArray());
    }

    [Fact]
    public void Closed_ones_alone_are_no_panic()
    {
        var candidates = FakeCandidate.Several(5);
        foreach (var closed in candidates[1..]) closed.Opened = false;
        var set = Build(candidates);
        Assert.False(set.IsPanic);
        Assert.Equal(candidates[..1], set.Pickable.ToArray());
    }

    [Fact]
    public void After_others_have_gone_at_most_half_are_left_out_and_those_whose_time_is_over_first_return()
    {
        var candidates = FakeCandidate.Several(4);
        candidates[0].Ejection.Begin(endsWhenOpen: false, 1);
        candidates[1].Ejection.Begin(endsWhenOpen: false, 0);
        var set = Build(candidates[..3]);
        Assert.Equal(candidates[1..3], set.Pickable.ToArray());
    }

    [Fact]
    public void Those_that_left_the_set_take_no_calls()
    {
        var candidates = FakeCandidate.Several(2);
        var set = Build(candidates);
        CandidateSet.Build(candidates[1..], set, s_policy);
        Assert.False(candidates[0].IsPickable);
        Assert.True(candidates[1].IsPickable);
    }

    [Fact]
    public void While_none_is_open_calls_wait_where_the_fewest_do()
    {
        var candidates = FakeCandidate.Several(4);
        foreach (var candidate in candidates) candidate.Opened = false;
        candidates[0].Endpoint = candidates[0].Endpoint with { IsLeaving = true };
        candidates[1].Ejection.Begin(endsWhenOpen: true, 0);
        candidates[2].Calls = 2;
        candidates[3].Calls = 1;
        Assert.Same(candidates[3], Build(candidates).FewestWaiting());
        Assert.Same(candidates[1], Build(candidates[..2]).FewestWaiting()); // rather an ejected one than one that leaves
        candidates[2].Endpoint = candidates[2].Endpoint with { Weight = 300 };
        Assert.Same(candidates[2], Build(candidates).FewestWaiting());
        Assert.Null(CandidateSet.Empty.FewestWaiting());
        Assert.Null(s_policy.Pick(Build(candidates), null, CallKey.None, 0));
    }

    private static CandidateSet Build(FakeCandidate[] candidates) => CandidateSet.Build(candidates, CandidateSet.Empty, s_policy);
}
