using Mux.Sessions.Budgets;
using Mux.Timing;

namespace Mux.Sessions.Messages;

/// <summary>
/// What large messages may take of this side's memory on one connection: those that arrive in fragments, each the whole of its array from the first one on, and
/// of items that are whole what is beyond the window of their stream until they are taken (<c>InboundWindow.Keep</c>). Taken by the turn, given back by any
/// thread.
/// </summary>
/// <param name="limit">Bytes.</param>
/// <param name="fragmentTimeout">Microseconds between two fragments of a message.</param>
/// <param name="messageRate">Bytes per second at which a message has to come as a whole, beside that time once; 0 is none.</param>
internal sealed class ReassemblyBudget(long limit, long fragmentTimeout = Clock.Never, long messageRate = 0)
{
    private long _used;

    /// <summary>Room is short: whoever has messages looks for some that hold it and never end. In the turn.</summary>
    public event Action? RoomIsShort;

    /// <summary>The turn's: how long the messages have it.</summary>
    public FragmentWatch Watch { get; } = new(fragmentTimeout, messageRate);

    public long Used => Volatile.Read(ref _used);

    public long Limit => limit;

    /// <summary>What the connection holds of the memory of its server; null where that is not limited. Set before anything is received.</summary>
    public MemoryShare? Memory { get; set; }

    /// <summary>Why <see cref="TryTake"/> failed last, where it was not this budget. Turn only.</summary>
    public MemoryVerdict Verdict { get; private set; }

    /// <summary>Messages in fragments that were begun, taken or not. Turn only.</summary>
    public long Begun { get; set; }

    /// <summary>
    /// Fragments of less than <see cref="PartialMessage.TinyFragment"/> of messages that became whole: small messages cost no more in fragments than as many
    /// requests. Turn only.
    /// </summary>
    public long TinyOfWhole { get; set; }

    /// <summary>
    /// Whether a message of a length has room, with what is kept beside it. One alone has, also if its array is longer than the limit and it is not: else none
    /// of its length would ever be taken.
    /// </summary>
    public bool HasRoomFor(int length, int beside = 0)
    {
        long used = Used;
        return used + PartialMessage.ReservedFor(length) + beside <= limit || (used == 0 && (long)length + beside <= limit);
    }

    /// <summary>Sees to room for a message of a length, if it can be had. In the turn.</summary>
    public void MakeRoomFor(int length, int beside = 0)
    {
        if (!HasRoomFor(length, beside)) RoomIsShort?.Invoke();
    }

    /// <summary>Takes what a message of a length needs.</summary>
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

    /// <summary>What the peer is told of a message of which nothing more came.</summary>
    /// <param name="what">It is: "reply".</param>
    /// <param name="message">It.</param>
    public string DescribeStall(string what, PartialMessage message) => Watch.IsOverdue(message)
        ? $"The {what} of {message.Length} bytes was not whole after {Watch.TotalTimeOf(message) / 1_000_000} s (Limits.FragmentTimeout, and its length at " +
            $"Limits.MinMessageRate)."
        : $"No further fragment of the {what} came for {Watch.Timeout / 1_000_000.0:0.###} s (Limits.FragmentTimeout).";

    /// <summary>What the peer is told when <see cref="TryTake"/> failed.</summary>
    /// <param name="what">That has no room: "reply".</param>
    /// <param name="length">Its bytes.</param>
    public string DescribeLack(string what, int length) => Verdict != MemoryVerdict.Granted
        ? Memory!.Describe(what, length, Verdict)
        : $"There is no room for the {what} of {length} bytes: large messages that are on their way, or items that were not taken, hold {Used} bytes, and " +
            $"MaxReassemblyBytes allows {limit}.";
}
