namespace Mux.Engine;

/// <summary>Limits for what is cheap to send and expensive to receive. <see cref="long.MaxValue"/> means no limit, and is the default of most.</summary>
internal sealed record BudgetLimits
{
    /// <summary>No limit.</summary>
    public const long Unbounded = long.MaxValue;

    public static BudgetLimits None { get; } = new();

    /// <summary>Frames without a message within ten seconds, beyond those that messages earn.</summary>
    public long ControlFrames { get; init; } = Unbounded;

    /// <summary>Small fragments and empty pieces within ten seconds, beyond those that messages earn.</summary>
    public long TinyFrames { get; init; } = Unbounded;

    /// <summary>Requests refused for misuse within ten seconds, beyond those that good requests earn.</summary>
    public long Misuse { get; init; } = Unbounded;

    /// <summary>Number of calls within ten seconds from which a peer that cancels nine of ten of them at once is suspect.</summary>
    public long PrematureCancels { get; init; } = Unbounded;

    /// <summary>Least time between two PINGs with nothing between them, microseconds.</summary>
    public long PingInterval { get; init; }

    /// <summary>Number of consecutive PINGs that may come earlier than <see cref="PingInterval"/>.</summary>
    public long PingStrikes { get; init; } = Unbounded;

    /// <summary>Longest wait for the next fragment of a message, microseconds.</summary>
    public long FragmentTimeout { get; init; } = Unbounded;

    /// <summary>
    /// Least rate of a message in fragments, in bytes per second, measured over the whole message and after one <see cref="FragmentTimeout"/> of grace; 0 means
    /// none.
    /// </summary>
    public long MinMessageRate { get; init; }

    /// <summary>Least rate at which a peer must read what waits for it and finish a frame that it began, in bytes per second; 0 means none.</summary>
    public long MinByteRate { get; init; }
}

/// <summary>Limits that a peer can exceed or find used up. They are tags of metrics and logs: few and fixed.</summary>
internal enum PeerLimit
{
    /// <summary>Connection rejected: the server has no room for another one.</summary>
    Connections,

    /// <summary>Connection rejected: too many have not finished their handshake, and it was new, or the oldest.</summary>
    PendingHandshakes,

    /// <summary>Connection rejected: too many of one address have not finished their handshake, and it was new, or the oldest.</summary>
    PendingHandshakesOfAddress,

    /// <summary>Call rejected: the server runs as many handlers as it may.</summary>
    RunningHandlers,

    /// <summary>Call rejected: peers make the server hold as much memory as it may.</summary>
    HeldBytes,

    /// <summary>Call rejected: the peers of one address make the server hold as much memory as they may.</summary>
    HeldBytesOfAddress,

    /// <summary>Call rejected: work waits too long for the threads of the server.</summary>
    QueueTime,

    /// <summary>Call rejected: the client of a gateway has its share of what the gateway has open at a service.</summary>
    ForwardedCalls,

    /// <summary>Connection closed: fragments and pieces too small for what they cost.</summary>
    TinyFrames,

    /// <summary>Connection closed: too many frames that carry no message.</summary>
    ControlFrames,

    /// <summary>Connection closed: too many requests refused for misuse.</summary>
    Misuse,

    /// <summary>Connection closed: calls opened only to be cancelled.</summary>
    PrematureCancels,

    /// <summary>Connection closed: too many PINGs.</summary>
    Pings,

    /// <summary>Connection closed: the peer reads too slowly.</summary>
    SlowReading,

    /// <summary>Connection closed: the peer sends its frames too slowly.</summary>
    SlowSending,

    /// <summary>Connection closed: the server held too much unsent, of which this connection had most for the time that its peer was behind.</summary>
    UnsentOfServer,
}

/// <summary>
/// Keeps in one byte of a slot until when a cancel of its call is premature: within a second of its start, and before half of its own time is over. The byte
/// wraps after 16 s, so a call that is older by a multiple of 16 s may look young.
/// </summary>
internal static class SlotAge
{
    /// <summary>One second, in units of the stamp.</summary>
    private const int Young = 16;

    private const int Unit = 1_000_000 / Young;

    /// <summary>A call with a shorter deadline (microseconds) has used half of it within a second.</summary>
    public const long ShortDeadline = 2 * Young * Unit;

    public static byte StampOf(long now) => (byte)(now / Unit);

    /// <summary>True if it is premature at the time of one stamp to cancel a call with the other stamp.</summary>
    public static bool IsYoung(byte opened, byte now) => (byte)(now - opened) < Young;

    /// <summary>
    /// Gets the stamp of a call with a short deadline: backdated so that the call counts as old when half of its time is over, and no sooner. A caller that
    /// cancels every call at its deadline is not hostile, and a cancel may catch up with its request on the way. A caller that cancels at half its time gains
    /// nothing over one with half the deadline.
    /// </summary>
    /// <param name="opened">The stamp that the call would have without a deadline.</param>
    /// <param name="deadline">Microseconds, less than <see cref="ShortDeadline"/>.</param>
    public static byte WithDeadline(byte opened, long deadline) => (byte)(opened - Young + (deadline / 2 + Unit - 1) / Unit);
}

/// <summary>
/// A token bucket: tokens return evenly over ten seconds, and can be earned. Taking one costs a comparison; each batch costs one multiplication. Not safe for
/// concurrent use.
/// </summary>
internal sealed class TokenBucket
{
    /// <summary>Time in which an empty bucket fills, microseconds.</summary>
    public const long RefillTime = 10_000_000;

    private readonly long _capacity;
    private long _tokens;
    private long _refilledAt = long.MinValue;

    public TokenBucket(long capacity) => _tokens = _capacity = capacity;

    /// <summary>True if the bucket never runs out.</summary>
    public bool IsUnbounded => _capacity == BudgetLimits.Unbounded;

    /// <summary>Takes tokens if there are enough.</summary>
    public bool TryTake(long now, long count = 1)
    {
        if (now != _refilledAt) Refill(now);
        if (_tokens < count) return false;
        _tokens -= count;
        return true;
    }

    /// <summary>Gives tokens back, up to the capacity.</summary>
    public void Earn(long count) => _tokens = count >= _capacity - _tokens ? _capacity : _tokens + count;

    private void Refill(long now)
    {
        if (IsUnbounded || _refilledAt == long.MinValue || now - _refilledAt >= RefillTime)
        {
            _tokens = _capacity;
            _refilledAt = now;
            return;
        }

        long back = (long)((double)(now - _refilledAt) * _capacity / RefillTime);
        if (back == 0) return; // keeps the time of less than one token
        Earn(back);
        _refilledAt = now;
    }
}
