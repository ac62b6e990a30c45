using Mux.Runtime;

namespace Mux.Server;

/// <summary>
/// Decides which connections of a stopping server drain when. All clients that learn of a drain at the same instant dial at the same instant, and fail over to
/// the same neighbour. Pure.
/// </summary>
/// <param name="connections">Number of connections.</param>
/// <param name="grace">Time for open calls, in microseconds: at most a quarter of it passes before the last connection drains.</param>
internal readonly struct DrainWaves(int connections, long grace)
{
    /// <summary>Microseconds between two waves: the resolution of the ticker, below which timers of some systems do not go.</summary>
    public const long Interval = Ticker.Resolution;

    /// <summary>Microseconds within which all connections begin to drain.</summary>
    public const long LongestSpread = 1000 * Clock.MicrosecondsPerMillisecond;

    /// <summary>Connections that need no spread: as many dials at once do no harm.</summary>
    public const int Few = 10;

    /// <summary>Number of connections that drain at a time.</summary>
    public int Size { get; } = Math.Max(Few, (int)((connections + Waves(grace) - 1) / Waves(grace)));

    /// <summary>The largest number of waves.</summary>
    private static long Waves(long grace) => Math.Max(1, Math.Min(LongestSpread, grace / 4) / Interval);
}
