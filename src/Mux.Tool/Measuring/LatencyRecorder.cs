using System.Diagnostics;

namespace Mux.Tool.Measuring;

/// <summary>What one thread has measured since the run began: written by that thread alone, read by any. Never reset:
/// a reader takes the difference of two sums.</summary>
internal sealed class LatencyRecorder
{
    private static readonly long s_nanosecondsPerTick = 1_000_000_000 / Stopwatch.Frequency;

    private readonly long[] _counts = new long[LatencyScale.BucketCount];
    private long _untimed;
    private long _wrongReplies;

    /// <summary>Replies of calls that were not timed.</summary>
    public long Untimed => Volatile.Read(ref _untimed);

    /// <summary>Replies that were not what their requests ask for.</summary>
    public long WrongReplies => Volatile.Read(ref _wrongReplies);

    /// <summary>Counts a reply.</summary>
    /// <param name="ticks">Its latency, in ticks of <see cref="Stopwatch"/>.</param>
    public void Record(long ticks) => _counts[LatencyScale.BucketOf(ticks * s_nanosecondsPerTick)]++;

    /// <summary>Counts the reply of a call that was not timed.</summary>
    public void RecordUntimed() => Volatile.Write(ref _untimed, _untimed + 1);

    /// <summary>Counts a wrong reply, which is counted as a reply as well.</summary>
    public void RecordWrongReply() => Volatile.Write(ref _wrongReplies, _wrongReplies + 1);

    /// <summary>Replies with a latency in a bucket.</summary>
    public long CountOf(int bucket) => Volatile.Read(ref _counts[bucket]);
}
