using System.Diagnostics.Metrics;

namespace Mux.Telemetry;

/// <summary>The instruments of topics. Safe for concurrent use.</summary>
internal sealed class TopicInstruments
{
    private readonly NamedReadings<ITopicReadings> _topics = new(MetricNames.TopicNameTag);

    public TopicInstruments(Meter server)
    {
        server.CreateObservableCounter(MetricNames.TopicPublished, () => _topics.Observe(topics => topics.Published), "{item}", "Items published.");
        server.CreateObservableCounter(MetricNames.TopicDelivered, () => _topics.Observe(topics => topics.Delivered), "{item}", "Items handed to subscribers.");
        server.CreateObservableCounter(
            MetricNames.TopicMissed, () => _topics.Observe(topics => topics.Missed), "{item}", "Items that subscribers missed because they were too slow.");
        server.CreateObservableUpDownCounter(
            MetricNames.TopicSubscribers, () => _topics.Observe(topics => topics.Subscribers), "{subscriber}", "Subscribers.");
        server.CreateObservableUpDownCounter(
            MetricNames.TopicKeptBytes, () => _topics.Observe(topics => topics.KeptBytes), "By", "Bytes of items kept for slow and for new subscribers.");
    }

    public void Add(ITopicReadings topics) => _topics.Add(topics);
}
