namespace Mux.Protocol;

/// <summary>The time after which a call may be sent again, as a FAIL has it: milliseconds, 0 for no hint.</summary>
internal static class RetryHint
{
    /// <summary>The call must not be sent again.</summary>
    public const uint Never = uint.MaxValue;

    // Timeout.InfiniteTimeSpan; nothing here waits.
    private static readonly TimeSpan s_never = TimeSpan.FromMilliseconds(-1L);

    /// <summary>
    /// Gets the hint for what a handler says; whole milliseconds, rounded up, up to the longest that there is.
    /// </summary>
    /// <param name="retryAfter">Null, zero and negative times are no hint; -1 ms is never.</param>
    public static uint Of(TimeSpan? retryAfter)
    {
        if (retryAfter == s_never) return Never;
        return (uint)Math.Ceiling(Math.Clamp(retryAfter?.TotalMilliseconds ?? 0, 0, Never - 1));
    }

    /// <summary>Gets what a caller reads.</summary>
    public static TimeSpan? TimeOf(uint hint) => hint switch
    {
        0 => null,
        Never => s_never,
        _ => TimeSpan.FromMilliseconds(hint),
    };
}
