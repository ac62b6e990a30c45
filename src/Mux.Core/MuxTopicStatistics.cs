namespace Mux;

/// <summary>Statistics of a <see cref="MuxTopics{TKey, TItem}"/>: the first four count since its creation, the others are as of now.</summary>
/// <param name="Published">Number of items that were published.</param>
/// <param name="Encoded">Number of times an item was encoded: once for each method that sends it, however many subscribers get it.</param>
/// <param name="Delivered">Number of items handed to subscribers, each counted for each subscriber.</param>
/// <param name="Missed">Number of items that subscribers missed because they were too slow, each counted for each subscriber.</param>
/// <param name="Subscribers">Number of subscribers.</param>
/// <param name="Topics">Number of topics that are kept.</param>
/// <param name="KeptBytes">Bytes of the items that are kept for slow and for new subscribers.</param>
public sealed record MuxTopicStatistics(long Published, long Encoded, long Delivered, long Missed, int Subscribers, int Topics, long KeptBytes);
