namespace Mux.Description.Json;

/// <summary>Dates and time spans of protobuf-net: a number of days down to ticks, in the coarsest unit that is exact. A date counts from 1970.</summary>
internal static class BclTicks
{
    private const int TicksScale = 5;
    private const int MinMax = 15;

    private static readonly long[] s_units =
        [TimeSpan.TicksPerDay, TimeSpan.TicksPerHour, TimeSpan.TicksPerMinute, TimeSpan.TicksPerSecond, TimeSpan.TicksPerMillisecond, 1];

    public static TimeSpan ToTimeSpan(ulong value, ulong scale)
    {
        if (scale == MinMax && (long)value is 1 or -1) return (long)value < 0 ? TimeSpan.MinValue : TimeSpan.MaxValue;
        return new TimeSpan(ToTicks((long)value, scale));
    }

    public static DateTime ToDateTime(ulong value, ulong scale, ulong kind)
    {
        if (scale == MinMax && (long)value is 1 or -1) return (long)value < 0 ? DateTime.MinValue : DateTime.MaxValue;
        long ticks = ToTicks((long)value, scale);
        if (ticks < -DateTime.UnixEpoch.Ticks || ticks > (DateTime.MaxValue - DateTime.UnixEpoch).Ticks)
            JsonFault.Throw($"is a date of {ticks} ticks since 1970; allowed are the years 1 to 9999");
        return new DateTime(DateTime.UnixEpoch.Ticks + ticks, kind == (int)DateTimeKind.Utc ? DateTimeKind.Utc : DateTimeKind.Unspecified);
    }

    public static void Write(MessageBuffer to, TimeSpan value)
    {
        if (value == TimeSpan.MinValue || value == TimeSpan.MaxValue) WriteParts(to, value == TimeSpan.MinValue ? -1 : 1, MinMax);
        else WriteTicks(to, value.Ticks);
    }

    public static void Write(MessageBuffer to, DateTime value)
    {
        if (value.Ticks == DateTime.MinValue.Ticks || value.Ticks == DateTime.MaxValue.Ticks) WriteParts(to, value.Ticks == 0 ? -1 : 1, MinMax);
        else WriteTicks(to, value.Ticks - DateTime.UnixEpoch.Ticks);
        if (value.Kind != DateTimeKind.Utc) return;
        to.WriteVarint(3 << 3);
        to.WriteVarint((int)DateTimeKind.Utc);
    }

    private static long ToTicks(long value, ulong scale)
    {
        if (scale > TicksScale) JsonFault.Throw($"has the scale {(int)scale} with the value {value}; allowed are 0 to {TicksScale}, and {MinMax} with 1 or -1");
        if (Math.BigMul(value, s_units[(int)scale], out long ticks) != ticks >> 63)
            JsonFault.Throw($"has the value {value} of the scale {scale}; allowed are 64 bits of ticks");
        return ticks;
    }

    private static void WriteTicks(MessageBuffer to, long ticks)
    {
        int scale = 0;
        while (ticks % s_units[scale] != 0) scale++;
        WriteParts(to, ticks / s_units[scale], scale);
    }

    private static void WriteParts(MessageBuffer to, long value, int scale)
    {
        if (value != 0)
        {
            to.WriteVarint(1 << 3);
            to.WriteVarint((ulong)((value << 1) ^ (value >> 63)));
        }

        if (scale == 0) return;
        to.WriteVarint(2 << 3);
        to.WriteVarint((uint)scale);
    }
}
