using System.Numerics;

namespace Mux.Tool.Measuring;

/// <summary>
/// Buckets of a latency histogram, log-linear like HdrHistogram: 25 ns wide up to 51.2 us, then 1,024 per power of two, so at most 0.1 % of the value.
/// </summary>
/// <remarks>
/// With a unit of 25 ns, every edge of <see cref="LatencyLevels"/> is the edge of a bucket: in units of 25 ns their odd parts (25, 125, 625, 625 and 1,875) are
/// below 2,048. With units of 1 or 10 ns, a level would begin within a bucket.
/// </remarks>
internal static class LatencyScale
{
    private const long UnitNanoseconds = 25;
    private const int SubBucketBits = 10;
    private const int SubBuckets = 1 << SubBucketBits;

    /// <summary>2^32 units of 25 ns are 107 s; longer latencies count as that.</summary>
    private const int LargestBits = 32;

    private const long LargestUnits = (1L << LargestBits) - 1;

    /// <summary>Number of buckets of a histogram.</summary>
    public const int BucketCount = (LargestBits - SubBucketBits + 1) << SubBucketBits;

    /// <summary>Gets the bucket of a latency. Negative ones, which a clock should not give, count as zero.</summary>
    public static int BucketOf(long nanoseconds)
    {
        long units = Math.Clamp(nanoseconds / UnitNanoseconds, 0, LargestUnits);
        int shift = Math.Max(0, 63 - SubBucketBits - BitOperations.LeadingZeroCount((ulong)units));
        return (shift << SubBucketBits) + (int)(units >> shift);
    }

    /// <summary>Gets the shortest latency of a bucket, in nanoseconds.</summary>
    public static long LowerBound(int bucket)
    {
        if (bucket < 2 * SubBuckets) return bucket * UnitNanoseconds;
        int shift = (bucket >> SubBucketBits) - 1;
        long mantissa = SubBuckets + (bucket & SubBuckets - 1);
        return (mantissa << shift) * UnitNanoseconds;
    }

    /// <summary>Gets the shortest latency that is too long for a bucket, in nanoseconds.</summary>
    public static long UpperBound(int bucket) => LowerBound(bucket + 1);
}
