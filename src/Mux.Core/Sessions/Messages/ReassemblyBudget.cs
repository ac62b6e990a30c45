using Mux.Sessions.Budgets;
using Mux.Timing;

namespace Mux.Sessions.Messages;

/// <summary>
/// Limits the memory for large messages on one connection: messages in fragments, each with its whole array from the first fragment on, and whole items beyond
/// the window of their stream until they are consumed (<c>InboundWindow.Keep</c>). Taken by the turn, released by any thread.
/// </summary>
/// <param name="limit">The limit in bytes.</param>
/// <param name="fragmentTimeout">Longest time between two fragments of a message, microseconds.</param>
/// <param name="messageRate">Least rate of a whole message, in bytes per second, after one timeout of grace; 0 means none.</param>
internal sealed class ReassemblyBudget(long limit, long fragmentTimeout = Clock.Never, long messageRate = 0)
{
    private long _used;

    /// <summary>Raised when room is short: the holders of messages drop stalled ones. In the turn.</summary>
    public event Action? RoomIsShort;

    /// <summary>Watches how long messages hold the budget. Owned by the turn.</summary>
    public FragmentWatch Watch { get; } = new(fragmentTimeout, messageRate);

    public long Used => Volatile.Read(ref _used);

    public long Limit => limit;

    /// <summary>The connection's share of the server's memory; null if that is not limited. Set before anything is received.</summary>
    public MemoryShare? Memory { get; set; }

    /// <summary>The reason of the last failure of <see cref="TryTake"/>, if it was not this budget. Turn only.</summary>
    public MemoryVerdict Verdict { get; private set; }

    /// <summary>Number of messages in fragments that were begun, accepted or not. Turn only.</summary>
    public long Begun { get; set; }

    /// <summary>
    /// Number of fragments shorter than <see cref="PartialMessage.TinyFragment"/> in messages that became whole: small messages in fragments cost no more than
    /// as many requests. Turn only.
    /// </summary>
    public long TinyOfWhole { get; set; }

    /// <summary>
    /// True if a message has room, together with what is kept with it. If nothing else is held, a message within the limit has room even if its array is
    /// longer: otherwise no message of its length would ever be accepted.
    /// </summary>
    public bool HasRoomFor(int length, int beside = 0)
    {
        long used = Used;
        return used + PartialMessage.ReservedFor(length) + beside <= limit || (used == 0 && (long)length + beside <= limit);
    }

    /// <summary>Asks for room if a message has none. In the turn.</summary>
    public void MakeRoomFor(int length, int beside = 0)
    {
        if (!HasRoomFor(length, beside)) RoomIsShort?.Invoke();
    }

    /// <summary>Takes the room that a message needs.</summary>
    public bool TryTake(int length, int beside = 0)
    {
        Verdict = MemoryVerdict.Granted;
        if (!HasRoomFor(length, beside)) return false;
        int bytes = PartialMessage.ReservedFor(length) + beside;
        Verdict = Memory?.TryTake(bytes) ?? MemoryVerdict.Granted;
        if (Verdict != MemoryVerdict.Granted) return false;
        Interlocked.Add(ref _used, bytes); // only the turn takes, so there is still room
        return true;
    }

    public void Release(int bytes)
    {
        if (bytes == 0) return;
        Interlocked.Add(ref _used, -bytes);
        Memory?.Release(bytes);
    }

    /// <summary>Gets the message for a peer that stopped sending fragments.</summary>
    /// <param name="what">Names the message: "reply".</param>
    /// <param name="message">The message that stalled.</param>
    public string DescribeStall(string what, PartialMessage message) => Watch.IsOverdue(message)
        ? $"The {what} of {message.Length} bytes was not whole after {Watch.TotalTimeOf(message) / 1_000_000} s (Limits.FragmentTimeout, and its length at " +
            "Limits.MinMessageRate)."
        : $"No further fragment of the {what} came for {Watch.Timeout / 1_000_000.0:0.###} s (Limits.FragmentTimeout).";

    /// <summary>Gets the message for the peer after <see cref="TryTake"/> failed.</summary>
    /// <param name="what">Names what has no room: "reply".</param>
    /// <param name="length">Its length in bytes.</param>
    public string DescribeLack(string what, int length) => Verdict != MemoryVerdict.Granted
        ? Memory!.Describe(what, length, Verdict)
        : $"There is no room for the {what} of {length} bytes: large messages in transit, or items that were not consumed, hold {Used} bytes, and " +
            $"MaxReassemblyBytes allows {limit}.";

}
