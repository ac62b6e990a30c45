using System.Diagnostics;

namespace Mux.Tool.Measuring;

/// <summary>
/// Latencies recorded by one thread since the run began: only that thread writes, any thread reads. Never reset: readers take the difference of two sums.
/// </summary>
internal sealed class LatencyRecorder
{
    private static readonly long s_nanosecondsPerTick = 1_000_000_000 / Stopwatch.Frequency;

    private readonly long[] _counts = new long[LatencyScale.BucketCount];
    private long _untimed;
    private long _wrongReplies;

    /// <summary>Number of replies of calls that were not timed.</summary>
    public long Untimed => Volatile.Read(ref _untimed);

    /// <summary>Number of replies that do not match their requests.</summary>
    public long WrongReplies => Volatile.Read(ref _wrongReplies);

    /// <summary>Counts a reply.</summary>
    /// <param name="ticks">Its latency, in ticks of <see cref="Stopwatch"/>.</param>
    public void Record(long ticks) => _counts[LatencyScale.BucketOf(ticks * s_nanosecondsPerTick)]++;

    /// <summary>Counts the reply of a call that was not timed.</summary>
    public void RecordUntimed() => Volatile.Write(ref _untimed, _untimed + 1);

    /// <summary>Counts a wrong reply, which is counted as a reply as well.</summary>
    public void RecordWrongReply() => Volatile.Write(ref _wrongReplies, _wrongReplies + 1);

    /// <summary>Gets the number of replies with a latency in a bucket.</summary>
    public long CountOf(int bucket) => Volatile.Read(ref _counts[bucket]);
}
