namespace Mux;

/// <summary>
/// An item that knows its number in its topic. <c>MuxTopics</c> stamps each item of this type before it is encoded, so that readers see whether they missed
/// some: after 7 comes 8, unless the reader was too slow.
/// </summary>
/// <remarks>Only classes are stamped. A message stores the number in a member of its contract, and implements this property with it.</remarks>
public interface IMuxTopicItem
{
    /// <summary>Gets or sets the number of the item in its topic. Each further item has a number that is greater by 1.</summary>
    /// <remarks>The first number is 1, and numbers begin again at 1 when the server starts, and when a topic without subscribers is forgotten. With
    /// <c>UniqueNumbers</c> of the options the first is the microseconds since 1970 instead, so that no number comes again. Items of shared topics have the
    /// numbers of their backplane, which begin in the same way; those that it has not numbered, because it was interrupted or has refused them, have numbers
    /// from 2^62 up, which stand for no other item.</remarks>
    long Sequence { get; set; }
}
