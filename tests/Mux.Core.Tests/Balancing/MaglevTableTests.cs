using System.Diagnostics;
using Mux.Client;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Balancing;

public sealed class MaglevTableTests(ITestOutputHelper output)
{
    private const int Keys = 100_000;

    private static readonly BalancingPolicy s_policy = BalancingPolicy.Create(BalancingSettings.Default, 1);

    [Theory]
    [InlineData(3)]
    [InlineData(10)]
    [InlineData(100)]
    public void Keys_are_spread_evenly(int count)
    {
        var shares = SharesOf(Build(FakeCandidate.Several(count)));
        output.WriteLine($"{count} endpoints: {shares.Values.Min() * count:F3} to {shares.Values.Max() * count:F3} of a fair share.");
        Assert.All(shares.Values, share => Assert.InRange(share * count, 0.85, 1.15)); // of 100,000 keys; 1,000 of them per endpoint vary by 3 % by themselves
    }

    [Fact]
    public void Keys_are_spread_by_weight() => Seeds.ForEach(5, seed =>
    {
        var random = new Random(seed);
        FakeCandidate[] candidates = [.. Enumerable.Range(0, 10).Select(number => new FakeCandidate(FakeCandidate.EndpointOf(number, random.Next(10, 1_000))))];
        var shares = SharesOf(Build(candidates));
        double sum = candidates.Sum(candidate => candidate.Endpoint.Weight);
        Assert.All(candidates, candidate => Assert.Equal(candidate.Endpoint.Weight / sum, shares.GetValueOrDefault(candidate), 0.01));
    });

    [Fact]
    public void A_key_has_the_same_endpoint_for_every_client_in_whatever_order_it_learned_of_them() => Seeds.ForEach(3, seed =>
    {
        var random = new Random(seed);
        int[] numbers = [.. Enumerable.Range(0, 20)];
        var one = Build([.. numbers.Select(number => new FakeCandidate(number))]);
        random.Shuffle(numbers);
        var other = Build([.. numbers.Select(number => new FakeCandidate(number))]);
        for (int i = 0; i < 1_000; i++) Assert.Equal(AddressOf(one, $"key {i}"), AddressOf(other, $"key {i}"));
    });

    [Fact]
    public void The_endpoint_of_a_key_does_not_depend_on_the_version_of_this_project()
    {
        // Clients of several versions must agree. A change here breaks the affinity of all keys once.
        var set = Build(FakeCandidate.Several(5));
        Assert.Equal("5 3 3 4 2 2 2 4 4 5 1 5", string.Join(' ', Enumerable.Range(0, 12).Select(i => AddressOf(set, $"customer/{i}").ToString()["mux://10.0.0.".Length..^5])));
    }

    [Theory]
    [InlineData(3)]
    [InlineData(10)]
    [InlineData(40)]
    public void When_an_endpoint_goes_its_keys_move_and_few_others(int count) => Seeds.ForEach(3, seed =>
    {
        var candidates = FakeCandidate.Several(count);
        var gone = candidates[new Random(seed).Next(count)];
        CallKey[] keys = [.. Enumerable.Range(0, Keys).Select(i => CallKey.Of($"key {i}"))];
        var before = Build(candidates);
        Candidate?[] homes = [.. keys.Select(key => PickIn(before, key))];
        var after = CandidateSet.Build(candidates.Where(candidate => candidate != gone), before, s_policy);
        int moved = 0, kept = 0;
        foreach (var (key, home) in keys.Zip(homes))
        {
            if (home == gone) continue;
            if (PickIn(after, key) == home) kept++;
            else moved++;
        }

        output.WriteLine($"{count} endpoints, one gone: {100.0 * moved / (moved + kept):F2} % of the other keys moved.");
        Assert.InRange((double)moved / (moved + kept), 0, 0.06);
    });

    [Fact]
    public void A_key_whose_endpoint_is_closed_goes_elsewhere_and_returns()
    {
        var candidates = FakeCandidate.Several(5);
        var set = Build(candidates);
        var key = CallKey.Of("customer 7");
        var home = (FakeCandidate)PickIn(set, key)!;
        home.Opened = false;
        var away = PickIn(set, key);
        Assert.NotSame(home, away);
        set = CandidateSet.Build(candidates, set, s_policy);
        Assert.Same(away, PickIn(set, key));
        home.Opened = true;
        set = CandidateSet.Build(candidates, set, s_policy);
        Assert.Same(home, PickIn(set, key));
    }

    [Fact]
    public void The_keys_of_a_closed_endpoint_are_spread_over_all_others()
    {
        var candidates = FakeCandidate.Several(5);
        var set = Build(candidates);
        candidates[2].Opened = false;
        var next = CandidateSet.Build(candidates, set, s_policy);
        var shares = SharesOf(next);
        Assert.Equal(4, shares.Count);
        Assert.All(shares.Values, share => Assert.InRange(share, 0.22, 0.28));
    }

    [Fact]
    public void An_ejected_or_leaving_endpoint_has_no_keys_and_a_retry_goes_elsewhere()
    {
        var candidates = FakeCandidate.Several(5);
        candidates[0].Endpoint = candidates[0].Endpoint with { IsLeaving = true };
        candidates[1].Ejection.Begin(EjectionCause.FailedCalls, 0);
        var set = Build(candidates);
        var shares = SharesOf(set);
        Assert.DoesNotContain(candidates[0], shares.Keys);
        Assert.DoesNotContain(candidates[1], shares.Keys);
        var key = CallKey.Of("k");
        var home = PickIn(set, key)!;
        Assert.NotSame(home, s_policy.Pick(set, null, key, 0, avoided: home));
    }

    [Fact]
    public void No_endpoint_gets_more_than_five_quarters_of_its_share_of_calls_that_are_open()
    {
        // One key alone asks, a thousand times at once.
        var candidates = FakeCandidate.Several(4);
        var set = Build(candidates);
        long now = 0;
        var key = CallKey.Of("the one that all read");
        var home = (FakeCandidate)PickIn(set, key)!;
        for (int i = 0; i < 1_000; i++)
        {
            var picked = (FakeCandidate)s_policy.Pick(set, null, key, now += 1_000)!;
            picked.Calls++;
            if (i < MaglevTable.AlwaysAllowed) Assert.Same(home, picked);
        }

        output.WriteLine($"Open calls of 1,000 with one key: {string.Join(", ", candidates.Select(candidate => candidate.Calls))}.");
        Assert.All(candidates, candidate => Assert.InRange(candidate.Calls, 0, 314)); // 1.25 x 1,001 / 4
        Assert.Equal(312, home.Calls, 2.0);
    }

    [Fact]
    public void A_heavier_endpoint_may_have_more_calls_that_are_open()
    {
        var candidates = FakeCandidate.Several(2);
        candidates[0].Endpoint = candidates[0].Endpoint with { Weight = 300 };
        var set = Build(candidates);
        var key = Enumerable.Range(0, Keys).Select(number => CallKey.Of($"key {number}")).First(key => PickIn(set, key) == candidates[0]);
        (candidates[0].Calls, candidates[1].Calls) = (30, 10);
        Assert.Same(candidates[0], s_policy.Pick(set, null, key, now: 10_000));
    }

    [Fact]
    public void The_keys_of_a_leaving_endpoint_go_where_they_will_be_when_it_is_gone()
    {
        var candidates = FakeCandidate.Several(5);
        candidates[2].Endpoint = candidates[2].Endpoint with { IsLeaving = true };
        CandidateSet leaving = Build(candidates), gone = Build([.. candidates.Where(candidate => candidate != candidates[2])]);
        for (int i = 0; i < 1_000; i++) Assert.Equal(AddressOf(gone, $"key {i}"), AddressOf(leaving, $"key {i}"));
    }

    [Fact]
    public void A_key_without_an_open_endpoint_nearby_goes_to_any_that_is_open()
    {
        var candidates = FakeCandidate.Several(300);
        foreach (var candidate in candidates[1..]) candidate.Opened = false;
        var set = Build(candidates);
        for (int i = 0; i < 100; i++) Assert.Same(candidates[0], PickIn(set, CallKey.Of($"key {i}")));
    }

    [Fact]
    public void The_table_is_kept_while_the_same_endpoints_have_the_same_weights()
    {
        var candidates = FakeCandidate.Several(5);
        var set = Build(candidates);
        var table = set.Keys;
        candidates[3].Opened = false;
        candidates[4].Ejection.Begin(EjectionCause.FailedCalls, 0);
        set = CandidateSet.Build(candidates.Reverse(), set, s_policy);
        Assert.Same(table, set.Keys);
        candidates[2].Endpoint = candidates[2].Endpoint with { Weight = 101 };
        set = CandidateSet.Build(candidates, set, s_policy);
        Assert.NotSame(table, set.Keys);
    }

    [Fact]
    public void A_table_of_a_thousand_endpoints_is_built_within_a_second()
    {
        var least = TimeSpan.MaxValue; // of several: other work makes some longer
        for (int round = 0; round < 5; round++)
        {
            var set = Build(FakeCandidate.Several(1_000));
            var watch = Stopwatch.StartNew();
            Assert.Single(SharesOf(set, keys: 1));
            if (watch.Elapsed < least) least = watch.Elapsed;
        }

        output.WriteLine($"Built and asked in {least.TotalMilliseconds:F1} ms.");
        Assert.InRange(least, TimeSpan.Zero, TimeSpan.FromSeconds(1));
    }

    [Fact]
    public void Without_endpoints_a_key_has_none() => Assert.Null(PickIn(CandidateSet.Empty, CallKey.Of("k")));

    private static CandidateSet Build(FakeCandidate[] candidates) => CandidateSet.Build(candidates, CandidateSet.Empty, s_policy);

    /// <summary>What the table says when all of its own endpoints are open and idle.</summary>
    private static Candidate? PickIn(CandidateSet set, CallKey key) => s_policy.Pick(set, null, key, 0);

    private static MuxAddress AddressOf(CandidateSet set, string key) => PickIn(set, CallKey.Of(key))!.Endpoint.Address;

    private static Dictionary<Candidate, double> SharesOf(CandidateSet set, int keys = Keys)
    {
        var counts = new Dictionary<Candidate, double>();
        for (int i = 0; i < keys; i++)
        {
            var picked = PickIn(set, CallKey.Of($"key {i}"))!;
            counts[picked] = counts.GetValueOrDefault(picked) + (1.0 / keys);
        }

        return counts;
    }
}
