namespace Mux.Push;

/// <summary>What all topics of one kind share.</summary>
/// <param name="Queue">Most items that wait for a reader.</param>
/// <param name="Retain">Items that new readers get first.</param>
/// <param name="KeepsLatest">True if a reader that had to wait gets the latest item alone.</param>
/// <param name="MissesNothing">True if a reader ends for which too many items wait. If both are false, it misses the oldest.</param>
/// <param name="Window">Most items that are under way to a reader of another process, and not taken.</param>
/// <param name="HasUniqueNumbers">True if the numbers of a topic begin with the time, so that none comes again.</param>
/// <param name="Counters">Counts for all of them.</param>
/// <param name="FanOut">Runs their readers.</param>
internal sealed record TopicSettings(
    int Queue, int Retain, bool KeepsLatest, bool MissesNothing, int Window, bool HasUniqueNumbers, TopicCounters Counters, FanOut FanOut)
{
    /// <summary>The number of the first item of a topic that begins now.</summary>
    public long FirstNumber => HasUniqueNumbers ? (TimeProvider.System.GetUtcNow() - DateTimeOffset.UnixEpoch).Ticks / TimeSpan.TicksPerMicrosecond : 1;
}
