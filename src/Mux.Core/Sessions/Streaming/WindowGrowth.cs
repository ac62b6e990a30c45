namespace Mux.Sessions.Streaming;

/// <summary>
/// How large a credit window should be: twice what the path holds at the rate at which it was used, so that the sender does not wait for credit. Pure.
/// </summary>
internal static class WindowGrowth
{
    /// <summary>A window larger than this helps no path that one connection is made for: 10 Gbit/s at 13 ms.</summary>
    public const long Largest = 16 * 1024 * 1024;

    /// <param name="size">The window.</param>
    /// <param name="used">Bytes that were taken since credit was returned the last time.</param>
    /// <param name="elapsed">Since then, microseconds.</param>
    /// <param name="roundTrip">The shortest seen, microseconds; 0 if none was: then it stays as it is.</param>
    /// <returns>The window from now on, not smaller. As long as the window itself is the limit, rate times round trip is the window, and it doubles.</returns>
    public static long Next(long size, long used, long elapsed, long roundTrip)
    {
        if (roundTrip <= 0) return size;
        double wanted = 2.0 * used * roundTrip / Math.Max(1, elapsed);
        return Math.Max(size, Math.Min(Largest, (long)wanted));
    }
}
