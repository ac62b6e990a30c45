using Mux.Client;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Tests.Channels;

/// <summary>The pauses between dials, as their ceilings (random at its highest) and as they spread below them, and how many dials may be under way.</summary>
public sealed class BackoffPolicyTests
{
    private const long Start = 1_000_000_000; // microseconds; any
    private const long Millisecond = 1000;
    private const long Second = 1000 * Millisecond;

    private static readonly TimeSpan s_max = TimeSpan.FromSeconds(1);
    private static readonly ConnectionEnd s_refusal = ConnectionEnd.OfPeer(new(ConnectionCode.Refused, 0, "Not now."), "refused");

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
        AssertPause(ceilingMilliseconds, RefuseFor(sut, Start, seconds));
    }

    [Fact]
    public void A_refusal_is_a_first_one_if_it_ends_a_connection_that_lasted()
    {
        var sut = new BackoffPolicy(s_max, new Highest());
        RefuseFor(sut, Start, 200);
        long now = Start + (200 * Second);
        AssertPause(5000, Refuse(sut, now, openSeconds: 9));
        AssertPause(1000, Refuse(sut, now, openSeconds: 10));
        AssertPause(3000, RefuseFor(sut, now, 96));
    }

    [Theory]
    [InlineData(nameof(CloseReason.ConnectFailed))]
    [InlineData(nameof(CloseReason.ConnectionLost))]
    [InlineData(nameof(CloseReason.KeepAliveTimeout))]
    [InlineData(nameof(CloseReason.PeerDrained))]
    [InlineData(nameof(CloseReason.PeerError))]
    public void A_refusal_is_a_first_one_after_an_end_of_another_kind(string reason)
    {
        var sut = new BackoffPolicy(s_max, new Highest());
        AssertPause(5000, RefuseFor(sut, Start, 200));
        long now = Start + (200 * Second);
        End(sut, reason, now, openSeconds: 0);
        AssertPause(1000, Refuse(sut, now));
        AssertPause(3000, RefuseFor(sut, now, 96));
    }

    [Theory]
    [InlineData(nameof(CloseReason.Drained))]
    [InlineData(nameof(CloseReason.Idle))]
    [InlineData(nameof(CloseReason.MaxAge))]
    [InlineData(nameof(CloseReason.Disposed))]
    [InlineData(nameof(CloseReason.Refused))]
    public void An_end_that_this_side_chose_lets_refusals_begin_anew_only_if_the_connection_lasted(string reason)
    {
        var sut = new BackoffPolicy(s_max, new Highest());
        AssertPause(5000, RefuseFor(sut, Start, 200));
        long now = Start + (200 * Second);
        sut.OnEnd(EndOf(reason), now, Clock.Never);
        End(sut, reason, now, openSeconds: 9);
        AssertPause(5000, Refuse(sut, now));
        End(sut, reason, now, openSeconds: 10);
        AssertPause(1000, Refuse(sut, now));
    }

    [Theory]
    [InlineData(14.9, 5000)]
    [InlineData(15, 1000)]
    [InlineData(3600, 1000)]
    public void A_refusal_is_a_first_one_if_none_has_come_for_longer_than_pauses_and_a_connection_that_lasted_take(
        double seconds, double ceilingMilliseconds)
    {
        var sut = new BackoffPolicy(s_max, new Highest());
        AssertPause(5000, RefuseFor(sut, Start, 200));
        AssertPause(ceilingMilliseconds, Refuse(sut, Start + (200 * Second) + (long)(seconds * Second)));
    }

    [Fact]
    public void Refusals_with_long_pauses_between_them_are_no_first_ones()
    {
        var sut = new BackoffPolicy(TimeSpan.FromMinutes(1), new Highest());
        Refuse(sut, Start);
        AssertPause(69_000 / 32.0, Refuse(sut, Start + (69 * Second)));
    }

    [Fact]
    public void A_refusal_is_a_first_one_after_a_connection_that_served_its_call()
    {
        var sut = new BackoffPolicy(s_max, new Highest());
        AssertPause(5000, RefuseFor(sut, Start, 200));
        sut.ForgetRefusals();
        AssertPause(1000, Refuse(sut, Start + (200 * Second)));
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

    /// <summary>Refuses each connection, as often as the longest pause allows.</summary>
    /// <returns>The last pause, at the end of the time.</returns>
    private static long RefuseFor(BackoffPolicy sut, long from, int seconds)
    {
        for (int after = 0; after < seconds; after += 5) Refuse(sut, from + (after * Second));
        return Refuse(sut, from + (seconds * Second));
    }

    private static long Refuse(BackoffPolicy sut, long now, int openSeconds = 0)
    {
        sut.OnEnd(s_refusal, now, now - (openSeconds * Second));
        return sut.OnFailed(now);
    }

    private static void End(BackoffPolicy sut, string reason, long now, int openSeconds) =>
        sut.OnEnd(EndOf(reason), now, now - (openSeconds * Second));

    private static ConnectionEnd EndOf(string reason) => new(Enum.Parse<CloseReason>(reason), "It ended.");

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
