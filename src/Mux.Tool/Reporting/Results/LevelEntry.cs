using Mux.Tool.Measuring;

namespace Mux.Tool.Reporting.Results;

/// <param name="FromMs">The level's lower edge in milliseconds, which belongs to it.</param>
/// <param name="ToMs">Its upper edge, which does not; null for the last level.</param>
/// <param name="Calls">How many calls took so long.</param>
internal sealed record LevelEntry(double FromMs, double? ToMs, long Calls)
{
    private const double NanosecondsPerMillisecond = 1_000_000;

    public static LevelEntry Of(LatencyBucket level) =>
        new(level.From / NanosecondsPerMillisecond, level.To == long.MaxValue ? null : level.To / NanosecondsPerMillisecond, level.Count);
}
