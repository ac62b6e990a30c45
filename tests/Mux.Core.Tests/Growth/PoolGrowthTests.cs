using Mux.Client;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Growth;

/// <summary>When an endpoint gets one more connection, and when one drains.</summary>
public sealed class PoolGrowthTests
{
    private const long Look = PoolGrowth.LookTime, Second = 1_000_000;

    private readonly ScriptedPool _pool = new(floor: 1, ceiling: 4);

    [Fact]
    public void Three_looks_in_a_row_that_find_contention_dial_one_connection()
    {
        Assert.Equal([GrowthStep.Stay, GrowthStep.Stay, GrowthStep.Grow], _pool.See(3, contended: 0.21));
        Assert.Equal((2, GrowthReason.Contention), (_pool.Connections, _pool.Sut.Reason));
    }

    [Theory]
    [InlineData(0.2, 0.5, 1_000, 0)]
    [InlineData(0, 0, 5_000, 5_000)]
    public void What_is_at_its_limit_is_no_contention(double contended, double blocked, long oldest, long roundTrip) =>
        Assert.All(_pool.See(100, contended, blocked, oldest, roundTrip), step => Assert.Equal(GrowthStep.Stay, step));

    [Theory]
    [InlineData(0, 0.51, 0, 0, GrowthReason.BlockedSending)]
    [InlineData(0, 0, 1_001, 0, GrowthReason.WaitingCalls)]
    [InlineData(0, 0, 5_001, 5_000, GrowthReason.WaitingCalls)]
    public void Blocked_sending_and_waiting_calls_are_reasons(double contended, double blocked, long oldest, long roundTrip, object reason)
    {
        Assert.Equal(GrowthStep.Grow, _pool.See(3, contended, blocked, oldest, roundTrip)[^1]);
        Assert.Equal(reason, _pool.Sut.Reason);
    }

    [Fact]
    public void Contention_that_pauses_begins_anew()
    {
        _pool.See(2, contended: 1);
        _pool.See(1);
        Assert.All(_pool.See(2, contended: 1), step => Assert.Equal(GrowthStep.Stay, step));
        Assert.Equal(GrowthStep.Grow, _pool.See(1, contended: 1)[0]);
    }

    [Fact]
    public void Contention_before_a_loss_does_not_count_after_it()
    {
        _pool.See(2, contended: 1);
        _pool.IsBroken = true;
        _pool.See(1, contended: 1);
        _pool.IsBroken = false;
        Assert.Equal([GrowthStep.Stay, GrowthStep.Stay, GrowthStep.Grow], _pool.See(3, contended: 1));
    }

    [Fact]
    public void Looks_on_request_do_not_count_as_more_time()
    {
        _pool.LookTime = Look / 10;
        Assert.All(_pool.See(18, contended: 1), step => Assert.Equal(GrowthStep.Stay, step));
    }

    [Fact]
    public void At_the_limit_of_the_peer_connections_are_dialed_at_once_one_after_the_other_up_to_the_ceiling()
    {
        _pool.LookTime = Look / 10;
        _pool.CallsPerConnection = 100;
        _pool.Calls = 450;
        int looks = 0;
        while (_pool.Connections < 4 && looks++ < 20) _pool.See(1);
        Assert.InRange(looks, 3, 9); // a dial, and the look that finds more calls open
        Assert.All(_pool.See(100), step => Assert.Equal(GrowthStep.Stay, step));
        Assert.Equal(4, _pool.Connections);
    }

    [Fact]
    public void A_connection_for_the_one_call_above_the_limit_is_kept()
    {
        (_pool.CallsPerConnection, _pool.Calls) = (100, 101);
        Until(GrowthStep.Grow);
        Assert.All(_pool.See(100), step => Assert.Equal(GrowthStep.Stay, step));
        Assert.Equal(2, _pool.Connections);
    }

    [Fact]
    public void A_connection_that_opens_and_ends_is_given_up_at_once_and_not_dialed_for_two_seconds_also_at_the_limit()
    {
        _pool.CallsPerConnection = 100;
        _pool.Calls = 150;
        _pool.See(5);
        Assert.Equal(2, _pool.Connections); // it has proved itself at once: more calls are open
        _pool.FailTrial();
        Assert.Equal(GrowthStep.Shrink, _pool.See(1)[0]);
        Assert.All(_pool.See(19), step => Assert.Equal(GrowthStep.Stay, step));
        Assert.Contains(GrowthStep.Grow, _pool.See(3));
    }

    [Fact]
    public void A_connection_that_brings_less_than_5_percent_in_a_second_drains_and_each_further_try_waits_twice_as_long()
    {
        var tries = new List<long>();
        var lasted = new List<long>();
        _pool.WorkPerSecond = connections => 1000 + (40 * (connections - 1));
        while (tries.Count < 5)
        {
            var step = _pool.See(1, contended: 1)[0];
            if (step == GrowthStep.Grow) tries.Add(_pool.Now);
            if (step == GrowthStep.Shrink) lasted.Add(_pool.Now - tries[^1]);
        }

        Assert.All(lasted, time => Assert.InRange(time, Second, Second + (3 * Look)));
        var waits = tries.Zip(tries.Skip(1), (first, second) => (second - first) / (double)Second).ToArray();
        Assert.All(waits.Select((wait, i) => wait - (2 << i)), left => Assert.InRange(left, 1, 2)); // the trial and three looks
    }

    [Fact]
    public void The_wait_after_a_try_in_vain_grows_to_17_minutes_and_is_the_first_again_after_a_connection_that_stays()
    {
        double wait = 0;
        for (int i = 0; i < 12; i++)
        {
            Until(GrowthStep.Grow);
            long left = Until(GrowthStep.Shrink);
            wait = (Until(GrowthStep.Grow) - left) / (double)Second;
            Until(GrowthStep.Shrink);
        }

        Assert.InRange(wait, 1024, 1025);
        _pool.WorkPerSecond = connections => 1000 * Math.Min(connections, 2);
        Until(GrowthStep.Grow); // this one stays, and one more is tried
        Until(GrowthStep.Grow);
        long gone = Until(GrowthStep.Shrink);
        Assert.InRange((Until(GrowthStep.Grow) - gone) / (double)Second, 2, 3);
    }

    [Fact]
    public void A_connection_is_on_trial_only_once_it_is_open()
    {
        _pool.IsDialing = true;
        Until(GrowthStep.Grow);
        Assert.All(_pool.See(50, contended: 1), step => Assert.Equal(GrowthStep.Stay, step));
        _pool.IsDialing = false;
        _pool.WorkPerSecond = connections => 1000 * connections;
        Assert.DoesNotContain(GrowthStep.Shrink, _pool.See(50, contended: 1));
    }

    [Fact]
    public void A_connection_is_given_up_if_one_is_lost_when_its_trial_ends()
    {
        _pool.WorkPerSecond = connections => 1000 * connections;
        Until(GrowthStep.Grow);
        _pool.See(1); // it is open
        _pool.IsBroken = true;
        Assert.Contains(GrowthStep.Shrink, _pool.See(11));
    }

    [Fact]
    public void A_connection_that_brings_5_percent_stays_and_one_more_may_follow()
    {
        _pool.WorkPerSecond = connections => 1000 * connections;
        Assert.Equal(3, _pool.See(100, contended: 1).Count(step => step == GrowthStep.Grow));
        Assert.Equal(4, _pool.Connections);
    }

    [Fact]
    public void A_connection_drains_when_the_load_that_filled_the_others_was_away_for_a_minute()
    {
        _pool.WorkPerSecond = connections => 1000 * connections;
        _pool.See(15, contended: 1);
        Assert.Equal(2, _pool.Connections);
        Assert.DoesNotContain(GrowthStep.Shrink, _pool.See(1200)); // the load is there, although two connections bear it without contention
        _pool.WorkPerSecond = _ => 800;
        Assert.DoesNotContain(GrowthStep.Shrink, _pool.See(590));
        Assert.Contains(GrowthStep.Shrink, _pool.See(30));
        Assert.Equal(1, _pool.Connections);
    }

    [Fact]
    public void A_connection_that_has_just_proved_itself_stays_for_a_minute_without_a_call()
    {
        _pool.See(700);
        (_pool.CallsPerConnection, _pool.Calls) = (100, 150);
        Until(GrowthStep.Grow);
        _pool.See(2);
        _pool.Calls = 0;
        Assert.DoesNotContain(GrowthStep.Shrink, _pool.See(590));
        Assert.Contains(GrowthStep.Shrink, _pool.See(20));
    }

    [Fact]
    public void Connections_of_an_idle_channel_drain_one_after_the_other_down_to_the_floor()
    {
        _pool.WorkPerSecond = connections => 1000 * connections;
        _pool.See(100, contended: 1);
        Assert.False(_pool.Sut.IsAtRest);
        _pool.WorkPerSecond = _ => 0;
        long first = Until(GrowthStep.Shrink, contended: 0), second = Until(GrowthStep.Shrink, contended: 0), third = Until(GrowthStep.Shrink, contended: 0);
        Assert.All([second - first, third - second], pause => Assert.InRange(pause / (double)Second, 59, 61));
        Assert.All(_pool.See(1000), step => Assert.Equal(GrowthStep.Stay, step));
        Assert.Equal(1, _pool.Connections);
        Assert.True(_pool.Sut.IsAtRest);
    }

    [Fact]
    public void A_dial_that_fails_is_given_up_and_the_next_waits()
    {
        _pool.DialsFail = true;
        Assert.Equal([GrowthStep.Stay, GrowthStep.Stay, GrowthStep.Grow, GrowthStep.Shrink], _pool.See(4, contended: 1));
        Assert.All(_pool.See(16, contended: 1), step => Assert.Equal(GrowthStep.Stay, step));
        Assert.Equal(1, _pool.Connections);
    }

    [Fact]
    public void A_step_that_the_pool_cannot_carry_out_puts_nothing_on_trial()
    {
        _pool.WorkPerSecond = connections => 1000 * connections;
        _pool.See(15, contended: 1);
        Assert.Equal(2, _pool.Connections);
        _pool.IsUnable = true;
        while (_pool.See(1, contended: 1)[0] != GrowthStep.Grow) Assert.InRange(_pool.Now, 0, 10 * Second);
        _pool.FailOther(); // a lost connection is dialed in vain
        Assert.All(_pool.See(5), step => Assert.Equal(GrowthStep.Stay, step));
        Assert.Equal(2, _pool.Connections);
    }

    [Fact]
    public void Nothing_is_dialed_while_a_connection_is_lost_or_the_server_asks_for_fewer_calls()
    {
        _pool.IsBroken = true;
        Assert.All(_pool.See(100, contended: 1), step => Assert.Equal(GrowthStep.Stay, step));
    }

    [Fact]
    public void The_number_of_connections_is_always_between_floor_and_ceiling_and_returns_to_the_floor() => Seeds.ForEach(300, seed =>
    {
        var random = new Random(seed);
        int floor = random.Next(1, 4);
        var pool = new ScriptedPool(floor, floor + random.Next(0, 4)) { CallsPerConnection = random.Next(1, 50) };
        for (int i = 0; i < 60; i++)
        {
            double gain = random.NextDouble() * 2;
            pool.WorkPerSecond = connections => 1000 * (1 + (gain * connections));
            pool.DialsFail = random.Next(4) == 0;
            pool.IsBroken = random.Next(5) == 0;
            pool.Calls = random.Next(200);
            pool.LookTime = random.Next(10_000, 120_000);
            pool.See(random.Next(1, 40), random.NextDouble(), random.NextDouble(), random.Next(2_000));
        }

        (pool.DialsFail, pool.IsBroken, pool.Calls, pool.LookTime, pool.WorkPerSecond) = (false, false, 0, Look, _ => 0);
        pool.See(4000);
        Assert.Equal(floor, pool.Connections);
        Assert.True(pool.Sut.IsAtRest);
    });

    /// <summary>Looks until a step is decided, and returns the time.</summary>
    private long Until(GrowthStep wanted, double contended = 1)
    {
        for (int i = 0; i < 20_000; i++)
        {
            if (_pool.See(1, contended)[0] == wanted) return _pool.Now;
        }

        throw new InvalidOperationException($"{wanted} was not decided within 20,000 looks.");
    }
}
