using System.Diagnostics.Metrics;

namespace Mux.Diagnostics;

/// <summary>The instruments of topics, which live until the garbage collector takes them: nothing ends them. Safe for concurrent use.</summary>
internal sealed class TopicInstruments
{
    private readonly Lock _gate = new();
    private readonly List<WeakReference<ITopicReadings>> _topics = [];

    public TopicInstruments(Meter server)
    {
        server.CreateObservableCounter(MetricNames.TopicPublished, () => Observe(topics => topics.Published), "{item}", "Items published.");
        server.CreateObservableCounter(MetricNames.TopicDelivered, () => Observe(topics => topics.Delivered), "{item}", "Items handed to subscribers.");
        server.CreateObservableCounter(
            MetricNames.TopicMissed, () => Observe(topics => topics.Missed), "{item}", "Items that subscribers missed because they were too slow.");
        server.CreateObservableUpDownCounter(
            MetricNames.TopicSubscribers, () => Observe(topics => topics.Subscribers), "{subscriber}", "Subscribers.");
        server.CreateObservableUpDownCounter(
            MetricNames.TopicKeptBytes, () => Observe(topics => topics.KeptBytes), "By", "Bytes of items kept for slow and for new subscribers.");
    }

    public void Add(ITopicReadings topics)
    {
        lock (_gate)
        {
            _topics.RemoveAll(static one => !one.TryGetTarget(out _));
            _topics.Add(new(topics));
        }
    }

    private static Measurement<long> Sum(string name, long value) => new(value, new KeyValuePair<string, object?>(MetricNames.TopicNameTag, name));

    private List<Measurement<long>> Observe(Func<ITopicReadings, long> read)
    {
        lock (_gate)
        {
            var alive = _topics.Select(static one => one.TryGetTarget(out var topics) ? topics : null).OfType<ITopicReadings>();
            return [.. alive.GroupBy(topics => topics.Name, StringComparer.Ordinal).Select(all => Sum(all.Key, all.Sum(read)))];
        }
    }
}
