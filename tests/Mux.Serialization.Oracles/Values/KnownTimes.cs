using static Mux.Serialization.Oracles.Values.KnownForms;

namespace Mux.Serialization.Oracles.Values;

/// <summary>Dates and spans: as seconds and nanoseconds, and in the coarsest unit that is exact.</summary>
internal static class KnownTimes
{
    private const int NanosecondsPerTick = 100;
    private const int MinOrMax = 15;

    // By the number of the scale; milliseconds are 4 and ticks 5.
    private static readonly long[] s_units = [TimeSpan.TicksPerDay, TimeSpan.TicksPerHour, TimeSpan.TicksPerMinute, TimeSpan.TicksPerSecond, TimeSpan.TicksPerMillisecond, 1];

    // What a Duration of Google's may say: 10,000 years.
    private static readonly long s_maxTicks = TimeSpan.FromSeconds(315_576_000_000).Ticks;

    public static DateTime NextTime(Random random) => random.Next(12) switch
    {
        0 => DateTime.MinValue,
        1 => DateTime.MaxValue,
        2 => DateTime.UnixEpoch,
        _ => new DateTime(Coarse(random, random.NextInt64(DateTime.MaxValue.Ticks)), DateTimeKind.Utc),
    };

    public static TimeSpan NextSpan(Random random) => random.Next(12) == 0 ? TimeSpan.Zero : new TimeSpan(Coarse(random, random.NextInt64(-s_maxTicks, s_maxTicks) >> random.Next(63)));

    public static object TimestampOf(DateTime time)
    {
        var (seconds, ticks) = Math.DivRem((time - DateTime.UnixEpoch).Ticks, TimeSpan.TicksPerSecond);
        if (ticks < 0) (seconds, ticks) = (seconds - 1, ticks + TimeSpan.TicksPerSecond);
        return Parts((1, seconds), (2, ticks * NanosecondsPerTick));
    }

    public static DateTime FromTimestamp(object tree) => DateTime.UnixEpoch + FromDuration(tree);

    public static object DurationOf(TimeSpan span) => Parts((1, span.Ticks / TimeSpan.TicksPerSecond), (2, span.Ticks % TimeSpan.TicksPerSecond * NanosecondsPerTick));

    public static TimeSpan FromDuration(object tree) => new(checked(((long)Part(tree, 1) * TimeSpan.TicksPerSecond) + ((long)Part(tree, 2) / NanosecondsPerTick)));

    public static object ScaledOf(DateTime time)
    {
        if (time == DateTime.MinValue || time == DateTime.MaxValue) return Parts((1, time == DateTime.MinValue ? -1 : 1), (2, MinOrMax));
        return ScaledOf(time - DateTime.UnixEpoch);
    }

    public static object ScaledOf(TimeSpan span)
    {
        if (span == TimeSpan.MinValue || span == TimeSpan.MaxValue) return Parts((1, span == TimeSpan.MinValue ? -1 : 1), (2, MinOrMax));
        if (span == TimeSpan.Zero) return Parts();
        int scale = Array.FindIndex(s_units, unit => span.Ticks % unit == 0);
        return Parts((1, span.Ticks / s_units[scale]), (2, scale));
    }

    public static DateTime TimeFromScaled(object tree)
    {
        if (Part(tree, 2) == MinOrMax) return Part(tree, 1) == 1 ? DateTime.MaxValue : DateTime.MinValue;
        return DateTime.UnixEpoch + SpanFromScaled(tree);
    }

    public static TimeSpan SpanFromScaled(object tree)
    {
        if (Part(tree, 2) == MinOrMax) return Part(tree, 1) == 1 ? TimeSpan.MaxValue : TimeSpan.MinValue;
        return Part(tree, 2) is var scale && scale >= 0 && scale < s_units.Length ? new TimeSpan(checked((long)Part(tree, 1) * s_units[(int)scale])) : throw new FormatException("There is no such scale.");
    }

    // Whole days, hours, minutes, ... as often as odd ticks.
    private static long Coarse(Random random, long ticks)
    {
        long unit = s_units[random.Next(s_units.Length)];
        return ticks / unit * unit;
    }
}
