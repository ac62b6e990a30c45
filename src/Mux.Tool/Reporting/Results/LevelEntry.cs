using Mux.Tool.Measuring;

namespace Mux.Tool.Reporting.Results;

/// <param name="FromMs">Lower edge in milliseconds, inclusive.</param>
/// <param name="ToMs">Upper edge, exclusive; null for the last level.</param>
/// <param name="Calls">Number of calls in it.</param>
internal sealed record LevelEntry(double FromMs, double? ToMs, long Calls)
{
    private const double NanosecondsPerMillisecond = 1_000_000;

    public static LevelEntry Of(LatencyBucket level) =>
        new(level.From / NanosecondsPerMillisecond, level.To == long.MaxValue ? null : level.To / NanosecondsPerMillisecond, level.Count);
}
