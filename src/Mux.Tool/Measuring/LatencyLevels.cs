namespace Mux.Tool.Measuring;

/// <summary>
/// The coarse levels that the multiplexing test of BeetleX prints, and the one below them. Each level includes its lower edge but not its upper one, so every
/// reply is in exactly one.
/// </summary>
internal static class LatencyLevels
{
    private const long Microsecond = 1_000;

    /// <summary>Edges between levels, in nanoseconds: 0.01, 0.1, 0.5, 1 and 3 ms.</summary>
    public static IReadOnlyList<long> Edges { get; } = [10 * Microsecond, 100 * Microsecond, 500 * Microsecond, 1_000 * Microsecond, 3_000 * Microsecond];

    /// <summary>Counts the replies of each level, shortest latencies first.</summary>
    public static LatencyBucket[] Of(LatencyHistogram histogram)
    {
        var levels = new LatencyBucket[Edges.Count + 1];
        long from = 0, below = 0;
        for (int i = 0; i < Edges.Count; i++)
        {
            long belowEdge = histogram.CountBelow(Edges[i]);
            levels[i] = new LatencyBucket(from, Edges[i], belowEdge - below);
            (from, below) = (Edges[i], belowEdge);
        }

        levels[^1] = new LatencyBucket(from, long.MaxValue, histogram.Count - below);
        return levels;
    }
}
