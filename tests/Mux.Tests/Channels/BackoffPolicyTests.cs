using Mux.Channels;
using Mux.TestSupport.Connections;

namespace Mux.Tests.Channels;

/// <summary>The pauses between dials, as their ceilings (random at its highest) and as they spread below them.</summary>
public sealed class BackoffPolicyTests
{
    private const double Precision = 0.001; // ms

    private static readonly TimeSpan s_max = TimeSpan.FromSeconds(5);

    [Fact]
    public void The_first_pause_is_at_most_100_ms_and_each_further_one_at_most_1_6_times_that()
    {
        var sut = new BackoffPolicy(s_max, new Highest());
        foreach (double ceiling in new[] { 100, 160, 256, 409.6, 655.36, 1048.576, 1677.7216, 2684.35456, 4294.967296 })
            Assert.Equal(ceiling, sut.OnEnded(TimeSpan.Zero).TotalMilliseconds, Precision);
    }

    [Theory]
    [InlineData(10)]
    [InlineData(100)]
    [InlineData(5000)]
    public void No_pause_is_longer_than_the_longest_allowed_however_many_dials_fail(int maxMilliseconds)
    {
        var sut = new BackoffPolicy(TimeSpan.FromMilliseconds(maxMilliseconds), new Highest());
        for (int failures = 1; failures <= 2000; failures++) Assert.InRange(sut.OnEnded(TimeSpan.Zero).TotalMilliseconds, 0, maxMilliseconds);
        Assert.Equal(maxMilliseconds, sut.OnEnded(TimeSpan.Zero).TotalMilliseconds, Precision);
    }

    [Fact]
    public void A_connection_that_lived_10_s_makes_the_next_pause_a_first_one()
    {
        var sut = new BackoffPolicy(s_max, new Highest());
        for (int failures = 1; failures <= 5; failures++) sut.OnEnded(TimeSpan.Zero);
        Assert.Equal(100, sut.OnEnded(TimeSpan.FromSeconds(10)).TotalMilliseconds, Precision);
        Assert.Equal(160, sut.OnEnded(TimeSpan.Zero).TotalMilliseconds, Precision);
    }

    [Fact]
    public void A_connection_that_lived_less_counts_as_one_that_failed()
    {
        var sut = new BackoffPolicy(s_max, new Highest());
        sut.OnEnded(TimeSpan.Zero);
        Assert.Equal(160, sut.OnEnded(TimeSpan.FromSeconds(9.999)).TotalMilliseconds, Precision);
    }

    [Fact]
    public void Pauses_spread_evenly_from_nothing_to_their_ceiling() => Seeds.ForEach(20, seed =>
    {
        const int Clients = 4000;
        const int Parts = 10;
        var random = new Random(seed);
        int[] counts = new int[Parts];
        for (int client = 0; client < Clients; client++)
        {
            var sut = new BackoffPolicy(s_max, random);
            sut.OnEnded(TimeSpan.Zero);
            double share = sut.OnEnded(TimeSpan.Zero).TotalMilliseconds / 160;
            Assert.InRange(share, 0, 1);
            counts[Math.Min(Parts - 1, (int)(share * Parts))]++;
        }

        Assert.All(counts, count => Assert.InRange(count, Clients / Parts * 0.7, Clients / Parts * 1.3)); // 6 standard deviations
    });

    /// <summary>As near to 1 as makes no difference.</summary>
    private sealed class Highest : Random
    {
        public override double NextDouble() => 1 - 1e-12;
    }
}
