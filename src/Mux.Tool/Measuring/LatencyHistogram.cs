namespace Mux.Tool.Measuring;

/// <summary>Latencies counted by bucket. Not thread-safe.</summary>
/// <remarks>Large enough for the large object heap: a few new ones a second would cause garbage collections in the middle of a run, so reuse one.</remarks>
internal sealed class LatencyHistogram
{
    private readonly long[] _counts = new long[LatencyScale.BucketCount];

    /// <summary>Number of latencies.</summary>
    public long Count { get; private set; }

    /// <summary>Number of replies, right and wrong, timed or not.</summary>
    public long Replies { get; private set; }

    public long WrongReplies { get; private set; }

    /// <summary>The shortest latency in nanoseconds, rounded down to its bucket; 0 if there is none.</summary>
    public long Min => Count == 0 ? 0 : LatencyScale.LowerBound(Array.FindIndex(_counts, count => count != 0));

    /// <summary>The longest latency in nanoseconds, rounded up to its bucket; 0 if there is none.</summary>
    public long Max => Percentile(1);

    /// <summary>Removes all latencies.</summary>
    public void Clear()
    {
        Array.Clear(_counts);
        Count = Replies = WrongReplies = 0;
    }

    /// <summary>Adds the current counts of a recorder. Concurrent ones may be missing.</summary>
    public void Add(LatencyRecorder recorder)
    {
        for (int bucket = 0; bucket < _counts.Length; bucket++)
        {
            long count = recorder.CountOf(bucket);
            _counts[bucket] += count;
            Count += count;
            Replies += count;
        }

        Replies += recorder.Untimed;
        WrongReplies += recorder.WrongReplies;
    }

    /// <summary>Sets it to the difference between two sums of the same recorders.</summary>
    public void SetDifference(LatencyHistogram later, LatencyHistogram earlier)
    {
        for (int bucket = 0; bucket < _counts.Length; bucket++) _counts[bucket] = later._counts[bucket] - earlier._counts[bucket];
        Count = later.Count - earlier.Count;
        Replies = later.Replies - earlier.Replies;
        WrongReplies = later.WrongReplies - earlier.WrongReplies;
    }

    /// <summary>Gets a percentile: the latency of the reply at rank ceil(quantile x count), rounded up to its bucket.</summary>
    /// <param name="quantile">Above 0, up to 1.</param>
    /// <returns>Nanoseconds; 0 if there are no replies.</returns>
    public long Percentile(double quantile)
    {
        long rank = Math.Max(1, (long)Math.Ceiling(quantile * Count));
        long seen = 0;
        for (int bucket = 0; bucket < _counts.Length; bucket++)
        {
            seen += _counts[bucket];
            if (seen >= rank) return LatencyScale.UpperBound(bucket);
        }

        return 0;
    }

    /// <summary>Counts replies with a latency below the given one, in nanoseconds. Exact at the edges of buckets.</summary>
    public long CountBelow(long nanoseconds)
    {
        long count = 0;
        for (int bucket = LatencyScale.BucketOf(nanoseconds) - 1; bucket >= 0; bucket--) count += _counts[bucket];
        return count;
    }

    /// <summary>Gets the buckets that are not empty, in order.</summary>
    public IEnumerable<LatencyBucket> Buckets()
    {
        for (int bucket = 0; bucket < _counts.Length; bucket++)
        {
            if (_counts[bucket] != 0) yield return new LatencyBucket(LatencyScale.LowerBound(bucket), LatencyScale.UpperBound(bucket), _counts[bucket]);
        }
    }
}
