namespace Mux;

/// <summary>What becomes of a subscriber that cannot take the items of a topic as fast as they are published. Publishers never wait for it.</summary>
public enum MuxSlowSubscriber
{
    /// <summary>It misses the oldest items that it has not got yet, and continues with the newest <see cref="MuxTopicOptions.Queue"/> ones.</summary>
    DropOldest = 0,

    /// <summary>
    /// It misses all items but the newest whenever it had to wait, which is while it has not taken two items. For states, where only the latest counts.
    /// </summary>
    KeepLatest = 1,

    /// <summary>
    /// It misses nothing: once more than <see cref="MuxTopicOptions.Queue"/> items wait for it, its call fails with <see cref="MuxStatus.ResourceExhausted"/>.
    /// </summary>
    End = 2,
}
