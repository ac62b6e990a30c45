using System.Runtime.Serialization;

namespace Evidence.Topics;

/// <summary>A topic that the evidence publishes to.</summary>
[MuxService("evidence.Feed")]
public interface IFeed
{
    /// <summary>Subscribes to the topic: items of 64 bytes, which begin with the time at which they were published.</summary>
    IAsyncEnumerable<byte[]> Watch(CancellationToken cancellationToken = default);

    /// <summary>Publishes for some time.</summary>
    /// <param name="seconds">The time.</param>
    /// <param name="perSecond">Items per second; 0 for as many as the subscribers get.</param>
    /// <param name="readers">Number of subscribers that read.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    ValueTask<FeedUsage> Publish(double seconds, int perSecond, int readers, CancellationToken cancellationToken = default);

    /// <summary>Number of subscribers.</summary>
    ValueTask<int> Subscribers(CancellationToken cancellationToken = default);
}

/// <summary>What the server has done and used meanwhile.</summary>
[DataContract]
public sealed record FeedUsage
{
    [DataMember(Order = 1)]
    public long Published { get; set; }

    [DataMember(Order = 2)]
    public long Encoded { get; set; }

    [DataMember(Order = 3)]
    public long Delivered { get; set; }

    [DataMember(Order = 4)]
    public long Missed { get; set; }

    [DataMember(Order = 5)]
    public long Sends { get; set; }

    [DataMember(Order = 6)]
    public long Bytes { get; set; }

    [DataMember(Order = 7)]
    public double ProcessorMicroseconds { get; set; }

    [DataMember(Order = 8)]
    public double Seconds { get; set; }

    [DataMember(Order = 9)]
    public long KeptBytes { get; set; }
}
