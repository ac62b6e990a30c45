namespace Mux.Sessions.Budgets;

/// <summary>
/// How much of what is cheap to send and dear to receive a peer may send. <see cref="long.MaxValue"/> is no limit, and what everything is by default.
/// </summary>
internal sealed record BudgetLimits
{
    /// <summary>No limit.</summary>
    public const long Unbounded = long.MaxValue;

    public static BudgetLimits None { get; } = new();

    /// <summary>Frames that carry no message, within ten seconds, beyond those that were earned.</summary>
    public long ControlFrames { get; init; } = Unbounded;

    /// <summary>Small fragments and empty pieces, beyond those that were earned.</summary>
    public long TinyFrames { get; init; } = Unbounded;

    /// <summary>Requests that are refused for what the peer did, within ten seconds, beyond those that were earned.</summary>
    public long Misuse { get; init; } = Unbounded;

    /// <summary>Requests within ten seconds of which it is not suspect that nine of ten are cancelled at once.</summary>
    public long PrematureCancels { get; init; } = Unbounded;

    /// <summary>Microseconds between two PINGs without anything between them.</summary>
    public long PingInterval { get; init; }

    /// <summary>How often the next one may come sooner.</summary>
    public long PingStrikes { get; init; } = Unbounded;

    /// <summary>Microseconds in which the next fragment of a message that is begun has to come.</summary>
    public long FragmentTimeout { get; init; } = Unbounded;

    /// <summary>Bytes per second at which a message in fragments has to come as a whole, beside <see cref="FragmentTimeout"/> once; 0 is none.</summary>
    public long MinMessageRate { get; init; }

    /// <summary>Bytes per second that a peer has to take of what waits for it, and to send of a frame that it began; 0 is none.</summary>
    public long MinByteRate { get; init; }
}
