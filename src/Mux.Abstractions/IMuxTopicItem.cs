namespace Mux;

/// <summary>
/// An item that knows its number in its topic. <c>MuxTopics</c> stamps each item of this type before it is encoded, so that readers see whether they missed
/// some: after 7 comes 8, unless the reader was too slow.
/// </summary>
/// <remarks>Only classes are stamped. A message stores the number in a member of its contract, and implements this property with it.</remarks>
public interface IMuxTopicItem
{
    /// <summary>Gets or sets the number of the item in its topic: the first is 1, and each further one is greater by 1.</summary>
    /// <remarks>Numbers begin again at 1 when the server starts, and when a topic without subscribers is forgotten. Items of shared topics have the numbers of
    /// their backplane; those that it has not numbered, because it was interrupted or has refused them, have numbers from 2^62 up, which stand for no other
    /// item.</remarks>
    long Sequence { get; set; }
}
