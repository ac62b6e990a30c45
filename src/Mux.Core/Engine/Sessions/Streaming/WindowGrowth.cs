namespace Mux.Engine;

/// <summary>
/// Computes the size of a credit window: twice what the path holds at the rate of the last use, so that the sender does not wait for credit. Pure.
/// </summary>
internal static class WindowGrowth
{
    /// <summary>The largest useful window: enough for 10 Gbit/s at 13 ms on one connection.</summary>
    public const long Largest = 16 * 1024 * 1024;

    /// <param name="size">The current window.</param>
    /// <param name="used">Bytes consumed since credit was last returned.</param>
    /// <param name="elapsed">Time since then, microseconds.</param>
    /// <param name="roundTrip">The shortest round trip seen, microseconds; 0 if none was: then the window stays.</param>
    /// <returns>The next window, not smaller. While the window is the limit, rate times round trip equals the window, so it doubles.</returns>
    public static long Next(long size, long used, long elapsed, long roundTrip)
    {
        if (roundTrip <= 0) return size;
        double wanted = 2.0 * used * roundTrip / Math.Max(1, elapsed);
        return Math.Max(size, Math.Min(Largest, (long)wanted));
    }
}
