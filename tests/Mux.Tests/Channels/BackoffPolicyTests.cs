using Mux.Endpoints;
using Mux.TestSupport.Connections;

namespace Mux.Tests.Channels;

/// <summary>The pauses between dials, as their ceilings (random at its highest) and as they spread below them, and how many dials may be under way.</summary>
public sealed class BackoffPolicyTests
{
    private const long Start = 1_000_000_000; // microseconds; any
    private const long Millisecond = 1000;
    private const long Second = 1000 * Millisecond;

    private static readonly TimeSpan s_max = TimeSpan.FromSeconds(1);

    [Theory]
    [InlineData(0, 100)]
    [InlineData(1000, 100)]
    [InlineData(3200, 100)]
    [InlineData(5000, 156.25)]
    [InlineData(15_000, 468.75)]
    [InlineData(32_000, 1000)]
    [InlineData(1_000_000, 1000)]
    public void A_pause_grows_with_the_time_that_the_server_has_been_away(int awayMilliseconds, double ceilingMilliseconds)
    {
        var sut = new BackoffPolicy(s_max, new Highest());
        sut.OnLost(Start);
        AssertPause(ceilingMilliseconds, sut.OnFailed(Start + (awayMilliseconds * Millisecond)));
    }

    [Theory]
    [InlineData(10)]
    [InlineData(100)]
    [InlineData(5000)]
    public void No_pause_is_longer_than_the_longest_allowed_however_many_dials_fail(int maxMilliseconds)
    {
        var sut = new BackoffPolicy(TimeSpan.FromMilliseconds(maxMilliseconds), new Highest());
        for (int failures = 1; failures <= 2000; failures++) Assert.InRange(sut.OnFailed(Start + (failures * Second)), 0, maxMilliseconds * Millisecond);
        AssertPause(maxMilliseconds, sut.OnFailed(Start + (2001 * Second)));
    }

    [Theory]
    [InlineData(0, 100)]
    [InlineData(32, 1000)]
    [InlineData(96, 3000)]
    [InlineData(160, 5000)]
    [InlineData(1000, 5000)]
    public void Pauses_after_refusals_grow_beyond_those_of_other_failures(int seconds, double ceilingMilliseconds)
    {
        var sut = new BackoffPolicy(s_max, new Highest());
        Refuse(sut, Start);
        AssertPause(ceilingMilliseconds, Refuse(sut, Start + (seconds * Second)));
    }

    [Theory]
    [InlineData(true, 10)]
    [InlineData(false, 0)]
    public void A_refusal_is_a_first_one_after_a_connection_that_lasted_or_another_end(bool isRefusal, int openSeconds)
    {
        var sut = new BackoffPolicy(s_max, new Highest());
        Refuse(sut, Start);
        long now = Start + (200 * Second);
        AssertPause(5000, Refuse(sut, now, openSeconds: 9));
        sut.OnEnd(isRefusal, now, now - (openSeconds * Second));
        AssertPause(1000, Refuse(sut, now + Second));
        AssertPause(3000, Refuse(sut, now + (isRefusal ? 96 * Second : 97 * Second)));
    }

    [Fact]
    public void Servers_that_take_turns_are_dialed_at_common_times()
    {
        const long Common = 100 * Millisecond;
        var sut = new BackoffPolicy(s_max, new Random(1));
        List<long> times = [];
        for (int failure = 0; failure < 100; failure++)
        {
            long now = Start + (failure * 7777);
            Assert.InRange(sut.OnFailed(now, least: 20 * Second), 10 * Second, (20 * Second) + Common);
            times.Add(sut.NextDialAt % Common);
        }

        Assert.Single(times.Distinct());
    }

    [Fact]
    public void The_loss_of_a_connection_that_was_of_use_is_a_first_one()
    {
        var sut = new BackoffPolicy(s_max, new Highest());
        sut.OnFailed(Start);
        AssertPause(1000, sut.OnFailed(Start + (100 * Second)));
        AssertPause(100, sut.OnLost(Start + (101 * Second)));
        AssertPause(100, sut.OnFailed(Start + (102 * Second)));
    }

    [Fact]
    public void A_failure_behind_a_connection_that_was_of_use_is_a_first_one()
    {
        var sut = new BackoffPolicy(s_max, new Highest());
        sut.OnFailed(Start);
        sut.Forget();
        AssertPause(100, sut.OnFailed(Start + (100 * Second)));
    }

    [Fact]
    public void A_connection_that_opened_is_no_proof_that_the_server_is_back()
    {
        var sut = new BackoffPolicy(s_max, new Highest());
        sut.OnFailed(Start);
        sut.OnOpened();
        AssertPause(1000, sut.OnFailed(Start + (100 * Second)));
    }

    [Fact]
    public void One_dial_follows_a_failure_and_twice_as_many_each_connection_that_opens()
    {
        var sut = new BackoffPolicy(s_max, new Highest());
        Assert.Equal(16, sut.Dials);
        sut.OnFailed(Start);
        var dials = new List<int>();
        for (int opened = 0; opened < 6; opened++)
        {
            dials.Add(sut.Dials);
            sut.OnOpened();
        }

        Assert.Equal([1, 2, 4, 8, 16, 16], dials);
        sut.OnLost(Start);
        Assert.Equal(1, sut.Dials);
    }

    [Fact]
    public void Pauses_after_a_loss_spread_evenly_from_nothing_to_their_ceiling() => AssertSpread(0, static policy => policy.OnLost(Start));

    [Fact]
    public void Pauses_after_a_failed_dial_spread_evenly_over_the_upper_half() => AssertSpread(0.5, static policy => policy.OnFailed(Start));

    private static long Refuse(BackoffPolicy sut, long now, int openSeconds = 0)
    {
        sut.OnEnd(isRefusal: true, now, now - (openSeconds * Second));
        return sut.OnFailed(now);
    }

    private static void AssertSpread(double lowest, Func<BackoffPolicy, long> end) => Seeds.ForEach(20, seed =>
    {
        const int Clients = 4000;
        const int Parts = 10;
        var random = new Random(seed);
        int[] counts = new int[Parts];
        for (int client = 0; client < Clients; client++)
        {
            var sut = new BackoffPolicy(s_max, random);
            double share = (((double)end(sut) / (100 * Millisecond)) - lowest) / (1 - lowest);
            Assert.InRange(share, 0, 1);
            Assert.InRange(sut.NextDialAt, Start, Start + (100 * Millisecond));
            counts[Math.Min(Parts - 1, (int)(share * Parts))]++;
        }

        Assert.All(counts, count => Assert.InRange(count, Clients / Parts * 0.7, Clients / Parts * 1.3)); // 6 standard deviations
    });

    private static void AssertPause(double milliseconds, long pause) => Assert.InRange(pause, (milliseconds * Millisecond) - 2, milliseconds * Millisecond);

    /// <summary>As near to 1 as makes no difference.</summary>
    private sealed class Highest : Random
    {
        public override double NextDouble() => 1 - 1e-12;
    }
}
