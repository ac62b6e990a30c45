namespace Mux;

/// <summary>Options of a <see cref="MuxTopics{TKey, TItem}"/>. They are read when it is created.</summary>
public sealed class MuxTopicOptions
{
    /// <summary>Gets or sets the largest number of items that wait for a subscriber. All subscribers of a topic share the memory of these items.</summary>
    /// <value>1 to 1,024; 64 by default.</value>
    public int Queue { get; set; } = 64;

    /// <summary>Gets or sets the number of last items that a topic keeps for new subscribers, which get them first.</summary>
    /// <value>0 to 1,024; 0 by default, so that a subscriber gets what is published from then on.</value>
    public int Retain { get; set; }

    /// <summary>Gets or sets a value that says what becomes of a subscriber that is too slow.</summary>
    /// <value><see cref="MuxSlowSubscriber.DropOldest"/> by default.</value>
    public MuxSlowSubscriber WhenSlow { get; set; }

    /// <summary>
    /// Gets or sets the largest number of bytes that all topics keep, for slow and for new subscribers. Beyond it, topics without subscribers are forgotten,
    /// that one first that has had no item for longest; then a topic that gets an item drops its oldest ones, down to one.
    /// </summary>
    /// <value>65,536 to 4 GiB; 16 MiB by default. An item counts its encoded form and 64 bytes, or 256 bytes if no method has sent any
    /// item yet: nothing is encoded then.</value>
    public long MaxBytes { get; set; } = 16 << 20;

    /// <summary>
    /// Gets or sets the largest number of topics without subscribers that are kept. Beyond it, the one is forgotten that has had no item for longest.
    /// </summary>
    /// <value>1 to 10,000,000; 100,000 by default.</value>
    public int MaxIdleTopics { get; set; } = 100_000;

    /// <summary>Gets or sets the name of the topics in metrics.</summary>
    /// <value>Up to 256 characters. Empty by default: the name of the type of the items.</value>
    public string Name { get; set; } = string.Empty;

    /// <summary>Checks the options.</summary>
    /// <returns>Every invalid option; empty if all are valid.</returns>
    public IEnumerable<OptionFailure> Validate()
    {
        if (Queue is < 1 or > 1024) yield return OptionFailure.OutOfRange(nameof(Queue), Queue, "1 to 1024 items");
        if (Retain is < 0 or > 1024) yield return OptionFailure.OutOfRange(nameof(Retain), Retain, "0 to 1024 items");
        if (!Enum.IsDefined(WhenSlow)) yield return OptionFailure.OutOfRange(nameof(WhenSlow), WhenSlow, "DropOldest, KeepLatest or End");
        if (MaxBytes is < 65_536 or > 4L << 30) yield return OptionFailure.OutOfRange(nameof(MaxBytes), MaxBytes, "65536 to 4294967296 bytes");
        if (MaxIdleTopics is < 1 or > 10_000_000) yield return OptionFailure.OutOfRange(nameof(MaxIdleTopics), MaxIdleTopics, "1 to 10000000 topics");
        if (Name is null or { Length: > 256 }) yield return new OptionFailure(nameof(Name), "Expected a text of up to 256 characters, which may be empty.");
    }
}
