using Mux.Telemetry;

namespace Mux.Push;

/// <summary>What all topics of one kind have done and keep. Any thread.</summary>
/// <param name="name">Their name in metrics.</param>
internal sealed class TopicCounters(string name) : ITopicReadings
{
    private long _published;
    private long _encoded;
    private long _delivered;
    private long _missed;
    private long _keptBytes;
    private int _subscribers;
    private int _usedTopics;

    public string Name => name;

    public long Published => Volatile.Read(ref _published);

    public long Encoded => Volatile.Read(ref _encoded);

    public long Delivered => Volatile.Read(ref _delivered);

    public long Missed => Volatile.Read(ref _missed);

    public long KeptBytes => Volatile.Read(ref _keptBytes);

    public int Subscribers => Volatile.Read(ref _subscribers);

    /// <summary>Number of topics that have readers.</summary>
    public int UsedTopics => Volatile.Read(ref _usedTopics);

    /// <returns>The number of items published so far: a clock for topics.</returns>
    public long OnPublished() => Interlocked.Increment(ref _published);

    public void OnEncoded(int count)
    {
        if (count > 0) Interlocked.Add(ref _encoded, count);
    }

    public void OnDelivered(int count) => Interlocked.Add(ref _delivered, count);

    public void OnMissed(long count) => Interlocked.Add(ref _missed, count);

    public void OnKept(long bytes) => Interlocked.Add(ref _keptBytes, bytes);

    public void OnJoined(bool isFirst)
    {
        Interlocked.Increment(ref _subscribers);
        if (isFirst) Interlocked.Increment(ref _usedTopics);
    }

    public void OnLeft(bool wasLast)
    {
        Interlocked.Decrement(ref _subscribers);
        if (wasLast) Interlocked.Decrement(ref _usedTopics);
    }
}
