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
