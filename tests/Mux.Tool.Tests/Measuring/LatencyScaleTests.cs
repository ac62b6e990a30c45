using Mux.TestSupport.Transports;
using Mux.Tool.Measuring;

namespace Mux.Tool.Tests.Measuring;

public sealed class LatencyScaleTests
{
    [Fact]
    public void Buckets_follow_each_other_without_gaps_and_hold_their_lower_bounds_alone()
    {
        Assert.Equal(0, LatencyScale.LowerBound(0));
        for (int bucket = 0; bucket < LatencyScale.BucketCount; bucket++)
        {
            long from = LatencyScale.LowerBound(bucket), to = LatencyScale.UpperBound(bucket);
            Assert.Equal(bucket, LatencyScale.BucketOf(from));
            Assert.Equal(bucket, LatencyScale.BucketOf(to - 1));
        }
    }

    [Fact]
    public void A_bucket_is_no_wider_than_25_ns_or_a_thousandth_of_its_latency()
    {
        var random = new Random(TestSeed.Next());
        for (int i = 0; i < 100_000; i++)
        {
            long latency = (long)Math.Pow(10, random.NextDouble() * 10.7);
            int bucket = LatencyScale.BucketOf(latency);
            long from = LatencyScale.LowerBound(bucket), to = LatencyScale.UpperBound(bucket);
            Assert.InRange(latency, from, to - 1);
            Assert.InRange(to - from, 1, Math.Max(25, latency / 1000));
        }
    }

    [Fact]
    public void Sixty_seconds_have_a_bucket_and_what_is_out_of_range_counts_at_its_end()
    {
        const long Minute = 60_000_000_000;
        Assert.InRange(Minute, LatencyScale.LowerBound(LatencyScale.BucketOf(Minute)), LatencyScale.UpperBound(LatencyScale.BucketOf(Minute)));
        Assert.Equal(0, LatencyScale.BucketOf(-1));
        Assert.Equal(LatencyScale.BucketCount - 1, LatencyScale.BucketOf(long.MaxValue));
    }
}
