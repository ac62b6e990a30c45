using Mux.Client;

namespace Mux.Core.Tests.Balancing;

public sealed class CandidateSetTests
{
    private static readonly BalancingPolicy s_policy = BalancingPolicy.Create(BalancingSettings.Default, 1);

    [Fact]
    public void Open_ones_that_are_not_ejected_take_calls()
    {
        var candidates = FakeCandidate.Several(4);
        candidates[0].Opened = false;
        candidates[1].Ejection.Begin(EjectionCause.FailedCalls, 0);
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

    [Theory]
    [InlineData(false)] // the source says that it leaves
    [InlineData(true)] // the server says so
    public void A_leaving_one_takes_calls_before_ejected_ones_and_an_ejected_one_that_leaves_after_them(bool saysItself)
    {
        var candidates = FakeCandidate.Several(4);
        foreach (var leaving in candidates[2..])
        {
            if (saysItself) leaving.Hint.OnRefusals(takesNothing: true, 0, lasts: 1_000, now: 0);
            else leaving.Endpoint = leaving.Endpoint with { IsLeaving = true };
        }

        Refresh(candidates, 0);
        foreach (var ejected in candidates[..3]) ejected.Ejection.Begin(EjectionCause.FailedCalls, 0);
        var set = Build(candidates);
        Assert.Equal(candidates[3..], set.Pickable.ToArray());
        Assert.False(set.IsPanic);
        candidates[3].Opened = false;
        Assert.Equal(candidates[1..2], Build(candidates).Pickable.ToArray()); // of those that stay at most half are left out
        candidates[0].Opened = candidates[1].Opened = false;
        Assert.Equal(candidates[2..3], Build(candidates).Pickable.ToArray());
    }

    [Fact]
    public void A_leaving_one_takes_calls_before_the_only_other_one_if_that_is_ejected_and_one_call_probes_that()
    {
        var candidates = FakeCandidate.Several(5);
        candidates[0].Ejection.Begin(EjectionCause.FailedCalls, 0);
        candidates[1].Endpoint = candidates[1].Endpoint with { IsLeaving = true };
        foreach (var closed in candidates[2..]) closed.Opened = false; // fewer than half are open
        Assert.Equal(candidates[1..2], Build(candidates).Pickable.ToArray());
        long now = candidates[0].Ejection.Until;
        Assert.True(candidates[0].Ejection.Advance(completed: 0, now));
        var set = Build(candidates);
        Assert.Equal([candidates[0], candidates[1], candidates[1]], Enumerable.Range(0, 3).Select(_ => s_policy.Pick(set, null, CallKey.None, now)));
    }

    [Fact]
    public void While_fewer_than_half_are_open_ejections_are_void()
    {
        var candidates = FakeCandidate.Several(5);
        candidates[0].Ejection.Begin(EjectionCause.FailedCalls, 0);
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
        candidates[0].Ejection.Begin(EjectionCause.FailedCalls, 1);
        candidates[1].Ejection.Begin(EjectionCause.FailedCalls, 0);
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
        candidates[1].Ejection.Begin(EjectionCause.FailedConnections, 0);
        candidates[2].Calls = 2;
        candidates[3].Calls = 1;
        Assert.Same(candidates[3], Build(candidates).FewestWaiting());
        Assert.Same(candidates[1], Build(candidates[..2]).FewestWaiting()); // rather an ejected one than one that leaves
        candidates[2].Endpoint = candidates[2].Endpoint with { Weight = 300 };
        Assert.Same(candidates[2], Build(candidates).FewestWaiting());
        Assert.Null(CandidateSet.Empty.FewestWaiting());
        Assert.Null(s_policy.Pick(Build(candidates), null, CallKey.None, 0));
    }

    [Fact]
    public void Only_untried_ones_are_asked_for_if_the_caller_says_so()
    {
        var candidates = FakeCandidate.Several(3);
        candidates[1].Calls = 1;
        candidates[2].Calls = 2;
        var set = Build(candidates);
        Assert.Same(candidates[1], set.FewestWaiting(candidate => candidate != candidates[0]));
        Assert.Null(set.FewestWaiting(_ => false));
    }

    [Fact]
    public void A_server_that_takes_nothing_is_left_while_another_is_open_and_until_its_word_is_over()
    {
        var candidates = FakeCandidate.Several(2);
        candidates[0].Hint.OnRefusals(takesNothing: true, 0, lasts: 1_000, now: 0);
        Refresh(candidates, 0);
        Assert.Equal(candidates[1..], Build(candidates).Pickable.ToArray());
        candidates[1].Opened = false;
        Assert.Equal(candidates[..1], Build(candidates).Pickable.ToArray());
        candidates[1].Opened = true;
        Refresh(candidates, 1_000);
        Assert.Equal(candidates, Build(candidates).Pickable.ToArray());
    }

    [Fact]
    public void Calls_of_a_priority_are_picked_among_those_that_do_not_refuse_it()
    {
        var candidates = FakeCandidate.Several(4);
        for (int i = 0; i < 3; i++) candidates[i].Hint.OnRefusals(takesNothing: false, Candidate.BitOf(MuxCallPriority.Low), lasts: 1_000, now: 0);
        Assert.False(Build(candidates).IsCut);
        Refresh(candidates, 0);
        var set = Build(candidates);
        Assert.True(set.IsCut);
        Assert.Equal(candidates[3..], set.Of(MuxCallPriority.Low).Pickable.ToArray());
        Assert.Equal(candidates, set.Of(MuxCallPriority.High).Pickable.ToArray());
        for (int key = 0; key < 100; key++)
        {
            Assert.Same(candidates[3], s_policy.Pick(set.Of(MuxCallPriority.Low), null, CallKey.Of($"{key}"), 0));
            Assert.Same(candidates[3], s_policy.Pick(set.Of(MuxCallPriority.Low), null, CallKey.None, 0));
        }

        Assert.Same(set.Keys, set.Of(MuxCallPriority.Low).Keys);
        Refresh(candidates, 1_000);
        Assert.False(Build(candidates).IsCut);
    }

    private static void Refresh(FakeCandidate[] candidates, long now)
    {
        foreach (var candidate in candidates) candidate.Refresh(now);
    }

    private static CandidateSet Build(FakeCandidate[] candidates) => CandidateSet.Build(candidates, CandidateSet.Empty, s_policy);
}
