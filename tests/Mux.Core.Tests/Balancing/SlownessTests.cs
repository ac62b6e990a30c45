using Mux.Client;

namespace Mux.Core.Tests.Balancing;

public sealed class SlownessTests
{
    private const long Second = 1_000_000;
    private const int Fast = 3, Slow = 40; // indexes of methods

    private readonly MethodMeans _means = new();
    private long _now = 100 * Second;

    [Fact]
    public void An_endpoint_that_answers_like_the_others_has_no_factor()
    {
        var slowness = Warm(Fast, 1_000);
        for (int i = 0; i < 1_000; i++) Time(slowness, Fast, 1_000);
        Assert.Equal(1, slowness.FactorAt(_now), 2);
    }

    [Fact]
    public void A_late_reply_counts_for_as_long_as_it_took_and_is_forgotten_within_seconds()
    {
        var slowness = Warm(Fast, 20_000);
        Time(slowness, Fast, 60_000);
        Assert.Equal(2.7, slowness.FactorAt(_now), 1); // 1 + 2 * (1 - e^-2)
        for (int i = 0; i < 50; i++) Time(slowness, Fast, 20_000); // a second of them
        Assert.InRange(slowness.FactorAt(_now), 1.4, 1.8); // 1 + 1.7 / e
        for (int i = 0; i < 200; i++) Time(slowness, Fast, 20_000);
        Assert.InRange(slowness.FactorAt(_now), 0.9, 1.1);
    }

    [Fact]
    public void One_reply_that_is_a_millisecond_late_tells_little_and_ten_in_a_row_tell_something()
    {
        var slowness = Warm(Fast, 100);
        Time(slowness, Fast, 1_100);
        Assert.InRange(slowness.FactorAt(_now), 1.05, 1.15);
        for (int i = 0; i < 9; i++) Time(slowness, Fast, 1_100);
        Assert.InRange(slowness.FactorAt(_now), 1.6, 2.1);
    }

    [Fact]
    public void An_endpoint_whose_replies_are_always_a_little_late_counts_as_that_much_slower()
    {
        var slowness = Warm(Fast, 100);
        for (int i = 0; i < 600; i++)
        {
            Time(new Slowness(_means), Fast, 100);
            Time(new Slowness(_means), Fast, 100);
            Time(slowness, Fast, 200);
        }

        Assert.Equal(200 / _means.Of(Fast), slowness.FactorAt(_now), 0.1);
    }

    [Fact]
    public void After_a_time_in_which_all_were_slow_one_that_gets_no_calls_counts_like_those_that_do()
    {
        var (idle, busy) = (Warm(Fast, 6_000), Warm(Fast, 6_000));
        for (int i = 0; i < 1_000; i++) Time(i % 2 == 0 ? idle : busy, Fast, 6_000);
        for (int i = 0; i < 1_500; i++)
        {
            Time(busy, Fast, 1_000);
            _means.FindTypical([busy.OfRoundTrips]);
            idle.Refresh(_now);
        }

        Assert.True(busy.FactorAt(_now) < 0.8, "The mean remembers for longer, or this test says nothing.");
        Assert.InRange(idle.FactorAt(_now) / busy.FactorAt(_now), 0.8, 1.25);
    }

    [Fact]
    public void One_reply_counts_for_at_most_four_times_the_mean()
    {
        var slowness = Warm(Fast, 1_000);
        Time(slowness, Fast, 3_000_000);
        Assert.Equal(Slowness.MaxSlow, slowness.FactorAt(_now));
    }

    [Fact]
    public void A_slow_method_is_no_evidence_against_an_endpoint()
    {
        var slowness = Warm(Fast, 1_000);
        for (int i = 0; i < 50; i++) Time(new Slowness(_means), Slow, 200_000);
        for (int i = 0; i < 20; i++) Time(slowness, i % 2 == 0 ? Slow : Fast, i % 2 == 0 ? 200_000 : 1_000);
        Assert.InRange(slowness.FactorAt(_now), 0.9, 1.1);
    }

    [Fact]
    public void A_stall_shows_before_its_reply_and_ends_with_it()
    {
        var slowness = Warm(Fast, 1_000);
        int ticket = Begin(slowness, Fast);
        Assert.Equal(1, slowness.FactorAt(_now + 900), 1);
        Assert.Equal(20, slowness.FactorAt(_now + 20_000), 1.0);
        Assert.Equal(Slowness.MaxLate, slowness.FactorAt(_now + 10 * Second));
        slowness.End(ticket, replied: true, _now += 20_000);
        Assert.Equal(2.5, slowness.FactorAt(_now + 10 * Second), 0.1); // by what the reply tells: 1 + 3 * (1 - e^(-20 / 30))
    }

    [Fact]
    public void A_stall_shows_by_the_call_that_is_late_not_by_one_of_a_slow_method()
    {
        var slowness = Warm(Fast, 1_000);
        for (int i = 0; i < 20; i++) Time(new Slowness(_means), Slow, 200_000);
        int slow = Begin(slowness, Slow);
        int fast = Begin(slowness, Fast);
        Assert.NotEqual(slow, fast);
        Assert.Equal(1, slowness.FactorAt(_now + 900), 1);
        Assert.InRange(slowness.FactorAt(_now + 50_000), 40, 60);
        slowness.End(fast, replied: true, _now + 1_000);
        Assert.Equal(1, slowness.FactorAt(_now + 50_000), 1);
        slowness.End(slow, replied: true, _now + 200_000);
    }

    [Fact]
    public void A_call_that_is_given_back_tells_nothing()
    {
        var slowness = Warm(Fast, 1_000);
        int ticket = Begin(slowness, Fast);
        Assert.Equal(Slowness.MaxLate, slowness.FactorAt(_now += Second));
        slowness.Drop(ticket);
        Assert.Equal((1, 0), (Math.Round(slowness.FactorAt(_now), 2), slowness.OpenCount));
        Assert.Equal(1_000, _means.Of(Fast), 100.0);
    }

    [Fact]
    public void A_call_that_never_ends_counts_for_a_second_and_the_next_one_for_two()
    {
        var slowness = Warm(Fast, 1_000);
        Assert.Equal([1, 2, 4], [LatenessInSeconds(), LatenessInSeconds(), LatenessInSeconds()]);
        Time(slowness, Fast, 1_000);
        Assert.Equal(1, LatenessInSeconds()); // a reply in time shows that the server is well
        Assert.Equal(4, slowness.OpenCount);

        int LatenessInSeconds()
        {
            Begin(slowness, Fast);
            long began = _now;
            while (slowness.FactorAt(_now) > 2 || _now < began + 10_000) slowness.Refresh(_now += 10_000);
            return (int)Math.Round((_now - began) / (double)Second);
        }
    }

    [Fact]
    public void An_endpoint_that_has_just_opened_keeps_calls_although_its_first_replies_are_late()
    {
        var slowness = Warm(Fast, 1_000);
        Time(slowness, Fast, 100_000);
        Assert.InRange(slowness.FactorAt(_now), 3.5, 4);
        slowness.OnOpened(_now);
        for (int i = 0; i < 10; i++) Time(slowness, Fast, 100_000);
        Assert.InRange(slowness.FactorAt(_now), 1.3, Slowness.MaxSlowWhileNew);
        _now += 5 * Second;
        Time(slowness, Fast, 100_000);
        Assert.InRange(slowness.FactorAt(_now), 2, 4);
    }

    [Fact]
    public void On_a_noisy_machine_an_endpoint_that_has_just_opened_is_not_taken_for_a_better_one()
    {
        var (old, young) = (Warm(Fast, 1_000), Warm(Fast, 1_000));
        young.OnOpened(_now);
        for (int i = 0; i < 300; i++)
        {
            // One reply in eight comes late, from both alike: what is typical is then above 1.
            Time(old, Fast, i % 8 == 0 ? 40_000 : 500);
            Time(young, Fast, i % 8 == 0 ? 40_000 : 500);
            if (i % 8 == 7) _means.FindTypical([old.OfRoundTrips]);
        }

        Assert.InRange(young.OfRoundTrips / old.OfRoundTrips, 0.75, 1.5);
    }

    [Fact]
    public void One_that_opens_while_all_others_are_slow_does_not_keep_their_calls_for_as_long_as_it_is_new()
    {
        Slowness[] all = [Warm(Fast, 1_000), Warm(Fast, 1_000), Warm(Fast, 1_000)];
        var young = all[0];
        young.OnOpened(_now);
        foreach (var slow in all[1..]) Time(slow, Fast, 100_000);
        _means.FindTypical([all[1].OfRoundTrips]);
        for (int look = 0; look < 10; look++) // a second in which it has all calls
        {
            for (int i = 0; i < 10; i++) Time(young, Fast, 500);
            _means.FindTypical(all, _now);
            foreach (var slowness in all) slowness.Refresh(_now);
        }

        Assert.InRange(all[1].FactorAt(_now) / young.FactorAt(_now), 0, 4); // from 4 on, calls look for the best of all
    }

    [Fact]
    public void One_that_has_just_opened_and_is_slow_does_not_raise_what_is_typical_while_it_has_the_only_calls()
    {
        Slowness[] all = [Warm(Fast, 1_000), Warm(Fast, 1_000)];
        var young = all[0];
        _means.FindTypical([1]);
        _now += Second; // nothing is known of the other one
        young.OnOpened(_now);
        for (int look = 0; look < 10; look++)
        {
            for (int i = 0; i < 10; i++) Time(young, Fast, 10_000);
            _means.FindTypical(all, _now);
        }

        Assert.True(young.OfRoundTrips > 1.2, "It is slow, or this test says nothing.");
        Assert.InRange(_means.Typical, 0.9, 1.01);
    }

    [Fact]
    public void Of_two_endpoints_the_faster_one_is_typical_and_of_three_the_middle_one()
    {
        _means.FindTypical([4, 1]);
        Assert.Equal(1, _means.Typical);
        _means.FindTypical([4, 0.5, 2]);
        Assert.Equal(2, _means.Typical);
        _means.FindTypical([]);
        Assert.Equal(2, _means.Typical);
    }

    [Fact]
    public void Without_timed_calls_it_returns_to_one()
    {
        var slowness = Warm(Fast, 1_000);
        Time(slowness, Fast, 8_000);
        for (int i = 0; i < 50; i++) slowness.Refresh(_now += 100_000);
        Assert.Equal(1, slowness.FactorAt(_now), 1);
    }

    [Fact]
    public void A_failure_shows_at_most_that_an_endpoint_is_slow()
    {
        var slowness = Warm(Fast, 1_000);
        slowness.End(Begin(slowness, Fast), replied: false, _now += 10); // fails fast
        Assert.Equal(1, slowness.FactorAt(_now), 1);
        slowness.End(Begin(slowness, Fast), replied: false, _now += 40_000); // cancelled by a caller that waited no longer
        Assert.InRange(slowness.FactorAt(_now), 2.9, 3.5);
    }

    [Fact]
    public void Calls_that_end_early_make_neither_a_slow_endpoint_fast_nor_the_others_slow()
    {
        var slowness = Warm(Fast, 1_000);
        Time(slowness, Fast, 50_000);
        double slow = slowness.FactorAt(_now);
        for (int i = 0; i < 100; i++)
        {
            slowness.End(Begin(slowness, Fast), replied: false, _now + 10);
            _now += 10_000;
        }

        Assert.Equal(slow, slowness.FactorAt(_now));
        Assert.InRange(slow, 3.3, 3.6); // 1 + 3 * (1 - e^(-50 / 30))
        Assert.InRange(_means.Of(Fast), 1_000, 1_150);
    }

    [Fact]
    public void One_call_per_connection_and_ten_milliseconds_is_timed()
    {
        var slowness = new Slowness(_means);
        SampleGate first = default, second = default;
        int timed = 0;
        for (int i = 0; i < 1_000; i++)
        {
            long now = _now + (i * 100); // 100 ms
            if (first.IsDue(now) && slowness.TryBegin(ref first, Fast, now) is >= 0 and var one) timed += End(one, now);
            if (second.IsDue(now) && slowness.TryBegin(ref second, Fast, now) is >= 0 and var other) timed += End(other, now);
        }

        Assert.Equal(20, timed);

        int End(int ticket, long now)
        {
            slowness.End(ticket, replied: true, now + 50);
            return 1;
        }
    }

    [Fact]
    public void No_more_than_eight_calls_are_timed_at_the_same_time()
    {
        var slowness = new Slowness(_means);
        int[] tickets = [.. Enumerable.Range(0, Slowness.MaxOpen).Select(_ => Begin(slowness, Fast))];
        Assert.Equal(Slowness.MaxOpen, tickets.Distinct().Count());
        Assert.Equal(Slowness.NotTimed, Begin(slowness, Fast));
        slowness.End(tickets[3], replied: true, _now);
        Assert.Equal(tickets[3], Begin(slowness, Fast));
    }

    [Fact]
    public void Calls_that_wait_for_events_are_not_timed_but_asked_again_now_and_then()
    {
        var slowness = new Slowness(_means);
        for (int i = 0; i < MethodMeans.FirstCalls; i++) Time(slowness, Fast, 2_000_000);
        Assert.Equal(Slowness.NotTimed, Begin(slowness, Fast));
        _now += 10 * Second;
        for (int i = 0; i < MethodMeans.FirstCalls; i++) Time(slowness, Fast, 1_000);
        Assert.Equal(1_000, _means.Of(Fast), 100.0);
        Time(slowness, Fast, 1_000);
    }

    [Fact]
    public void A_mean_is_not_used_before_eight_calls_and_one_stall_does_not_move_it_far()
    {
        for (int i = 0; i < MethodMeans.FirstCalls; i++)
        {
            Assert.Equal(0, _means.Of(Fast));
            _means.Add(Fast, 1_000, _now);
        }

        for (int i = 0; i < 100; i++) _means.Add(Fast, 1_000, _now += 10_000);
        _means.Add(Fast, 1_000_000, _now += 10_000);
        Assert.InRange(_means.Of(Fast), 1_000, 1_100);
    }

    [Fact]
    public void A_mean_follows_a_method_that_becomes_slower_everywhere()
    {
        for (int i = 0; i < 1_000; i++) _means.Add(Fast, 1_000, _now += 10_000);
        for (int i = 0; i < 3_000; i++) _means.Add(Fast, 20_000, _now += 10_000); // 30 s
        Assert.InRange(_means.Of(Fast), 18_000, 20_000);
    }

    private Slowness Warm(int method, long roundTrip)
    {
        var slowness = new Slowness(_means);
        for (int i = 0; i < 50; i++) Time(slowness, method, roundTrip);
        return slowness;
    }

    private void Time(Slowness slowness, int method, long roundTrip)
    {
        int ticket = Begin(slowness, method);
        slowness.End(ticket, replied: true, _now + roundTrip);
        _now += Math.Max(10_000, roundTrip);
    }

    private int Begin(Slowness slowness, int method)
    {
        SampleGate gate = default; // another connection each time
        return slowness.TryBegin(ref gate, method, _now);
    }
}
