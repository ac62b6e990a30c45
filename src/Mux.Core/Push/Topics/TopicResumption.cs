using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Mux.Push;

/// <summary>
/// A subscriber that comes back: the next item that it gets is the one behind the last that it has, or it fails. Guarded by the lock of the topic.
/// </summary>
/// <param name="after">Number of the last item that it has.</param>
internal sealed class TopicResumption(long after)
{
    private int _left; // items of lower numbers that may come before the next one
    private long _found; // number that shows the gap

    public long After => after;

    /// <summary>True if the next item was found.</summary>
    public bool IsOver { get; private set; }

    /// <summary>True if there is a gap.</summary>
    public bool HasFailed { get; private set; }

    /// <summary>True if only the backplane knows whether the next item comes: this server does not have the last one of the subscriber yet.</summary>
    public bool IsUnknown { get; private set; }

    /// <summary>Its place is that of the next item.</summary>
    public void Place() => (_left, HasFailed, IsUnknown) = (0, false, false);

    /// <summary>Its place is not known here.</summary>
    /// <param name="mostKnown">Most items that may come and that it has.</param>
    public void Await(int mostKnown) => (_left, HasFailed, IsUnknown) = (mostKnown, false, true);

    /// <summary>There is a gap.</summary>
    /// <param name="found">Number that shows it: that of a further item, or the last one of a topic with other numbers.</param>
    public void Fail(long found) => (_found, HasFailed, IsUnknown) = (found, true, false);

    /// <summary>Leaves out what the subscriber has.</summary>
    /// <param name="items">Items of the topic, in order.</param>
    /// <param name="count">Number of items; afterwards, of those that are new to the subscriber.</param>
    /// <returns>False if items between are missing.</returns>
    public bool TryContinue<T>(Span<TopicItem<T>?> items, ref int count)
    {
        int known = 0;
        for (; known < count; known++)
        {
            long number = items[known]!.Number;
            IsOver = number == after + 1;
            if (IsOver) break;
            if (number <= after && _left-- > 0) continue;
            Fail(number);
            count = 0;
            return false;
        }

        items[known..count].CopyTo(items);
        count -= known;
        return true;
    }

    public MuxException Failure()
    {
        const string Advice = "Load what is missing by another method, and subscribe without a number, as MuxTopic.FollowAsync does by itself";
        string why = OwnNumbers.Have(after)
            ? $"a server gave this number while the topic was interrupted, and other servers do not know it. {Advice}."
            : OwnNumbers.Have(_found)
                ? $"the topic is interrupted, and items of other servers may be missing. {Advice}."
                : _found > after
                    ? $"items {after + 1} to {_found - 1} are not kept. {Advice}; or raise Retain of the topics."
                    : $"its numbers have begun again, and are at {_found}. {Advice}.";
        return new MuxException(MuxStatus.OutOfRange, $"The topic cannot continue after item {after}: {why}");
    }
}

/// <summary>
/// Numbers of items that a server delivers without their backplane. They are above all that a backplane gives, and begin at random: so none stands for items
/// of two servers, of two interruptions, or of the backplane, and a subscriber that has one is never continued at a wrong place.
/// </summary>
internal static class OwnNumbers
{
    /// <summary>Backplanes give lower numbers.</summary>
    private const long Lowest = 1L << 62;

    /// <summary>Gets the number before the first one of a run of items, whose further numbers are each greater by 1.</summary>
    public static long NewRun() => Lowest + (BinaryPrimitives.ReadInt64LittleEndian(RandomNumberGenerator.GetBytes(sizeof(long))) >>> 3);

    public static bool Have(long number) => number >= Lowest;
}
