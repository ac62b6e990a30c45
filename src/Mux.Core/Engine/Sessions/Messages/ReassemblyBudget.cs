using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Limits the memory for large messages on one connection: messages in fragments, each with its whole array from the first fragment on, and whole items beyond
/// the window of their stream until they are consumed (<c>InboundWindow.Keep</c>). Taken by the turn, released by any thread.
/// </summary>
/// <remarks>
/// The memory of the server is charged with what there is: the arrays, which grow with what arrives. A peer may announce lengths at no cost, and must not take
/// from other peers by it.
/// </remarks>
/// <param name="limit">The limit in bytes.</param>
/// <param name="fragmentTimeout">Longest time between two fragments of a message, microseconds.</param>
/// <param name="messageRate">Least rate of a whole message, in bytes per second, after one timeout of grace; 0 means none.</param>
internal sealed class ReassemblyBudget(long limit, long fragmentTimeout = Clock.Never, long messageRate = 0)
{
    private long _used;
    private IMessageHolder? _requests;
    private IMessageHolder? _responses;

    /// <summary>Sets the holders of the messages, which drop those of calls that are over when room is short.</summary>
    public void SetHolders(IMessageHolder requests, IMessageHolder responses) => (_requests, _responses) = (requests, responses);

    /// <summary>Watches how long messages hold the budget. Owned by the turn.</summary>
    public FragmentWatch Watch { get; } = new(fragmentTimeout, messageRate);

    public long Used => Volatile.Read(ref _used);

    public long Limit => limit;

    /// <summary>The connection's share of the server's memory; null if that is not limited. Set before anything is received.</summary>
    public MemoryShare? Memory { get; set; }

    /// <summary>The reason of the last failure of <see cref="TryBegin"/> or <see cref="TryGrow"/>, if it was not this budget. Turn only.</summary>
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
        if (HasRoomFor(length, beside)) return;
        _requests?.DropStale();
        _responses?.DropStale();
    }

    /// <summary>Takes the room that a message needs, if the memory of the server has room for it now.</summary>
    public bool TryBegin(PartialMessage message)
    {
        Verdict = MemoryVerdict.Granted;
        if (!HasRoomFor(message.Length, message.Beside)) return false;
        if (Memory is { } memory)
        {
            long bytes = message.Beside + PartialMessage.EntryCharge;
            Verdict = memory.TryBegin(bytes, Math.Max(bytes, message.Reserved));
            if (Verdict != MemoryVerdict.Granted) return false;
            message.Charge(memory, bytes);
        }

        Interlocked.Add(ref _used, message.Reserved); // only the turn takes, so there is still room
        return true;
    }

    /// <summary>
    /// Makes room for a fragment in the array of a message. The array is made much longer than what has arrived while the server has much memory left, and at
    /// most twice as long otherwise.
    /// </summary>
    /// <returns>False if the server has no memory for it.</returns>
    public bool TryGrow(PartialMessage message, int fragment)
    {
        if (Memory is not { } memory || message.HasRoomFor(fragment)) return true;
        int capacity = message.CapacityAhead(fragment);
        if (!memory.TryTakeAhead(capacity - message.Capacity))
        {
            capacity = message.LeastCapacity(fragment);
            Verdict = memory.TryTake(capacity - message.Capacity);
            if (Verdict != MemoryVerdict.Granted) return false;
        }

        message.Charge(memory, capacity - message.Capacity);
        message.Grow(capacity);
        return true;
    }

    /// <summary>Releases room on the connection. The message releases the memory of the server.</summary>
    public void Release(int bytes)
    {
        if (bytes != 0) Interlocked.Add(ref _used, -bytes);
    }

    /// <summary>Releases what an item held after it was whole, on the connection and of the server's memory.</summary>
    public void ReleaseKept(int bytes)
    {
        Release(bytes);
        if (bytes != 0) Memory?.Release(bytes);
    }

    /// <summary>Gets the message for a peer that stopped sending fragments.</summary>
    /// <param name="what">Names the message: "reply".</param>
    /// <param name="message">The message that stalled.</param>
    public string DescribeStall(string what, PartialMessage message) => Watch.IsOverdue(message)
        ? $"The {what} of {message.Length} bytes was not complete after {Watch.TotalTimeOf(message) / 1_000_000} s (Limits.FragmentTimeout, plus its length " +
            "at Limits.MinMessageRate)."
        : $"No further fragment of the {what} arrived for {Watch.Timeout / 1_000_000.0:0.###} s (Limits.FragmentTimeout).";

    /// <summary>Gets the message for the peer after <see cref="TryBegin"/> or <see cref="TryGrow"/> failed.</summary>
    /// <param name="what">Names what has no room: "reply".</param>
    /// <param name="length">Its length in bytes.</param>
    public string DescribeLack(string what, int length) => Verdict != MemoryVerdict.Granted
        ? Memory!.Describe(what, length, Verdict)
        : $"The connection has no memory for the {what} of {length} bytes: MaxReassemblyBytes is {limit}, and {Used} bytes are held.";
}

/// <summary>Holds messages in fragments that count in a <see cref="ReassemblyBudget"/>.</summary>
internal interface IMessageHolder
{
    /// <summary>Drops messages of calls that are over: room is short. In the turn.</summary>
    void DropStale();
}
