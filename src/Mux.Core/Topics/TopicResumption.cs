namespace Mux.Topics;

/// <summary>
/// Finds the item that follows the last one that a subscriber has, which comes back. What it has is left out. Guarded by the lock of the topic.
/// </summary>
/// <remarks>
/// Numbers are unique, so an item with the next number is the next item. Items with lower numbers are those that the topic has kept: if there are more of
/// them, numbers have gone back, and the place of the subscriber is not known.
/// </remarks>
/// <param name="after">Number of the last item that it has.</param>
/// <param name="mostKept">Most items that the topic keeps.</param>
internal sealed class TopicResumption(long after, int mostKept)
{
    private int _left = mostKept;
    private long _found; // number of the item that shows the gap

    /// <summary>True if the next item was found.</summary>
    public bool IsOver { get; private set; }

    /// <summary>Leaves out what the subscriber has.</summary>
    /// <param name="items">Items of the topic, in order.</param>
    /// <param name="count">Number of items; afterwards, of those that are new to the subscriber.</param>
    /// <returns>False if items between are missing.</returns>
    public bool TryContinue<T>(Span<TopicItem<T>?> items, ref int count)
    {
        int known = 0;
        for (; known < count && !IsOver; known++)
        {
            _found = items[known]!.Number;
            if (_found > after)
            {
                if (_found != after + 1) return IsGap(out count);
                IsOver = true;
                break;
            }

            if (_left-- == 0) return IsGap(out count);
        }

        items[known..count].CopyTo(items);
        count -= known;
        return true;
    }

    public MuxException Failure() => new(MuxStatus.OutOfRange, _found > after
        ? $"The topic cannot continue after item {after}: items {after + 1} to {_found - 1} are not kept. Load what is missing by another method, and " +
            "subscribe without a number; or raise Retain of the topics."
        : $"The topic cannot continue after item {after}: its numbers have begun again, and are at {_found}. Load what is missing by another method, and " +
            "subscribe without a number.");

    private static bool IsGap(out int count)
    {
        count = 0;
        return false;
    }
}
