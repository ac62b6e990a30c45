namespace Mux.Calls;

/// <summary>
/// The pause before a call is sent again. Full jitter (Brooker, "Exponential Backoff And Jitter", 2015): a random time up to a bound that doubles with each
/// attempt, so that callers that failed together do not come back together. Pure: the random number comes in.
/// </summary>
internal static class RetryPause
{
    /// <summary>A hint with this value means: do not send the call again.</summary>
    public const uint NeverHint = uint.MaxValue;

    /// <summary>The pause of a call that is not sent again.</summary>
    public const long Never = long.MaxValue;

    /// <summary>Bound of the first pause, microseconds.</summary>
    public const long First = 25_000;

    /// <summary>Largest bound, microseconds.</summary>
    public const long Longest = 1_000_000;

    /// <summary>What is added at random to a time that the server has asked for: it may have asked many clients for the same.</summary>
    private const double HintSpread = 0.2;

    private const int MicrosecondsPerMillisecond = 1_000;

    private const int MostDoublings = 6; // beyond it the bound is Longest

    /// <summary>
    /// Gets the pause of a call that servers are too full for, in microseconds: the time that they ask for, up to 1.2
    /// times this, and twice as long each time up to a second. So what is sent in vain becomes less while it lasts.
    /// </summary>
    /// <param name="refusals">Which of its pauses for that it is, 1 or more.</param>
    /// <param name="retryAfterMilliseconds">The hint of the server.</param>
    /// <param name="random">A random number, 0 to 1.</param>
    public static long WhileFull(int refusals, uint retryAfterMilliseconds, double random)
    {
        if (retryAfterMilliseconds == NeverHint) return Never;
        long asked = After(1, Math.Max(1, retryAfterMilliseconds), random);
        return Math.Max(asked, Math.Min(Longest, asked << Math.Min(refusals - 1, MostDoublings)));
    }

    /// <summary>Gets the pause after a failed attempt, in microseconds.</summary>
    /// <param name="failures">Failed attempts so far, 1 or more.</param>
    /// <param name="retryAfterMilliseconds">The hint of the server: the pause is this to 1.2 times this. 0 for none.</param>
    /// <param name="random">A random number, 0 to 1.</param>
    public static long After(int failures, uint retryAfterMilliseconds, double random)
    {
        if (retryAfterMilliseconds == NeverHint) return Never;
        if (retryAfterMilliseconds > 0) return (long)((double)retryAfterMilliseconds * MicrosecondsPerMillisecond * (1 + (HintSpread * random)));
        long bound = Math.Min(Longest, First << Math.Min(failures - 1, MostDoublings));
        return (long)(bound * random);
    }
}
